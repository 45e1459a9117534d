/** `fill` checks a whole file first: what is wrong in itself, and what refers to something that exists nowhere. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-whole-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  const picture = { width: 90, height: 90, channels: 3, background: '#d9c7a3' } as const;
  writeFileSync(join(folder, 'river-mug.jpg'), await sharp({ create: picture }).jpeg().toBuffer());
  writeFileSync(join(folder, 'broken.jpg'), 'no image');
});

const how = readFileSync(join(import.meta.dirname, '../docs/how-to/fill-a-shop.md'), 'utf8');
const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(how)?.[1] ?? '');
const [product] = example.products;
const single = (id: string, sku: string, change: object = {}) => ({
  id,
  name: { en: id },
  brand: 'north-kiln',
  category: 'mugs',
  priceCents: 1000,
  skus: [{ sku, options: {}, stock: { warehouse: 1 } }],
  ...change,
});

async function fill(
  testApp: TestApp,
  content: unknown,
  ...flags: string[]
): Promise<{ code: number; printed: string }> {
  const path = join(folder, 'shop.json');
  writeFileSync(path, JSON.stringify(content));
  const { code, printed } = await shopCommand(testApp, ['fill', ...flags, path]);
  return { code, printed: printed.replaceAll(folder, 'FOLDER') };
}

const tables = [
  ...(['settings', 'stores', 'brands', 'categories', 'tags', 'products', 'skus', 'stock'] as const),
  ...(['pages', 'gallery_photos', 'media', 'catalogue_version'] as const),
] as const;
const everything = async ({ db }: TestApp) =>
  Promise.all(tables.map(async (table) => [table, await db.read.selectFrom(table).selectAll().execute()]));

/** Every part of a file is right, except for references. */
const unknown = {
  settings: { orderNumberPrefix: 'NEW' },
  stores: example.stores,
  brands: [{ id: 'kiln', name: { en: 'Kiln' }, image: 'lost.jpg' }],
  categories: [
    { id: 'low', parent: 'nowhere', name: { en: 'Low' } },
    { id: 'child', parent: 'late', name: { en: 'Child' } },
    { id: 'late', name: { en: 'Late' } },
  ],
  products: [
    single('cup', 'C-1', {
      brand: 'nobody',
      category: 'nowhere',
      tags: ['none'],
      images: ['gone.jpg', 'broken.jpg', 'the mug.jpg'],
    }),
    single('bowl', 'C-1'),
    single('plate', 'RM-SAND', { skus: [{ sku: 'RM-SAND', options: {}, stock: { attic: 1 } }] }),
    single('wrong', 'W-1', { priceCents: -1 }),
  ],
  stock: { 'NO-SKU': { warehouse: 1 }, 'C-1': { cellar: 2 }, 'W-1': { warehouse: 2 } },
  gallery: [{ id: 'a', image: 'missing.jpg', takenAt: '2026-11-21' }],
};

forEachEngine((engine) => {
  describe('an import of a whole file', () => {
    test('an import that refers to something that exists nowhere names all of it and writes nothing', async () => {
      const testApp = await createTestApp({ engine });
      expect((await fill(testApp, example)).code).toBe(0);
      const before = await everything(testApp);
      const { code, printed } = await fill(testApp, unknown);
      expect(code).toBe(1);
      const imageName = 'letters, digits, dots and hyphens, ending in .jpg, .jpeg, .png, .webp or .avif';
      expect(printed.split('\n  ')).toEqual([
        'Nothing was imported:',
        'product wrong: /priceCents must be at least 0, found -1',
        'category low: /parent must be the id of an existing category, found "nowhere"',
        'category child: /parent names late, which comes later: parents come before their children',
        'product cup: /brand must be the id of an existing brand, found "nobody"',
        'product cup: /category must be the id of an existing category, found "nowhere"',
        'product cup: /tags must be the id of an existing tag, found "none"',
        'product bowl: /skus/C-1 is a SKU of cup, too',
        'product plate: /skus/RM-SAND is a SKU of river-mug in the shop',
        'product plate: /skus/RM-SAND/stock/attic must be a location of the shop, allowed: warehouse, main-street',
        'stock of C-1: /cellar must be a location of the shop, allowed: warehouse, main-street',
        'stock of NO-SKU is of an unknown SKU',
        'brand kiln names image lost.jpg, which is neither in FOLDER nor in the shop',
        'product cup names image gone.jpg, which is neither in FOLDER nor in the shop',
        expect.stringMatching(/^product cup names broken\.jpg, which is not a valid image: /),
        `product cup names image "the mug.jpg", whose name is invalid, allowed: ${imageName}`,
        'photo a names image missing.jpg, which is neither in FOLDER nor in the shop',
      ]);
      expect(await everything(testApp)).toEqual(before);
    });

    test('fill --check finds the same problems, accepts the file of the documentation, and writes nothing', async () => {
      const testApp = await createTestApp({ engine });
      const before = await everything(testApp);
      expect(await fill(testApp, { $schema: './shop.schema.json', ...example }, '--check')).toEqual({
        code: 0,
        printed: expect.stringMatching(/FOLDER\/shop\.json is valid\. Nothing was imported\.$/),
      });
      expect((await fill(testApp, unknown, '--check')).printed).toBe((await fill(testApp, unknown)).printed);
      expect(await everything(testApp)).toEqual(before);
    });

    test('references to entries that are wrong themselves are not named again', async () => {
      const testApp = await createTestApp({ engine });
      const { brands, categories, tags, stores } = example;
      const wrong = {
        brands: [{ ...brands[0], colour: 'red' }],
        categories: [{ ...categories[0], name: 'Cups' }, categories[1]],
        tags: [{ ...tags[0], name: {} }],
        stores: [{ ...stores[0], lat: 'north' }],
        products: [product],
      };
      expect((await fill(testApp, wrong)).printed.split('\n  ')).toEqual([
        'Nothing was imported:',
        'brand north-kiln: /colour is an unknown field, allowed: id, name, story, image',
        'category cups: /name must be an object, found "Cups"',
        'tag stoneware: /name/en is missing',
        'store main-street: /lat must be a number, found "north"',
      ]);
    });

    test('a SKU moves to another product of the same import, however many products lie between them', async () => {
      const testApp = await createTestApp({ engine });
      const { brands, categories, tags, stores } = example;
      await fill(testApp, {
        brands,
        categories,
        tags,
        stores,
        products: [single('old', 'MOVED'), single('new', 'N-1')],
      });
      const between = Array.from({ length: 260 }, (_, index) => single(`p-${index}`, `P-${index}`));
      const products = [single('new', 'MOVED'), ...between, single('old', 'O-1')];
      expect(await fill(testApp, { products })).toMatchObject({
        code: 0,
        printed: expect.stringMatching(
          / and 240 more\n[\s\S]*^Imported 262 products: 260 new, 2 changed\.$/m,
        ),
      });
      const owner = await testApp.db.read
        .selectFrom('skus')
        .select('product_id')
        .where('id', '=', 'MOVED')
        .executeTakeFirst();
      expect(owner).toEqual({ product_id: 'new' });
      expect((await testApp.call('product', { params: { id: 'old' } })).skus.map(({ sku }) => sku)).toEqual([
        'O-1',
      ]);
    });
  });
});
