import { expect, test } from 'vitest';
import type { Database } from '#db/database.ts';
import { cachedByTopics, collectReads, recordReads } from './recorded-reads.ts';

function fakeDatabase() {
  let moment = 0;
  const changedAt = new Map<string, number>();
  const changes: Database['changes'] = {
    refresh: () => undefined,
    get moment() {
      return moment;
    },
    changedSince: (since, topics) => topics.some((topic) => (changedAt.get(topic) ?? 0) > since),
  };
  const touch = (topic: string) => {
    moment += 1;
    changedAt.set(topic, moment);
  };
  return { db: { changes } as Database, touch };
}

test('a value is loaded again after a change of its topics or of what it was loaded from', async () => {
  const { db, touch } = fakeDatabase();
  let loads = 0;
  const read = cachedByTopics(db, ['settings'], async () => {
    recordReads('image:logo.png');
    loads += 1;
    return loads;
  });
  expect([await read(), await read()]).toEqual([1, 1]);
  touch('stores');
  expect(await read()).toBe(1);
  touch('settings');
  expect(await read()).toBe(2);
  touch('image:logo.png');
  expect(await read()).toBe(3);
});

test('every reader records the topics, also one that did not load the value', async () => {
  const { db } = fakeDatabase();
  const read = cachedByTopics(db, ['settings'], async () => recordReads('image:logo.png'));
  const together = await Promise.all([collectReads(read), collectReads(read)]);
  const later = await collectReads(read);
  for (const { topics } of [...together, later])
    expect(topics.sort()).toEqual(['image:logo.png', 'settings']);
});

test('a failed load is not cached', async () => {
  const { db } = fakeDatabase();
  let loads = 0;
  const read = cachedByTopics(db, ['settings'], async () => {
    loads += 1;
    if (loads === 1) throw new Error('gone');
    return loads;
  });
  await expect(read()).rejects.toThrow('gone');
  expect(await read()).toBe(2);
});

test('a value that is loading is not shared with a reader who asks after a change', async () => {
  const { db, touch } = fakeDatabase();
  const opened: ((value: string) => void)[] = [];
  const read = cachedByTopics(db, ['settings'], async () => {
    const value = await new Promise<string>((resolve) => opened.push(resolve));
    recordReads('image:logo.png');
    return value;
  });
  const early = [read(), read()];
  await expect.poll(() => opened.length).toBe(1);
  touch('image:logo.png');
  const later = read();
  await expect.poll(() => opened.length).toBe(2);
  opened[0]?.('old');
  opened[1]?.('new');
  expect(await Promise.all([...early, later])).toEqual(['old', 'old', 'new']);
  expect(await read()).toBe('new');
});
