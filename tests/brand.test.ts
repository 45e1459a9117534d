/** What only the demo's brand needs stands in its folder (docs/decisions/0108). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const wordsOfTea =
  /brew|infusion|gaiwan|gongfu|teapot|\btea\b|solar ?term|\bseals?\b|scale drawing|sizeReference|茶|节气|冲泡|窑/i;
/** Old demo shops get a photo in place of one that was removed. */
const known = /^server\/modules\/media\/originals\.ts: .*banner-tea-table\.jpg/;

function linesWithTea(pattern: string): string[] {
  const files = globSync(pattern, { cwd: root }).filter(
    (file) => !/\.(?:test|gen)\.|^db\/migrations\/|\.(?:png|jpg|woff2)$/.test(file),
  );
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => wordsOfTea.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

test('no line of the program names anything of tea, outside the folder of the demo’s brand', () => {
  const found = linesWithTea('{blocks,cli,contract,db,payment-providers,server,ui,office,web}/**/*.*');
  expect(found.filter((line) => !known.test(line))).toEqual([]);
  expect(linesWithTea('demo/brand/**/*.*').length).toBeGreaterThan(50);
});
