import { expect, it } from 'vitest';
import { WorkQueue } from './work-queue.ts';

const never = new AbortController().signal;

/** A queue that does one piece at a time, and pieces that end when the test says so. */
function open(mostWaiting = 10) {
  const queue = new WorkQueue({ atOnce: 1, mostWaiting });
  const done: string[] = [];
  const ends = new Map<string, () => void>();
  const piece = (name: string, signal = never) =>
    queue.run(
      () =>
        new Promise<string>((end) =>
          ends.set(name, () => {
            done.push(name);
            end(name);
          }),
        ),
      signal,
    );
  const end = async (name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true);
    ends.get(name)?.();
  };
  return { queue, done, piece, end, ends };
}

it('pieces run one after another, in the order they came', async () => {
  const { done, piece, end } = open();
  const all = Promise.all([piece('first'), piece('second'), piece('third')]);
  for (const name of ['first', 'second', 'third']) await end(name);
  expect(await all).toEqual(['first', 'second', 'third']);
  expect(done).toEqual(['first', 'second', 'third']);
});

it('a piece that nobody waits for any more never runs', async () => {
  const { queue, piece, end, ends } = open();
  const gone = new AbortController();
  const first = piece('first');
  const dropped = piece('dropped', gone.signal);
  const last = piece('last');
  gone.abort(new Error('gone'));
  await expect(dropped).rejects.toThrow('gone');
  expect(queue.waiting).toBe(1);
  await end('first');
  await end('last');
  expect(await Promise.all([first, last])).toEqual(['first', 'last']);
  expect(ends.has('dropped')).toBe(false);
});

it('a full queue refuses more pieces at once, with the time to come back', async () => {
  const { piece, end } = open(1);
  const waiting = [piece('first'), piece('second')];
  await expect(piece('third')).rejects.toMatchObject({ status: 503, details: { errorKey: 'error.busy', retryAfterMs: 2000 } });
  await end('first');
  await end('second');
  await Promise.all(waiting);
});

it('a piece that fails frees its place', async () => {
  const { queue, piece, end } = open();
  await expect(queue.run(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
  const next = piece('next');
  await end('next');
  expect(await next).toBe('next');
});
