/** `export` and `fill`: a shop that is exported and filled again is the same shop. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readyLooks } from '#contract/rules/look.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { EngineName } from '#db/database.ts';
import { unzipShop } from '#server/modules/exports/index.ts';
import { goodPassword, register } from '#tests/accounts.ts';
import { isLong } from '#tests/long.ts';
import { sellProduct } from '#tests/products.ts';
import { address, pay, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { run } from './run.ts';

const root = mkdtempSync(join(tmpdir(), 'shopwright-export-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const emptyFolder = () => mkdtempSync(join(root, 'shop-'));

const riverCups = join(import.meta.dirname, '../examples/river-cups');

/** Runs a command that must succeed. Returns what it printed. */
async function succeed(testApp: TestApp, words: readonly string[]): Promise<string> {
  const { code, printed } = await shopCommand(testApp, words);
  expect([code, printed]).toEqual([0, expect.any(String)]);
  return printed;
}

/** The folder of an export, and the commands that it printed for importing it. */
interface Export {
  folder: string;
  commands: string[][];
}

async function exported(testApp: TestApp): Promise<Export> {
  const folder = emptyFolder();
  const printed = await succeed(testApp, ['export', folder]);
  const commands = [...printed.matchAll(/^ {2}npm run shop -- (.*)$/gm)].map(([, words = '']) =>
    words.split(' '),
  );
  return { folder, commands };
}

/** The archive of a shop, and what it has for `fill`. */
async function archived(testApp: TestApp): Promise<{ path: string; folder: string }> {
  const path = join(emptyFolder(), 'shop.zip');
  await succeed(testApp, ['export', path]);
  const folder = emptyFolder();
  await unzipShop(path, folder);
  return { path, folder };
}

async function productsOf(testApp: TestApp): Promise<string> {
  const path = join(emptyFolder(), 'products.csv');
  await succeed(testApp, ['export', path]);
  return readFileSync(path, 'utf8');
}

const riverCupsCommands = [
  ['fill', join(riverCups, 'shop.json')],
  ['blog', join(riverCups, 'posts.json')],
];

async function fillWith(testApp: TestApp, commands: readonly string[][]): Promise<void> {
  for (const words of commands) await succeed(testApp, words);
}

/** A new shop that is filled from an export. */
async function copyOf(engine: EngineName, { commands }: Export): Promise<TestApp> {
  const copy = await createTestApp({ engine });
  await fillWith(copy, commands);
  return copy;
}

async function riverCupsShop(engine: EngineName = 'sqlite'): Promise<TestApp> {
  const testApp = await createTestApp({ engine });
  await fillWith(testApp, riverCupsCommands);
  return testApp;
}

const readShop = ({ folder }: Export) => JSON.parse(readFileSync(join(folder, 'shop.json'), 'utf8'));

/** The files of a folder by name: JSON as text, images as a hash of their bytes. */
function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => {
        const bytes = readFileSync(join(folder, name));
        return [
          name,
          name.endsWith('.json') ? bytes.toString() : createHash('sha256').update(bytes).digest('hex'),
        ];
      }),
  );
}

/** What shoppers see of the catalogue and the stores. Of several images with the same bytes any may name them. */
async function storefront(testApp: TestApp): Promise<unknown> {
  const { products } = await testApp.call('products', { query: { numberToLoad: 48 } });
  const id = products[0]?.id ?? '';
  const seen = {
    products,
    product: await testApp.call('product', { params: { id }, lang: 'zh' }),
    related: await testApp.call('relatedProducts', { params: { productid: id } }),
    categories: await testApp.call('categories', { params: { id: 'primary' } }),
    brands: await testApp.call('brands'),
    stores: await testApp.call('pickupLocations', { lang: 'zh' }),
    checkout: await testApp.call('checkoutConfig'),
    times: (await testApp.services.stores.all()).map(({ timeZone, pickupSlotCapacity }) => [
      timeZone,
      pickupSlotCapacity,
    ]),
  };
  return JSON.parse(JSON.stringify(seen).replaceAll(/[\w.-]+-([0-9a-f]{10}\.jpg)/g, '$1'));
}

// River Cups below asks the same in every run, with fewer products and pictures, and on one engine.
test.runIf(isLong)(
  'the demo shop that is exported, filled into an empty shop of the other engine and exported again gives the same files',
  {
    timeout: 120_000,
  },
  async () => {
    const demo = await createTestApp({ engine: 'sqlite', demo: true });
    const first = await exported(demo);
    const names = readdirSync(first.folder);
    expect(names.filter((name) => name.endsWith('.json'))).toEqual(['posts.json', 'shop.json']);
    expect(names.filter((name) => name.endsWith('.jpg')).length).toBeGreaterThan(50);

    const copy = await copyOf('postgres', first);
    const second = await exported(copy);
    expect(contentOf(second.folder)).toEqual(contentOf(first.folder));
    expect(await storefront(copy)).toEqual(await storefront(demo));
  },
);

forEachEngine((engine) => {
  describe('exporting a shop', () => {
    test('River Cups in an archive survives a fill', async () => {
      const original = await riverCupsShop(engine);
      const look = {
        colours: readyLooks.meadow.colours,
        corners: 'round' as const,
        logo: 'moonrise-cup.jpg',
      };
      await original.services.settings.update({ look });
      const first = await archived(original);
      const copy = await createTestApp({ engine });
      await succeed(copy, ['fill', first.path]);
      const second = await archived(copy);
      expect(contentOf(second.folder)).toEqual(contentOf(first.folder));
      expect((await copy.services.settings.all()).look).toEqual(look);
      expect(await productsOf(copy)).toBe(await productsOf(original));
      expect(await storefront(copy)).toEqual(await storefront(original));
      const images = (folder: string) =>
        Object.entries(contentOf(folder)).filter(([name]) => name.endsWith('.jpg'));
      expect(images(first.folder)).toEqual(images(riverCups));
    });

    test('the second and later blogs have a file of their own', async () => {
      const testApp = await riverCupsShop(engine);
      const { blog, posts } = JSON.parse(readFileSync(join(riverCups, 'posts.json'), 'utf8'));
      const file = join(emptyFolder(), 'posts.json');
      const another = {
        blog: { ...blog, id: 'kiln' },
        posts: [{ ...posts[0], blogId: 'kiln', link: 'firing', image: null }],
      };
      writeFileSync(file, JSON.stringify(another));
      await succeed(testApp, ['blog', file]);
      const first = await exported(testApp);
      expect(JSON.parse(readFileSync(join(first.folder, 'posts-kiln.json'), 'utf8'))).toMatchObject({
        blog: { id: 'kiln' },
        posts: [{ link: 'firing', publishedAt: '2026-10-03T13:00:00Z' }],
      });
      const second = await exported(await copyOf(engine, first));
      expect(contentOf(second.folder)).toEqual(contentOf(first.folder));
    });
  });
});

describe('an export', () => {
  test('an export has products that are unpublished or sold out, their GTINs, and only stock that is on sale', async () => {
    const testApp = await riverCupsShop();
    const [product] = readShop(await exported(testApp)).products;
    const [sku] = product.skus;
    const gtin = '4006381333931';
    await testApp.services.editor.upsertProducts([
      {
        ...product,
        status: 'draft',
        taxClass: 'pudding',
        skus: [{ ...sku, gtin, singleServings: 4 }, ...product.skus.slice(1)],
      },
    ]);
    await testApp.services.stock.count([{ sku: sku.sku, place: 'warehouse', units: 0 }]);
    await testApp.services.stock.count([{ sku: sku.sku, place: 'closed-store', units: 5 }]);
    const again = readShop(await exported(testApp));
    expect(again.products[0]).toMatchObject({ id: product.id, status: 'draft', taxClass: 'pudding' });
    expect(again.products[0].skus[0]).toMatchObject({
      gtin,
      singleServings: 4,
      stock: { ...sku.stock, warehouse: 0 },
    });
    expect(again.products[0].skus[1]).not.toHaveProperty('gtin');
    expect(again.products[0].skus[1]).not.toHaveProperty('singleServings');
  });

  test('an export contains no keys, no passwords and nothing about customers', async () => {
    const keys = {
      STRIPE_PUBLISHABLE_KEY: 'pk_test_public1',
      STRIPE_SECRET_KEY: 'sk_test_secret1',
      STRIPE_WEBHOOK_SECRET: 'whsec_secret1',
      SMTP_URL: 'smtp://u:hush@127.0.0.1',
    };
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    await sellProduct(testApp, 'MUG-OAT');
    const { email } = await register(testApp, {
      email: 'private.person@example.com',
      lastName: 'Privatelastname',
    });
    await pay(testApp, await shopperWithCart(testApp, 'MUG-OAT'));
    const folder = emptyFolder();
    const lines: string[] = [];
    const source = { DATA_DIR: testApp.dataDir, ...keys };
    expect(await run(['export', folder], source, (line) => lines.push(line)), lines.join('\n')).toBe(0);
    const { password_hash: hash } = await testApp.db.read
      .selectFrom('customers')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const secrets = await testApp.db.read.selectFrom('secrets').selectAll().execute();
    const stored = secrets
      .flatMap((row) => Object.values(row).map(String))
      .filter((text) => text.length > 15);
    const text = Object.entries(contentOf(folder))
      .flatMap(([name, content]) => (name.endsWith('.json') ? [content] : []))
      .join();
    for (const secret of [
      ...Object.values(keys),
      ...stored,
      goodPassword,
      hash,
      email,
      'Privatelastname',
      address.streetNumberAndNameDetails,
    ])
      expect(text.includes(secret), secret).toBe(false);
  });

  test('an export never writes into a folder with files, unless it is told to overwrite them', async () => {
    const testApp = await riverCupsShop();
    const folder = emptyFolder();
    writeFileSync(join(folder, 'shop.json'), 'mine');
    writeFileSync(join(folder, 'notes.txt'), 'mine, too');
    const refused = await shopCommand(testApp, ['export', folder]);
    expect(refused).toEqual({
      code: 1,
      printed: `${folder} is not empty. Choose another folder, or add --overwrite to replace the files in it.`,
    });
    expect(contentOf(folder)['shop.json']).toBe('mine');
    await succeed(testApp, ['export', folder, '--overwrite']);
    expect(JSON.parse(contentOf(folder)['shop.json'] ?? '')).toHaveProperty('products');
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine, too');
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });

  test('an image whose original is missing and videos are named, and the rest is exported', async () => {
    const testApp = await riverCupsShop();
    const blocks = [
      {
        id: 'film',
        type: 'video',
        provider: 'file',
        src: 'kiln.mp4',
        title: { en: 'Kiln' },
        poster: null,
        caption: { en: '' },
        captions: [],
      },
    ];
    await testApp.services.content.upsertPages([
      { name: 'film', title: { en: 'Film' }, metaDescription: { en: '' }, blocks },
    ]);
    rmSync(join(testApp.dataDir, 'media/originals/glaze-test.jpg'));
    const folder = emptyFolder();
    const { code, printed } = await shopCommand(testApp, ['export', folder]);
    expect(code).toBe(1);
    expect(printed).toContain('glaze-test.jpg was not exported: its original file is missing.');
    expect(printed).toContain('Copy these to media/films in the other data folder: kiln.mp4.');
    expect(readdirSync(folder)).toContain('shop.json');
  });

  test('an export of rows that an earlier version accepted names what has to be fixed', async () => {
    const testApp = await riverCupsShop();
    const [store] = await testApp.services.stores.all();
    if (!store) throw new Error('River Cups has no store');
    await testApp.db.transaction(async (trx) => {
      await trx.updateTable('stores').set({ time_zone: 'Guelph' }).where('id', '=', store.id).execute();
      await bumpCatalogueVersion(trx);
    });
    const { code, printed } = await shopCommand(testApp, ['export', emptyFolder()]);
    expect(code).toBe(1);
    expect(printed).toContain(
      '`fill` rejects this export until you fix:\n  store main-street: /timeZone must be an IANA time zone',
    );
  });

  test('an export leaves out what an earlier version kept of a product and the file no longer has', async () => {
    const testApp = await riverCupsShop();
    const before = emptyFolder();
    await succeed(testApp, ['export', before]);
    await testApp.db.transaction(async (trx) => {
      await trx
        .updateTable('products')
        .set({ details: JSON.stringify({ shelfLife: 'long' }) })
        .execute();
      await bumpCatalogueVersion(trx);
    });
    const after = emptyFolder();
    await succeed(testApp, ['export', after]);
    const productsIn = (folder: string) => JSON.parse(contentOf(folder)['shop.json'] ?? '').products;
    expect(productsIn(after)).toEqual(
      productsIn(before).map((product: object) => ({ ...product, details: {} })),
    );
  });

  test.each([
    [[], "Missing required argument 'target'. Usage: npm run shop -- export [options] <target>"],
    [['a', 'b'], "Too many arguments for 'export'. Expected 1 argument but got 2: a, b."],
    [['a', '--force'], "Unknown option '--force'"],
    [['/dev/null/nowhere'], 'Could not write to /dev/null/nowhere'],
  ])('the export arguments %j are rejected with a hint how to fix them', async (args, words) => {
    const testApp = await createTestApp({ engine: 'sqlite' });
    const { code, printed } = await shopCommand(testApp, ['export', ...args]);
    expect([code, printed]).toEqual([1, expect.stringContaining(words)]);
  });
});
