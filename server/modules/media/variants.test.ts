import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVariants } from './variants.ts';
import { WorkQueue } from './work-queue.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'variants-'));
  await sharp({ create: { width: 1600, height: 1600, channels: 3, background: '#7a8' } })
    .jpeg()
    .toFile(join(folder, 'pot.jpg'));
});
afterAll(() => rm(folder, { recursive: true }));

const original = (name: string) => ({
  source: async () => join(folder, 'pot.jpg'),
  urlName: `${name}.jpg`,
  width: 1600,
});
const generated = async () =>
  (await readdir(join(folder, 'cache'), { recursive: true }).catch(() => [])).filter((file) =>
    file.endsWith('.avif'),
  );

it('images whose clients have left are not generated', async () => {
  const variants = createVariants({ cacheDir: join(folder, 'cache') });
  const stays = new AbortController();
  const leaves = new AbortController();
  const kept = variants.get(original('kept'), 1280, 'avif', stays.signal);
  const left = Array.from({ length: 40 }, (_, n) =>
    variants.get(original(`left-${n}`), 1280, 'avif', leaves.signal),
  );
  const shared = [
    variants.get(original('shared'), 1280, 'avif', leaves.signal),
    variants.get(original('shared'), 1280, 'avif', stays.signal),
  ];
  const outcome = Promise.allSettled([...left, shared[0]]);
  // The reads of the cache folder come first; then all of them wait for the one under way.
  await new Promise((done) => setImmediate(done));
  leaves.abort(new Error('gone'));
  for (const { status } of await outcome) expect(status).toBe('rejected');
  await kept;
  expect((await shared[1])?.length).toBeGreaterThan(0);
  const files = await generated();
  expect(files.some((file) => file.includes('kept'))).toBe(true);
  expect(files.some((file) => file.includes('shared'))).toBe(true);
  expect(files.filter((file) => file.includes('left')).length).toBeLessThan(3);
});

it('an image that everybody has left is generated for the next client', async () => {
  const variants = createVariants({ cacheDir: join(folder, 'cache') });
  const busy = variants.get(original('busy'), 1280, 'avif', new AbortController().signal);
  const leaves = new AbortController();
  const left = variants.get(original('again'), 320, 'avif', leaves.signal);
  leaves.abort(new Error('gone'));
  const [first] = await Promise.allSettled([left]);
  expect(first.status).toBe('rejected');
  expect(
    (await variants.get(original('again'), 320, 'avif', new AbortController().signal)).length,
  ).toBeGreaterThan(0);
  await busy;
});

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
  await expect(piece('third')).rejects.toMatchObject({
    status: 503,
    details: { errorKey: 'error.busy', retryAfterMs: 2000 },
  });
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
