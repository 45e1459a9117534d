import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { staffBase } from '#contract/limits.ts';
import type { GoodsFilter } from '#contract/staff/goods.ts';
import { exportTicketMs } from '#contract/staff/imports.ts';
import { type Entry, zipOf } from '#server/platform/zip.ts';
import { register } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { unzipShop } from './zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-exports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The cells of CSV by its columns, as a spreadsheet reads them. */
function rowsOf(text: string): Record<string, string>[] {
  const cells = [...text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/g)];
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\n') lines.push([]);
  }
  const [header = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])));
}

async function load(testApp: TestApp, as: Shopper, ticket: string) {
  const answer = await testApp.app.inject({
    url: `${staffBase}exports/file?ticket=${ticket}`,
    headers: { cookie: as.header },
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    rows: answer.statusCode === 200 ? rowsOf(answer.body) : [],
  };
}

async function goods(
  testApp: TestApp,
  as: Shopper,
  table: 'products' | 'stock',
  form: string,
  filter: GoodsFilter,
) {
  const { status, body } = await askStaff(testApp, 'exportGoods', { as, body: { table, form, filter } });
  expect(status).toBe(200);
  return load(testApp, as, body.ticket);
}

forEachEngine((engine) => {
  describe('exporting tables', () => {
    test('products and stock of a filter are in the file, and nothing in it is a formula', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const id = 'evil';
      await sellProduct(testApp, 'EVIL', { name: { en: '=HYPERLINK("https://evil.example")', zh: '+1' } });
      const as = await joinStaff(testApp, 'owner@example.com');
      const all = await goods(testApp, as, 'products', 'shopify', {});
      expect(all.headers['content-disposition']).toMatch(/^attachment; filename="products-2026-05-16\.csv"$/);
      const handles = new Set(all.rows.map((row) => row.Handle));
      expect(handles.size).toBe((await askStaff(testApp, 'goods', { as })).body.count);
      expect(all.rows.filter((row) => row.Handle === id)[0]?.Title).toBe(
        '\'=HYPERLINK("https://evil.example")',
      );
      const own = await goods(testApp, as, 'products', 'own', { text: id });
      const policies = async (oversell: boolean) => {
        await sellProduct(testApp, 'EVIL', { skus: [{ sku: 'EVIL', options: {}, oversell, stock: {} }] });
        const { rows } = await goods(testApp, as, 'products', 'shopify', { text: id });
        return rows.map((row) => row['Variant Inventory Policy']);
      };
      expect([await policies(true), await policies(false)]).toEqual([['continue'], ['deny']]);
      expect(own.rows.map((row) => [row.Handle, row['Name (zh)']])).toContainEqual([id, "'+1"]);
      const written = [...all.rows, ...own.rows].flatMap((row) => Object.values(row));
      expect(written.filter((cell) => /^[=+@\t\r]|^-(?!\d)/.test(cell))).toEqual([]);
      const some = await askStaff(testApp, 'goods', { as, query: { stock: 'none' } });
      const stock = await goods(testApp, as, 'stock', 'own', { stock: 'none' });
      expect(new Set(stock.rows.map((row) => row.Handle)).size).toBe(some.body.count);
    });

    test('customers and orders are for whoever has shown the second factor, and a ticket is for its owner alone', {
      timeout: 120_000,
    }, async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const as = await joinStaff(testApp, 'owner@example.com');
      const ask = (table: string) => askStaff(testApp, 'exportPeople', { as, body: { table } });
      expect((await ask('customers')).status).toBe(403);
      await secureStaff(testApp, as);
      await register(testApp, { email: 'ada@example.com', firstName: 'Ada' });
      const { ticket } = (await ask('customers')).body;
      const { rows } = await load(testApp, as, ticket);
      expect(rows.find((row) => row.Email === 'ada@example.com')).toMatchObject({
        'First Name': 'Ada',
        'Total Orders': '0',
      });
      const orders = await load(testApp, as, (await ask('orders')).body.ticket);
      const { body } = await askStaff(testApp, 'orders', { as });
      expect(orders.rows.map((row) => row.Name)).toContain(body.orders[0]?.number);

      const other = await joinStaff(testApp, 'other@example.com');
      expect((await load(testApp, other, ticket)).status).toBe(404);
      expect((await load(testApp, as, `${ticket.slice(0, -2)}AA`)).status).toBe(404);
      testApp.clock.advance(exportTicketMs + 1);
      expect((await load(testApp, as, ticket)).status).toBe(404);
      const left = (await ask('customers')).body.ticket;
      await testApp.db.transaction((trx) =>
        trx.updateTable('staff').set({ role: 'packer' }).where('email', '=', 'owner@example.com').execute(),
      );
      // Its owner may not have the file any more.
      expect((await load(testApp, as, left)).status).toBe(404);
      const manager = await joinStaff(testApp, 'manager@example.com', 'manager');
      await secureStaff(testApp, manager);
      expect((await askStaff(testApp, 'exportShop', { as: manager })).status).toBe(403);
    });
  });
});

async function archiveOf(entries: readonly Entry[]): Promise<string> {
  const path = join(folder, `${readdirSync(folder).length}.zip`);
  async function* each() {
    yield* entries;
  }
  await pipeline(await zipOf(each(), Date.UTC(2026, 0, 1)), createWriteStream(path));
  return path;
}

const shop: Entry = { name: 'shop.json', pieces: ['{}'] };
let unpacked = 0;
const unzip = (path: string) => unzipShop(path, join(folder, `unpacked-${unpacked++}`));

describe('an archive that is given to fill', () => {
  test('an archive that is larger than it says, names a file twice, or has no shop is refused', async () => {
    await expect(unzip(await archiveOf([shop, { ...shop }]))).rejects.toThrow(/shop\.json twice/);
    await expect(unzip(await archiveOf([{ name: 'other.json', pieces: ['{}'] }]))).rejects.toThrow(
      /no shop\.json/,
    );
    const bomb = {
      name: 'pictures/a.jpg',
      pieces: Array.from({ length: 26 }, () => Buffer.alloc(1_000_000)),
    };
    await expect(unzip(await archiveOf([shop, bomb]))).rejects.toThrow(/a\.jpg in the archive is larger/);
    const liar = await archiveOf([{ name: 'shop.json', pieces: ['x'.repeat(1000)] }]);
    const bytes = readFileSync(liar);
    // In the central directory.
    bytes.writeUInt32LE(10, bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24);
    writeFileSync(liar, bytes);
    await expect(unzip(liar)).rejects.toThrow(/cannot be read/);
    writeFileSync(liar, 'no archive');
    await expect(unzip(liar)).rejects.toThrow(/cannot be read/);
  });

  test('only the files of a shop are unpacked, and none of them outside of the folder', async () => {
    const path = await archiveOf([
      shop,
      { name: 'pictures/xx/xx/evil.jpg', pieces: ['x'] },
      { name: 'pictures/a.jpg', pieces: ['x'] },
    ]);
    const bytes = readFileSync(path, 'latin1').replaceAll(
      'pictures/xx/xx/evil.jpg',
      'pictures/../../evil.jpg',
    );
    writeFileSync(path, bytes, 'latin1');
    await expect(unzip(path)).rejects.toThrow(/cannot be read/);
    expect(existsSync(join(folder, 'evil.jpg'))).toBe(false);
    const kept = await unzip(
      await archiveOf([
        { name: 'readme.txt', pieces: ['x'] },
        { name: 'pictures/a.jpg', pieces: ['x'] },
        shop,
      ]),
    );
    expect(kept.files).toEqual(['shop.json', 'a.jpg']);
  });

  test('an archive ends with an error if one of its files does', async () => {
    async function* broken() {
      yield shop;
      yield {
        name: 'tables/a.csv',
        pieces: Readable.from(['x']).map(() => Promise.reject(new Error('gone'))),
      };
    }
    await expect(
      pipeline(await zipOf(broken(), Date.UTC(2026, 0, 1)), createWriteStream(join(folder, 'broken'))),
    ).rejects.toThrow(/gone/);
  });
});
