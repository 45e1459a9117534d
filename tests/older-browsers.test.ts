/** The browsers that README.md names, held in the code that they get. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { laterFunctions } from './older-browsers.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const folders = ['web', 'ui', 'office', 'contract', 'blocks', 'demo/brand/browser', 'demo/brand/shared'];
const providers = readdirSync(join(root, 'payment-providers'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `payment-providers/${name}/browser`);

const sources = [...folders, ...providers].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|gen)\./.test(name))
    .map((name) => `${folder}/${name}`),
);

/** How code uses a function: `Map.groupBy(`, and of prototypes `.checkVisibility(`, which a question mark before it makes safe. */
function uses(name: string): RegExp {
  const [owner, method] = name.split('#');
  return method ? new RegExp(`\\.${method}\\(`) : new RegExp(`\\b${owner?.replace('.', '\\.')}\\b`);
}

test('browser code uses no function that a supported browser lacks', () => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap((file) => {
    const code = read(file).replace(/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm, '');
    return laterFunctions.filter((name) => uses(name).test(code)).map((name) => `${file} uses ${name}`);
  });
  expect(found).toEqual([]);
});

test('selectors in scripts have no :has(), at which Firefox 115 throws', () => {
  const found = sources.filter((file) =>
    /(?:matches|closest|querySelector(?:All)?)\([^)]*:has\(/.test(read(file)),
  );
  expect(found).toEqual([]);
});

test('the types of browser code are those of ECMAScript 2023', () => {
  for (const project of ['web', 'web/worker', 'ui', 'office', 'contract'])
    expect(read(`${project}/tsconfig.json`), project).toMatch(/"lib": \["es2023"/);
});
