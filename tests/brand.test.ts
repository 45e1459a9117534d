/** What only the demo's brand needs stands in its folder, and a shop without a brand has none of it (docs/decisions/0108). */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { startShop } from './processes.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'shopwright-brand-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

// Half of what starting costs is compiling.
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');
const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, NODE_ENV: 'test', DEMO: '0' };
const command = async (brand: string, ...args: string[]) =>
  (await promisify(execFile)(process.execPath, ['cli/index.ts', ...args], { cwd: root, env: { ...env, BRAND: brand } })).stdout;

/** What a shop with this brand answers of products, and of the shop itself. */
async function answersOf(brand: string, ids: string[]) {
  const shop = await startShop({ DATA_DIR: folder, BRAND: brand });
  const get = async (path: string) => {
    const answer = await fetch(`${shop.url}${path}`, { headers: { [clientTokenHeader]: clientToken } });
    return (await answer.json()) as Record<string, unknown>;
  };
  const products = await Promise.all(ids.map((id) => get(`${apiBase}productManagement/product/${id}`)));
  const { appContent } = await get(`${apiBase}common3/appInfoInit`);
  await shop.end('SIGTERM');
  return { products, appContent };
}

test('a shop from the example knows nothing of tea, and a product of one with the brand is kept where there is none', async () => {
  const db = await openDatabase({ dataDir: folder });
  await migrate(db);
  await db.close();
  await command('', 'fill', 'examples/river-cups/shop.json');
  expect(await command('', 'schema', 'shop')).not.toMatch(/brew|solarTerm/);
  expect(await command('demo/brand', 'schema', 'shop')).toMatch(/brew.*solarTerm|solarTerm[\s\S]*brew/);

  const file = join(folder, 'shop.json');
  const { products } = JSON.parse(readFileSync(join(root, 'examples/river-cups/shop.json'), 'utf8'));
  const brew = { pot: { grams: 3, waterMl: 250, celsius: 95, infusionSeconds: [180] } };
  const skus = [{ sku: 'OOLONG', options: {}, stock: {} }];
  const oolong = { ...products[0], id: 'oolong', images: [], options: [], skus, details: { brew } };
  writeFileSync(file, JSON.stringify({ products: [oolong] }));
  await expect(command('', 'fill', file)).rejects.toMatchObject({ stdout: expect.stringMatching(/brew is an unknown field/) });
  await command('demo/brand', 'fill', file);
  const plain = await answersOf('', ['river-mug', 'oolong']);
  expect(plain.products).toMatchObject([{ id: 'river-mug' }, { id: 'oolong' }]);
  for (const part of [...plain.products, plain.appContent]) expect(part).not.toHaveProperty('extras');
  expect((await answersOf('demo/brand', ['oolong'])).products).toMatchObject([{ extras: { brew } }]);
});
