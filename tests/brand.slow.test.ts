/** A shop with the demo's brand and one without it, started as processes (docs/decisions/0108). */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

// Half of what starting costs is compiling.
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');
const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, NODE_ENV: 'test', DEMO: '0' };
const command = async (brand: string, ...args: string[]) =>
  (
    await promisify(execFile)(process.execPath, ['cli/index.ts', ...args], {
      cwd: root,
      env: { ...env, BRAND: brand },
    })
  ).stdout;

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
  await expect(command('', 'fill', file)).rejects.toMatchObject({
    stdout: expect.stringMatching(/brew is an unknown field/),
  });
  await command('demo/brand', 'fill', file);
  const plain = await answersOf('', ['river-mug', 'oolong']);
  expect(plain.products).toMatchObject([{ id: 'river-mug' }, { id: 'oolong' }]);
  for (const part of [...plain.products, plain.appContent]) expect(part).not.toHaveProperty('extras');
  expect((await answersOf('demo/brand', ['oolong'])).products).toMatchObject([{ extras: { brew } }]);
});
