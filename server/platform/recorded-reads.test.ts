import { expect, test } from 'vitest';
import { collectReads, recordReads, recordUntil, refreshOnce } from './recorded-reads.ts';

function log(later: boolean) {
  let reads = 0;
  const refresh = () => {
    reads += 1;
    return later ? Promise.resolve() : undefined;
  };
  return { changes: { refresh, moment: 0, changedSince: () => false }, reads: () => reads };
}

test('the innermost collection records a read, across awaits', async () => {
  const outer = await collectReads(async () => {
    recordReads('settings');
    const inner = await collectReads(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      recordReads('stores', 'blogs');
    });
    recordReads('search');
    return inner.topics;
  });
  expect(outer).toEqual({
    value: ['stores', 'blogs'],
    topics: ['settings', 'search'],
    until: Number.POSITIVE_INFINITY,
  });
  recordReads('nobody asks');
});

test.each([false, true])(
  'an answer learns once of what has changed, however many reads it is made of (later: %s)',
  async (later) => {
    const { changes, reads } = log(later);
    await collectReads(async () => {
      await Promise.all([refreshOnce(changes), refreshOnce(changes)]);
      await collectReads(async () => refreshOnce(changes));
    });
    expect(reads()).toBe(1);
    await collectReads(async () => refreshOnce(changes), true);
    expect(reads()).toBe(1);
    await refreshOnce(changes);
    await refreshOnce(changes);
    expect(reads()).toBe(3);
  },
);

test('the earliest end that is noted is the end of what is made', async () => {
  const { until } = await collectReads(async () => {
    recordUntil(3000);
    await collectReads(async () => recordUntil(1000));
    recordUntil(2000);
  });
  expect(until).toBe(2000);
});
