import { expect, test } from 'vitest';
import { freshReader } from './fresh-reader.ts';

/** A query that answers when told, with the value at the time it was sent. */
function source() {
  let value = 0;
  const sent: (() => void)[] = [];
  return {
    set: (next: number) => {
      value = next;
    },
    sent,
    query: () => {
      const seen = value;
      return new Promise<number>((resolve) => sent.push(() => resolve(seen)));
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('readers that ask during a query share the next query and get nothing older than their question', async () => {
  const { query, sent, set } = source();
  const read = freshReader(query);
  const first = read();
  set(1);
  const later = [read(), read(), read()];
  expect(sent).toHaveLength(1);
  sent[0]?.();
  expect(await first).toBe(0);
  await settled();
  expect(sent).toHaveLength(2);
  sent[1]?.();
  expect(await Promise.all(later)).toEqual([1, 1, 1]);
});

test('a failing query fails only its own readers', async () => {
  let sent = 0;
  const read = freshReader(async () => {
    sent += 1;
    if (sent === 1) throw new Error('gone');
    return 7;
  });
  const first = read();
  const second = read();
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe(7);
});

test('readers that ask in one turn of the event loop share a query that is sent at its end', async () => {
  const { query, sent, set } = source();
  const read = freshReader(query, { gathers: true });
  const together = [read(), read()];
  set(1);
  together.push(read());
  expect(sent).toHaveLength(0);
  await settled();
  expect(sent).toHaveLength(1);
  set(2);
  const later = read();
  sent[0]?.();
  expect(await Promise.all(together)).toEqual([1, 1, 1]);
  await settled();
  expect(sent).toHaveLength(2);
  sent[1]?.();
  expect(await later).toBe(2);
});
