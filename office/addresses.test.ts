/** The office lies below `/office`: an address without it leads to no room, and says that there is no such page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.test)\.tsx?$/.test(name),
);

test('every room that another one opens is below the address of the office', () => {
  const opened = sources.flatMap((name) => {
    const code = readFileSync(join(import.meta.dirname, name), 'utf8');
    return [...code.matchAll(/(?:navigate\(\{ to:|history\.(?:push|replace)\() ?[`'"](\/[^`'"]*)/g)].map(
      ([, to = '']) => ({
        name,
        to,
      }),
    );
  });
  expect(opened.length).toBeGreaterThan(10);
  expect(opened.filter(({ to }) => !/^\/office(?:\/|$|\?|\$\{)/.test(to))).toEqual([]);
});
