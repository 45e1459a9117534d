/** Reading files of every vintage, and what spreadsheets do to them. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvText, samples, shopifyCsv, shopifyTable, vintages, wooCsv } from '#tests/sheets.ts';
import { xlsxOf } from '#tests/workbook.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import type { FoundProduct } from './found-product.ts';
import { mappingOf, productsScore, recognised, shopifyScore } from './import-kinds.ts';
import { type ImportKind, numberIn } from './kind.ts';
import { productFieldOf, productFields, readProductRows } from './product-rows.ts';
import { readWoo, wooFieldOf, wooFields, wooScore } from './woocommerce.ts';

const kind = (id: string, parts: object) => ({ id, ...parts }) as unknown as ImportKind<FoundProduct>;
const rows = { fields: productFields, fieldOf: productFieldOf, read: readProductRows };
const kinds = [
  kind('shopify', { ...rows, score: shopifyScore }),
  kind('woocommerce', { fields: wooFields, fieldOf: wooFieldOf, read: readWoo, score: wooScore }),
  kind('products', { ...rows, score: productsScore }),
];

async function sheetOf(content: string | Buffer) {
  const path = join(await mkdtemp(join(tmpdir(), 'sheet-')), 'file');
  await writeFile(path, content);
  return readSheet(path);
}

async function read(content: string | Buffer) {
  const sheet = await sheetOf(content);
  const found = recognised(kinds, sheet.columns) as ImportKind<FoundProduct>;
  const entries = [...found.read(sheet, mappingOf(found, sheet.columns), 'CAD')].filter((entry) => entry !== null);
  return { kind: found.id, sheet, entries, products: entries.map(({ content: product }) => product) };
}

const keysOf = (entries: Awaited<ReturnType<typeof read>>['entries']) =>
  entries.flatMap(({ problems }) => problems.map(({ key }) => key));

it('a row far wider than its header is refused as a wide header is, before the rest is read', async () => {
  const wide = `name,price,sku\n${','.repeat(900_000)}\n`.repeat(3);
  await expect(sheetOf(wide)).rejects.toMatchObject({ problems: [{ key: 'problem.sheet.columns' }] });
});

describe('exports of other shops', () => {
  it.each(vintages)('a Shopify file of %s is recognised and read whole', async (vintage) => {
    const { kind: id, products, entries } = await read(shopifyCsv(vintage, samples));
    expect(id).toBe('shopify');
    expect(keysOf(entries)).toEqual([]);
    const [teapot, sencha, whisk] = products;
    expect(teapot).toMatchObject({
      ...{ id: 'harbour-teapot', title: 'Harbour teapot', vendor: 'North Kiln', type: 'Teapots', tags: ['stoneware', 'gift'] },
      ...{ options: ['Glaze', 'Size'], description: { html: '<p>Holds <strong>900 ml</strong>.</p>' }, status: 'active' },
    });
    expect(teapot?.variants).toMatchObject([
      { values: ['Fog', 'Small'], sku: 'HT - Fog / S', priceCents: 4800, gtin: '4006381333931', grams: 680, counted: true },
      { values: ['Fog', 'Large'], priceCents: 6400, compareAtCents: 7000, oversell: true },
      { values: ['Moss, dark', 'Small'], sku: 'HT - Moss / S' },
    ]);
    expect(teapot?.variants.map(({ units }) => units)).toEqual(
      vintage === '2026' ? [undefined, undefined, undefined] : [4, 0, 2],
    );
    expect(teapot?.pictures?.map(({ address, alt }) => [address, alt])).toEqual([
      ['https://pictures.example/teapot.jpg?v=1', 'A teapot on a table'],
      ['https://pictures.example/moss.jpg', ''],
    ]);
    expect(sencha).toMatchObject({
      title: 'Spring "first flush" sencha',
      options: [],
      description: { paragraphs: ['Picked in April.'] },
    });
    expect(sencha?.variants).toMatchObject([{ sku: '030955168517', priceCents: 1850, counted: false }]);
    expect(whisk).toMatchObject({ status: 'draft', variants: [{ priceCents: 0 }] });
  });

  it('a workbook is read as the CSV of the same table, whatever its cells are', async () => {
    const table = shopifyTable('2026', samples);
    const [book, text] = [await read(await xlsxOf(table)), await read(csvText(table))];
    expect(book.sheet.about).toMatchObject({ format: 'xlsx' });
    expect([book.kind, book.entries]).toEqual([text.kind, text.entries]);
  });

  it('a WooCommerce file is read with its variations, whichever way they name their parent', async () => {
    const { kind: id, products, entries } = await read(wooCsv(samples));
    expect(id).toBe('woocommerce');
    expect(keysOf(entries)).toEqual([]);
    expect(products).toMatchObject([
      {
        ...{ id: 'harbour-teapot', options: ['Glaze', 'Size'], category: ['Home & Garden', 'Kitchen', 'Teapots'] },
        variants: [
          { values: ['Fog', 'Small'], sku: 'HT - Fog / S', priceCents: 4800, compareAtCents: null, grams: 680, units: 4 },
          { values: ['Fog', 'Large'], priceCents: 6400, compareAtCents: 7000, oversell: true },
          { values: ['Moss, dark', 'Small'] },
        ],
      },
      { id: 'spring-first-flush-sencha', variants: [{ priceCents: 1850, counted: false }] },
      { status: 'draft' },
    ]);
  });

  it('any spreadsheet with names and prices is read, also with Chinese columns', async () => {
    const { kind: id, products } = await read('名称;价格;库存;品牌\n茶壶;48,50;3;北窑\n');
    expect(id).toBe('products');
    expect(products).toMatchObject([{ title: '茶壶', vendor: '北窑', variants: [{ priceCents: 4850, units: 3 }] }]);
    expect(products[0]?.id).toMatch(/^[a-z0-9][a-z0-9-]*$/);
  });
});

describe('wounds of spreadsheets', () => {
  const table = shopifyTable('2021', samples);
  const [header = []] = table;
  const changed = (line: number, column: string, value: string) =>
    table.map((row, at) => (at === line - 1 ? row.with(header.indexOf(column), value) : row));

  it.each([
    ['utf-8', Buffer.from(csvText(table))],
    ['utf-8', Buffer.from(`\ufeff${csvText(table).replaceAll('\n', '\r\n')}`)],
    ['utf-16le', Buffer.from(`\ufeff${csvText(table, '\t')}`, 'utf16le')],
    ['windows-1252', Buffer.from(csvText(changed(2, 'Title', 'Théière'), ';'), 'latin1')],
    ['utf-8', Buffer.from(`sep=;\r\n${csvText(table, ';')}`)],
  ] as const)('a file in %s, with its own delimiter and line ends, is read the same (%#)', async (encoding, bytes) => {
    const { sheet, products } = await read(bytes);
    expect(sheet.about.encoding).toBe(encoding);
    expect(products.map(({ variants }) => variants.length)).toEqual([3, 1, 1]);
    if (encoding === 'windows-1252') expect(products[0]?.title).toBe('Théière');
  });

  it('padded headers and cells, other capitals and rows that are apart are read the same', async () => {
    const padded = table.map((row, at) => row.map((cell) => (at === 0 ? ` ${cell.toUpperCase()}  ` : `  ${cell} `)));
    const [first, ...rest] = padded;
    const apart = [first ?? [], ...rest.filter((_, at) => at !== 1), rest[1] ?? []];
    const { kind: id, products, entries } = await read(csvText(apart));
    expect([id, keysOf(entries)]).toEqual(['shopify', []]);
    expect(products[0]?.variants.map(({ values }) => values[1])).toEqual(['Small', 'Small', 'Large']);
  });

  it.each([
    ['Variant Barcode', '3.65275E+11', 'problem.sheet.scientific', undefined],
    ['Variant Barcode', '30955168517', 'problem.sheet.zeros', '030955168517'],
    ['Variant Barcode', '12345', 'problem.sheet.gtin', undefined],
    ['Variant Price', 'free', 'problem.sheet.number', '4006381333931'],
    ['Variant Inventory Qty', '-3', 'problem.sheet.negative', '4006381333931'],
  ])('%s %s is named by row and column: %s', async (column, value, key, gtin) => {
    const { entries, products } = await read(csvText(changed(2, column, value)));
    expect(entries[0]?.problems).toMatchObject([{ key, path: ['rows', '2', column] }]);
    expect(products[0]?.variants[0]?.gtin).toBe(gtin);
  });

  it('cells that are shifted by a column are named, and the product is not taken', async () => {
    const shifted = table.map((row, at) => (at === 2 ? [...row.slice(0, 14), '', ...row.slice(14)] : row));
    const { entries } = await read(csvText(shifted));
    expect(keysOf(entries)).toContain('problem.sheet.shifted');
  });

  it('amounts are read as people write them', () => {
    const cases: [string, string, number | null][] = [
      ...[
        ['12.50', ','],
        ['12,50', ';'],
        ['$ 12.50', ','],
        ['12,5', ','],
      ].map(([text = '', sign = '']) => [text, sign, 12.5] as [string, string, number]),
      ...[
        ['1,234', ','],
        ['1.234', ';'],
        ['1 234', ','],
      ].map(([text = '', sign = '']) => [text, sign, 1234] as [string, string, number]),
      ['1.234,50', ';', 1234.5],
      ['1,234.50', ',', 1234.5],
      ['750000', ',', 750000],
      ['1.2.3', ',', null],
      ['-', ',', null],
      ['abc', ',', null],
    ];
    for (const [text, sign, number] of cases) expect(numberIn(text, sign), text).toBe(number);
  });

  it.each(['', '\n\n,,\n', 'PK\u0003\u0004 not a workbook'])('a file that is no spreadsheet is refused: %j', async (content) => {
    await expect(sheetOf(content)).rejects.toThrow('problem.sheet');
  });
});
