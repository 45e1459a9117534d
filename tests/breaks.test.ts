import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';

const root = join(import.meta.dirname, '..');

test('every deliberate break names a passage that its file has once, and a test that exists', () => {
  const wrong = breaks.flatMap(({ fault, file, find, noticedBy }) => {
    const occurrences = readFileSync(join(root, file), 'utf8').split(find).length - 1;
    return [
      ...(occurrences === 1 ? [] : [`${fault} ${file} has the passage ${occurrences} times.`]),
      ...(existsSync(join(root, noticedBy)) ? [] : [`${fault} ${noticedBy} is missing.`]),
    ];
  });
  expect(wrong).toEqual([]);
});

test('the list has 60 deliberate breaks or more, a third of them in second places', () => {
  expect(breaks.length).toBeGreaterThanOrEqual(60);
  expect(breaks.filter(({ secondPlace }) => secondPlace).length * 3).toBeGreaterThanOrEqual(breaks.length);
});
