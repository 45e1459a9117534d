/** `schema`: JSON Schemas that accept what the import accepts. They are read as plain JSON, as an editor reads them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { run } from './run.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'examples/river-cups');
const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const shop = readJson('shop.json');
const posts = readJson('posts.json');
const [product] = shop.products;
const [store] = shop.stores;
const [post] = posts.posts;
const block = (change: object) => ({
  pages: [{ ...shop.pages[1], blocks: [{ ...shop.pages[1].blocks[0], ...change }] }],
});

/** Of a shop without a brand, as River Cups is, in a process of its own: the brand belongs to the process. */
async function printSchema(kind: string): Promise<object> {
  const env = { PATH: process.env.PATH, BRAND: '' };
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/index.ts', 'schema', kind], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout);
}

const schemas = new Map<string, Promise<object>>();
function schemaOf(kind: string): Promise<object> {
  const schema = schemas.get(kind) ?? printSchema(kind);
  schemas.set(kind, schema);
  return schema;
}

describe('the JSON Schemas of merchants’ files', () => {
  test.each([
    ['shop', 'shop.json'],
    ['post', 'posts.json'],
  ])('the schema of a %s is the one that %s names, and accepts it', async (kind, file) => {
    const content = readJson(file);
    const schema = await schemaOf(kind);
    expect(schema).toEqual(readJson(content.$schema));
    expect(Check(schema, content)).toBe(true);
    expect(Check(schema, {})).toBe(true);
  });

  test.each([
    ['an unknown field', { products: [{ ...product, colour: 'red' }] }],
    ['a missing field', { products: [{ ...product, brand: undefined, priceCents: undefined }] }],
    ['an unknown part', { goods: [] }],
    ['an unknown setting', { settings: { currncy: 'CAD' } }],
    [
      'a province by its name',
      { settings: { taxRates: [{ ...shop.settings.taxRates[0], provinceCode: 'Ontario' }] } },
    ],
    [
      'opening hours that do not exist',
      { stores: [{ ...store, openingHours: { ...store.openingHours, monday: { open: '9' } } }] },
    ],
    ['an unknown block', block({ type: 'marquee' })],
    ['an unknown field in a block', block({ colour: 'red' })],
    ['a location with half a unit', { stock: { 'RM-INK': { warehouse: 0.5 } } }],
  ])('the schema of a shop rejects %s', async (_kind, content) => {
    expect(Check(await schemaOf('shop'), JSON.parse(JSON.stringify(content)))).toBe(false);
  });

  test.each([
    ['an unknown part', { parts: [{ type: 'song' }] }],
    ['a heading of level 4', { parts: [{ type: 'heading', level: 4, text: { en: 'Deep' } }] }],
    ['a date as a number', { publishedAt: 0 }],
  ])('the schema of posts rejects %s', async (_kind, change) => {
    expect(Check(await schemaOf('post'), { posts: [{ ...post, ...change }] })).toBe(false);
  });

  test('the schema command prints its usage for another kind of file', async () => {
    const lines: string[] = [];
    expect(await run(['schema', 'order'], {}, (line) => lines.push(line))).toBe(1);
    expect(lines.join('\n')).toBe(
      "Command-argument value 'order' is invalid for argument 'kind'. Allowed choices are shop, post. Usage: npm run shop -- schema [options] <kind>",
    );
  });
});
