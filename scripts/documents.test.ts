/** Checks that links in the documents lead to existing files, and that the changelog has the program's version. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const documents = ['*.md', 'docs/**/*.md', 'examples/**/*.md', 'demo/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

test('every relative link of the documents leads to a file', () => {
  expect(documents.length).toBeGreaterThan(50);
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const relative = targets.filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target)).map((target) => target.replace(/#.*$/, ''));
    return relative
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`);
  });
  expect(broken).toEqual([]);
});

test('the changelog begins with what is not released yet, and lists the current version', () => {
  const headings = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings[0]).toBe('Unreleased');
  expect(headings).toContainEqual(expect.stringMatching(new RegExp(`^${packageJson.version} – \\d{4}-\\d{2}-\\d{2}$`)));
});

test('the index of decisions lists every record once, by its own number and title', () => {
  const folder = join(root, 'docs/decisions');
  const records = globSync('0*.md', { cwd: folder }).sort();
  const rows = records.map((file) => {
    const [, number, title, date] =
      /^# (\d+)\. (.+) \((\d{4}-\d{2}-\d{2})\)\n/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    expect(file).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-`));
    return `| ${number} | [${title}](${file}) | ${date} |`;
  });
  expect(readFileSync(join(folder, 'README.md'), 'utf8').match(/^\| \d.+$/gm)).toEqual(rows);
  expect(new Set(records.map((file) => file.slice(0, 4))).size).toBe(records.length);
});
