import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { WorkerQueue } from './worker-queue.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A queue whose thread runs `work`, the source of a function of a job. */
function queueOf(work: string, options: { mostWaiting?: number; timeoutMs?: number } = {}): WorkerQueue<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'shopwright-thread-'));
  const script = join(folder, 'thread.mjs');
  const module = pathToFileURL(join(import.meta.dirname, 'worker-queue.ts')).href;
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads';
     import { answerJobs } from ${JSON.stringify(module)};
     answerJobs(parentPort, ${work});`,
  );
  const queue = new WorkerQueue<string, string>({
    script: pathToFileURL(script),
    data: null,
    mostWaiting: 2,
    timeoutMs: 30_000,
    ...options,
  });
  closing.push(async () => {
    await queue.close();
    rmSync(folder, { recursive: true });
  });
  return queue;
}

const busy = { status: 503, details: { errorKey: 'error.busy', retryAfterMs: 2000 } };

test('a worker thread answers jobs in their order, and one job more than may wait is refused', async () => {
  const queue = queueOf('async (job) => job.toUpperCase()');
  expect(await queue.run('first')).toBe('FIRST');
  const jobs = ['a', 'b', 'c', 'd'].map((job) => queue.run(job));
  await expect(jobs[3]).rejects.toMatchObject(busy);
  expect(await Promise.all(jobs.slice(0, 3))).toEqual(['A', 'B', 'C']);
});

test('a job that takes too long is refused, and a new thread answers the next one', async () => {
  const queue = queueOf(`async (job) => { if (job === 'endless') for (;;); return job; }`, { timeoutMs: 1500 });
  // The thread has started once the first job is answered.
  await expect.poll(() => queue.run('ready').catch(() => null), { timeout: 30_000 }).toBe('ready');
  await expect(queue.run('endless')).rejects.toMatchObject(busy);
  await expect.poll(() => queue.run('next').catch(() => null), { timeout: 30_000 }).toBe('next');
});

test('an error of a job reaches the caller with its fields, and the thread goes on', async () => {
  const queue = queueOf(
    `async (job) => { if (job === 'bad') throw Object.assign(new Error('disk'), { errcode: 10 }); return job; }`,
  );
  await expect(queue.run('bad')).rejects.toMatchObject({ message: 'disk', errcode: 10 });
  expect(await queue.run('good')).toBe('good');
});

test('closing the queue refuses the jobs that wait and all later ones', async () => {
  const queue = queueOf('() => new Promise(() => {})');
  const jobs = ['a', 'b'].map((job) => expect(queue.run(job)).rejects.toMatchObject(busy));
  await queue.close();
  await Promise.all(jobs);
  await expect(queue.run('late')).rejects.toMatchObject(busy);
});
