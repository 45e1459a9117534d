/** A title of a test is a sentence with a subject, because a CI log shows it without the `describe` around it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { testTitlesIn, titleProblem } from './test-titles.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [
  'bench',
  'cli',
  'contract',
  'db',
  'demo',
  'payment-providers',
  'scripts',
  'server',
  'tests',
  'ui',
  'office',
  'web',
];
const testFile = /\.(test|spec)\.tsx?$|\/conformance\.ts$/;

const titlesByFile = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((path) => testFile.test(path))
  .map((path) => testTitlesIn(path, readFileSync(join(root, path), 'utf8')));
const titles = titlesByFile.flat();

describe('titles of tests', () => {
  test('the scanner finds the titles of the project', () => {
    expect(titles.length).toBeGreaterThan(1300);
  });

  test('every title starts with its subject', () => {
    const problems = titles.flatMap(({ at, text }) =>
      titleProblem(text) ? [`${at} ${titleProblem(text)}: ${text}`] : [],
    );
    expect(problems).toEqual([]);
  });

  test('no title occurs twice in a file', () => {
    const repeated = titlesByFile.flatMap((inFile) =>
      inFile.filter(({ text }, index) => inFile.findIndex((other) => other.text === text) < index),
    );
    expect(repeated.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  });

  test('the scanner reads every form of a test and no other call', () => {
    const source = `
      it('a plain title', () => {});
      test.each([1])('a title of %i rows', () => {});
      it.runIf(true)('a title on a condition', async () => {});
      test(\`a title of \${path}\`, { tag: once }, async () => {});
      await test.step('a step of a test', async () => {});
      describe('the name of a unit', () => {});
      test.describe('the name of a feature', () => {});
      test.skip(shop.phone, 'a reason');
      test.each('not a title', 2);
      visit('another call', () => {});
    `;
    expect(testTitlesIn('a.ts', source).map(({ at, text }) => `${at} ${text}`)).toEqual([
      'a.ts:2 a plain title',
      'a.ts:3 a title of %i rows',
      'a.ts:4 a title on a condition',
      `a.ts:5 a title of \${path}`,
      'a.ts:6 a step of a test',
    ]);
  });

  test.each([
    'is sent compressed',
    'may be empty',
    'unless the bill changed',
    'says why',
    'that cannot be read, fails',
  ])('the title "%s" is reported as one without a subject', (title) => {
    expect(titleProblem(title)).toMatch(/^starts with "/);
  });
});
