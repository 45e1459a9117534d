/** How long a large blog takes, which is measured. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { importer } from '#tests/importing.ts';
import { createTestApp } from '#tests/test-app.ts';
import { largeWxr } from '#tests/wxr.ts';

const now = Date.parse('2026-11-30T12:00:00Z');

it('a file of 20 MB with 2,000 posts is judged within a minute, in pieces', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', now });
  const file = largeWxr(2000, 20 * 1024 * 1024);
  expect(file.length).toBeGreaterThan(18 * 1024 * 1024);
  const { importRuns } = testApp.container;
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const from = performance.now();
  const { id } = await importRuns.upload(importer, 'large.xml', Readable.from([Buffer.from(file)]), 'en');
  await importRuns.work();
  const judgedMs = performance.now() - from;
  clearInterval(timer);
  expect((await importRuns.read(id, 'en')).counts).toMatchObject({ new: 2000, problem: 0 });
  console.info(
    `judged in ${Math.round(judgedMs)} ms, longest pause ${Math.round(longest)} ms, rss ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  );
  expect(judgedMs).toBeLessThan(60_000);
}, 180_000);
