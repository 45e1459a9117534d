import { expect, test } from 'vitest';
import { startBackground } from './server-module.ts';

test('a failing job is reported, unless it fails because the process stops', async () => {
  const reported: string[] = [];
  let fail = (_error: Error) => {};
  const background = startBackground(
    [
      { name: 'quick', everyMs: 60_000, atStart: true, run: () => Promise.reject(new Error('first')) },
      {
        name: 'sweep',
        everyMs: 60_000,
        atStart: true,
        run: () =>
          new Promise((_, reject) => {
            fail = reject;
          }),
      },
    ],
    (error, name) => reported.push(`${name}: ${error}`),
  );
  await expect.poll(() => reported).toEqual(['quick: Error: first']);
  let stopped = false;
  const stopping = background.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  fail(new Error('The database is closed'));
  await stopping;
  expect(reported).toHaveLength(1);
});
