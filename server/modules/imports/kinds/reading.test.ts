/** Reading files of every vintage, and what spreadsheets do to them. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvText, samples, shopifyCsv, shopifyTable, vintages, wooCsv } from '#tests/sheets.ts';
import { xlsxOf } from '#tests/workbook.ts';
import { readSheet, type Sheet } from '../sheet/read-sheet.ts';
import { readSheetFile } from '../sheet/sheet-file.ts';
import { feedFieldOf, feedFields, feedScore, readFeed } from './feeds.ts';
import { descriptionIn, type FoundProduct, plainText } from './found-product.ts';
import { mappingOf, productsScore, recognised, refusedFile, shopifyScore } from './import-kinds.ts';
import { type ImportKind, nothingKnown, numberIn } from './kind.ts';
import { productFields, readProductRows, rowFieldOf } from './product-rows.ts';
import { readWix, wixFieldOf, wixFields, wixScore } from './wix.ts';
import { wooFieldOf, wooFields, wooScore } from './woo-columns.ts';
import { readWoo } from './woocommerce.ts';

const kind = (id: string, parts: object) => ({ id, ...parts }) as unknown as ImportKind<FoundProduct>;
const rows = { fields: productFields, fieldOf: rowFieldOf, read: readProductRows };
const kinds = [
  kind('shopify', { ...rows, score: shopifyScore }),
  kind('woocommerce', { fields: wooFields, fieldOf: wooFieldOf, read: readWoo, score: wooScore }),
  kind('wix', { fields: wixFields, fieldOf: wixFieldOf, read: readWix, score: wixScore }),
  kind('feed', { fields: feedFields, fieldOf: feedFieldOf, read: readFeed, score: feedScore }),
  kind('products', { ...rows, score: productsScore }),
];

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'sheet-')), 'file');
  await writeFile(path, content);
  return path;
}

/** As the import reads it, but in this thread: to start one for each small file takes a third of a second. */
async function sheetOf(content: string | Buffer): Promise<Sheet> {
  const path = await fileOf(content);
  const sheet: Sheet = { about: { format: 'csv', encoding: 'utf-8', delimiter: ',' }, columns: [], rows: [] };
  await readSheetFile({ path, encoding: null }, (message) => {
    if ('columns' in message) Object.assign(sheet, message);
    else if ('rows' in message) sheet.rows.push(...message.rows);
  });
  return sheet;
}

async function read(content: string | Buffer) {
  const sheet = await sheetOf(content);
  const found = recognised(kinds, sheet.columns) as ImportKind<FoundProduct>;
  const entries = [
    ...found.read(
      sheet,
      mappingOf(found, sheet.columns),
      { currency: 'CAD', now: 0, timeZone: 'UTC' },
      nothingKnown,
    ),
  ].filter((entry) => entry !== null);
  return { kind: found.id, sheet, entries, products: entries.map(({ content: product }) => product) };
}

const keysOf = (entries: Awaited<ReturnType<typeof read>>['entries']) =>
  entries.flatMap(({ problems }) => problems.map(({ key }) => key));

it('a feed whose tags are nested endlessly is refused within a second, as an export of WordPress that is', async () => {
  const nested = '<g:a>'.repeat(80_000) + '</g:b>'.repeat(80_000);
  const from = performance.now();
  for (const [head, problem] of [
    ['<rss><channel><item>', 'problem.sheet.xml'],
    ['<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>', 'problem.sheet.wxrForm'],
  ])
    await expect(sheetOf(`<?xml version="1.0"?>${head}${nested}`)).rejects.toMatchObject({ problem });
  expect(performance.now() - from).toBeLessThan(1500);
});

it('a description that repeats the name of its picture is read in the time of its length', () => {
  const from = performance.now();
  expect(descriptionIn(`<b>Tea</b><img${' data-file="a.jpg'.repeat(100_000)}`)).toMatchObject({
    html: expect.stringContaining('Tea'),
  });
  expect(plainText('<b>'.repeat(30_000) + '</i>'.repeat(30_000))).toBe('');
  expect(performance.now() - from).toBeLessThan(1500);
});

it('a row far wider than its header is refused as a wide header is, before the rest is read', async () => {
  const wide = `name,price,sku\n${','.repeat(900_000)}\n`.repeat(3);
  await expect(readSheet(await fileOf(wide))).rejects.toMatchObject({
    problems: [{ key: 'problem.sheet.columns' }],
  });
});

describe('exports of other shops', () => {
  it.each(vintages)('a Shopify file of %s is recognised and read whole', async (vintage) => {
    const { kind: id, products, entries } = await read(shopifyCsv(vintage, samples));
    expect(id).toBe('shopify');
    expect(keysOf(entries)).toEqual([]);
    const [teapot, sencha, whisk] = products;
    expect(teapot).toMatchObject({
      id: 'harbour-teapot',
      title: 'Harbour teapot',
      vendor: 'North Kiln',
      type: 'Teapots',
      tags: ['stoneware', 'gift'],
      options: ['Glaze', 'Size'],
      description: { html: '<p>Holds <strong>900 ml</strong>.</p>' },
      status: 'active',
    });
    expect(teapot?.variants).toMatchObject([
      {
        values: ['Fog', 'Small'],
        sku: 'HT - Fog / S',
        priceCents: 4800,
        gtin: '4006381333931',
        grams: 680,
        counted: true,
      },
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
        id: 'harbour-teapot',
        options: ['Glaze', 'Size'],
        category: ['Home & Garden', 'Kitchen', 'Teapots'],
        variants: [
          {
            values: ['Fog', 'Small'],
            sku: 'HT - Fog / S',
            priceCents: 4800,
            compareAtCents: null,
            grams: 680,
            units: 4,
          },
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
    expect(products).toMatchObject([
      { title: '茶壶', vendor: '北窑', variants: [{ priceCents: 4850, units: 3 }] },
    ]);
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
  ] as const)(
    'a file in %s, with its own delimiter and line ends, is read the same (%#)',
    async (encoding, bytes) => {
      const { sheet, products } = await read(bytes);
      expect(sheet.about.encoding).toBe(encoding);
      expect(products.map(({ variants }) => variants.length)).toEqual([3, 1, 1]);
      if (encoding === 'windows-1252') expect(products[0]?.title).toBe('Théière');
    },
  );

  it('padded headers and cells, other capitals and rows that are apart are read the same', async () => {
    const padded = table.map((row, at) =>
      row.map((cell) => (at === 0 ? ` ${cell.toUpperCase()}  ` : `  ${cell} `)),
    );
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

  it.each(['', '\n\n,,\n', 'PK\u0003\u0004 not a workbook'])(
    'a file that is no spreadsheet is refused: %j',
    async (content) => {
      await expect(sheetOf(content)).rejects.toThrow('problem.sheet');
    },
  );
});

describe('what WooCommerce means', () => {
  const header = [
    'ID',
    'Type',
    'SKU',
    'Name',
    'Published',
    'Visibility in catalog',
    'Description',
    'Date sale price starts',
    'Date sale price ends',
    'Tax status',
    'In stock?',
    'Stock',
    'Sale price',
    'Regular price',
    'Categories',
    'Parent',
    ...[1, 2].flatMap((n) => [`Attribute ${n} name`, `Attribute ${n} value(s)`]),
    'Meta: _yoast_wpseo_title',
    'Meta: _yoast_wpseo_metadesc',
  ];
  const woo = (...rows: Record<string, string>[]) =>
    csvText([
      header,
      ...rows.map((row) =>
        header.map((column) => ({ Published: '1', 'In stock?': '1', ...row })[column] ?? ''),
      ),
    ]);
  const now = Date.parse('2026-06-15T12:00:00Z');
  const readAt = async (content: string) => {
    const sheet = await sheetOf(content);
    const found = recognised(kinds, sheet.columns) as ImportKind<FoundProduct>;
    expect(found.id).toBe('woocommerce');
    const reading = { currency: 'CAD', now, timeZone: 'UTC' };
    return [...found.read(sheet, mappingOf(found, sheet.columns), reading, nothingKnown)].flatMap(
      (entry) => entry ?? [],
    );
  };
  const onlyOne = async (row: Record<string, string>) => {
    const [entry] = await readAt(
      woo({ ID: '1', Type: 'simple', SKU: 'S', Name: 'Jar', 'Regular price': '40', ...row }),
    );
    if (!entry) throw new Error('No entry');
    return { ...entry, variant: entry.content.variants[0] };
  };

  it('an attribute that no variation names describes the product, and multiplies neither variants nor stock', async () => {
    const parent = {
      Type: 'variable',
      SKU: 'AP',
      Name: 'Apron',
      'Attribute 1 name': 'Size',
      'Attribute 1 value(s)': 'S, M',
    };
    const made = { 'Attribute 2 name': 'Material', 'Attribute 2 value(s)': 'Hemp, Cotton' };
    const child = (size: string, units: string) => ({
      Type: 'variation',
      SKU: `AP-${size}`,
      Name: 'Apron',
      'Regular price': '20',
      Parent: 'AP',
      Stock: units,
      'Attribute 1 name': 'Size',
      'Attribute 1 value(s)': size,
    });
    const [entry] = await readAt(woo({ ...parent, ...made }, child('S', '5'), child('M', '7')));
    expect(entry?.content).toMatchObject({ options: ['Size'], facts: { materials: 'Hemp, Cotton' } });
    expect(entry?.content.variants.map(({ values, units }) => [values, units])).toEqual([
      [['S'], 5],
      [['M'], 7],
    ]);
  });

  it('a variation for any value, and stock that variations share, count no unit twice', async () => {
    const parent = {
      Type: 'variable',
      SKU: 'CA',
      Name: 'Cap',
      Stock: '7',
      'Attribute 1 name': 'Size',
      'Attribute 1 value(s)': 'S, M, L',
    };
    const any = {
      Type: 'variation',
      SKU: 'CA-1',
      'Regular price': '20',
      Parent: 'CA',
      Stock: '5',
      'Attribute 1 name': 'Size',
    };
    const [one] = await readAt(woo(parent, any));
    expect(one?.content.variants.map(({ values, units }) => [values, units])).toEqual([
      [['S'], 2],
      [['M'], 2],
      [['L'], 1],
    ]);
    const sharing = (size: string) => ({
      ...any,
      SKU: `CA-${size}`,
      Stock: 'parent',
      'Attribute 1 value(s)': size,
    });
    const [two] = await readAt(woo(parent, sharing('S'), sharing('M')));
    expect(two?.content.variants.map(({ units, counted }) => [units, counted])).toEqual([
      [4, true],
      [3, true],
    ]);
    expect(two?.problems.map(({ key }) => key)).toEqual(['problem.sheet.lost.sharedStock']);
  });

  it('a row that is not in stock and has no number is sold out; one that is in stock and has none is not counted', async () => {
    expect((await onlyOne({ 'In stock?': '0' })).variant).toMatchObject({ counted: true, units: 0 });
    expect((await onlyOne({ 'In stock?': '1' })).variant).toMatchObject({ counted: false });
    expect((await onlyOne({ 'In stock?': '1', Stock: '3' })).variant).toMatchObject({
      counted: true,
      units: 3,
    });
  });

  it('stock that is no number is one problem of its row', async () => {
    expect(keysOf([await onlyOne({ Stock: 'plenty' })])).toEqual(['problem.sheet.number']);
  });

  it.each([
    ['2026-05-01', '2026-05-31', 4000, null, 'problem.sheet.lost.saleOver'],
    ['2026-07-01', '', 4000, null, 'problem.sheet.lost.saleToCome'],
    ['', '2026-06-15', 1000, 4000, 'problem.sheet.lost.saleEnd'],
    ['2026-06-01 00:00:00', '2026-06-15 09:00:00', 4000, null, 'problem.sheet.lost.saleOver'],
    ['', '', 1000, 4000, undefined],
    ['2026-06-01', 'end of June', 4000, null, 'problem.sheet.time'],
    ['1 Juin', '', 4000, null, 'problem.sheet.time'],
  ])('a sale from “%s” to “%s” makes the price %i', async (starts, ends, priceCents, compareAtCents, key) => {
    const { variant, problems } = await onlyOne({
      'Sale price': '10',
      'Date sale price starts': starts,
      'Date sale price ends': ends,
    });
    expect(variant).toMatchObject({ priceCents, compareAtCents });
    expect(problems.map((each) => each.key)).toEqual(key === undefined ? [] : [key]);
  });

  it('an ended sale is no price where there is no other', async () => {
    const { variant } = await onlyOne({
      'Regular price': '',
      'Sale price': '10',
      'Date sale price ends': '2026-01-01',
    });
    expect(variant).not.toHaveProperty('priceCents');
  });

  it('products of one name stay apart, a hidden one is a draft, and a gift card or a bundle is refused', async () => {
    const entries = await readAt(
      woo(
        { ID: '7', Type: 'simple', SKU: 'LID-A', Name: 'Lid', 'Regular price': '3' },
        {
          ID: '8',
          Type: 'simple',
          SKU: '',
          Name: 'Lid',
          'Regular price': '4',
          'Visibility in catalog': 'hidden',
        },
        { ID: '9', Type: 'pw-gift-card', Name: 'Voucher', 'Regular price': '5' },
        { ID: '10', Type: 'bundle', Name: 'Set', 'Regular price': '6' },
      ),
    );
    expect(entries.map(({ subject }) => subject)).toEqual(['lid', 'lid-8', 'voucher', 'set']);
    expect(entries.map(({ content }) => content.status)).toEqual(['active', 'draft', 'active', 'active']);
    expect(keysOf(entries)).toEqual([
      'problem.sheet.lost.hidden',
      'problem.sheet.giftCard',
      'problem.sheet.kindOfProduct',
    ]);
  });

  it('line breaks, shortcodes and comments of blocks become what the editor shows', async () => {
    const text = String.raw`<!-- wp:paragraph -->First <b>line</b>\n\nSecond line\nand more [gallery ids="1,2"]\n\n[vc_row][vc_column width="1/2"]<ul><li>One [new]</li></ul>[/vc_column][/vc_row] C:\\new`;
    const { content } = await onlyOne({ Description: text });
    expect(content.description).toEqual({
      html: expect.stringMatching(
        /^<p>First <(?:b|strong)>line<\/(?:b|strong)><\/p>\n<p>Second line<br \/>and more ?<\/p>\n<ul><li>One \[new\]<\/li><\/ul> C:\\new$/,
      ),
    });
    const plain = await onlyOne({ Description: String.raw`First line\n\nSecond line` });
    expect(plain.content.description).toEqual({ paragraphs: ['First line', 'Second line'] });
  });

  it('search texts, further categories and what is not taxed are kept or said', async () => {
    const { content, problems } = await onlyOne({
      'Meta: _yoast_wpseo_title': 'A jar',
      'Meta: _yoast_wpseo_metadesc': '%%title%% %%sep%%',
      Categories: 'Home, Home > Kitchen, Gifts',
      'Tax status': 'none',
    });
    expect(content).toMatchObject({ seoTitle: 'A jar', category: ['Home', 'Kitchen'], untaxed: true });
    expect(content).not.toHaveProperty('seoDescription');
    expect(problems.map(({ key }) => key)).toEqual(['problem.sheet.lost.categories']);
  });

  it('exports without ids and in other languages are known by their columns', async () => {
    const texts = [
      'Type,SKU,Name,Published,In stock?,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
      'ID,Typ,Artikelnummer,Name,Veröffentlicht,Vorrätig?,Regulärer Preis,Übergeordnetes Produkt,Attribut 1 Name,Attribut 1 Wert(e)',
      'ID,Type,UGS,Nom,Publié,En stock ?,Tarif régulier,Parent,Nom de l’attribut 1,Valeur(s) de l’attribut 1 ',
      'ID,,UGS,Nom,Publié,En stock ?,Tarif régulier,Parent,Nom de l’attribut 1,Valeur(s) de l’attribut 1 ',
      'ID,Tipo,SKU,Nombre,Publicado,¿Existencias?,Precio normal,Superior,Nombre del atributo 1,Valor(es) del atributo 1',
      'ID,Tipo,SKU,Nome,Publicado,Em estoque?,Preço,Ascendente,Nome do atributo 1,Valores do atributo 1',
      'Type,Artikelnummer,Naam,Gepubliceerd,Op voorraad?,Reguliere prijs,Hoofd,Naam eigenschap 1,Waarde eigenschap 1',
      'ID,Typ,SKU,Nazwa,Opublikowano,W magazynie?,Cena,Element nadrzędny,Nazwa atrybutu 1,Wartości atrybutu 1',
      'ID,Тип,Артикул,Имя,Опубликован,В наличии?,Базовая цена,Родительский,Attribute 1 name,Attribute 1 value(s)',
      'ID,类型,SKU,名称,已发布,有货？,常规售价,父级,属性 1 名称,属性 1 值',
    ];
    for (const heading of texts) {
      const id = heading.startsWith('ID,') ? ',' : '';
      const rows = [
        `${id}variable,T-1,Tee,1,1,,,Size,"S, M"`,
        `${id}variation,T-1-S,Tee,1,1,20,T-1,Size,S`,
        `${id}variation,T-1-M,Tee,1,1,20,T-1,Size,M`,
      ];
      const entries = await readAt(`${[heading, ...rows].join('\n')}\n`);
      expect(entries, heading).toMatchObject([
        {
          subject: 'tee',
          problems: [],
          content: { options: ['Size'], variants: [{ values: ['S'], priceCents: 2000 }, { values: ['M'] }] },
        },
      ]);
    }
  });
});

describe('files that no spreadsheet of today writes', () => {
  /** Bytes of texts that Node does not encode. */
  const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const lines = (...cells: [Buffer, string][]) =>
    Buffer.concat([
      Buffer.from('Name,Price\n'),
      ...cells.flatMap(([name, price]) => [name, Buffer.from(`,${price}\n`)]),
    ]);

  it.each([
    // 陶瓷茶壶, 竹茶匙
    ['gb18030', lines([bytes('CCD5 B4C9 B2E8 BAF8'), '58.00'], [bytes('D6F1 B2E8 B3D7'), '9']), '陶瓷茶壶'],
    // 茶壶 alone
    ['gb18030', lines([bytes('B2E8 BAF8'), '58.00']), '茶壶'],
    // 陶瓷茶壺
    ['big5', lines([bytes('B3B3 B2A1 AFF9 B3FD'), '58.00'], [bytes('A6CB BB73 AFF9 B0CD'), '9']), '陶瓷茶壺'],
    // 急須（きゅうす）
    ['shift_jis', lines([bytes('8B7D 907B 8169 82AB 82E3 82A4 82B7 816A'), '3000']), '急須（きゅうす）'],
    // 주전자, 녹차, 찬물
    [
      'euc-kr',
      lines([bytes('C1D6 C0FC C0DA'), '3000'], [bytes('B3EC C2F7'), '50'], [bytes('C2F9 B9B0'), '5']),
      '주전자',
    ],
    // Théière, crème
    ['macintosh', lines([bytes('54 68 8E 69 8F 72 65'), '48'], [bytes('63 72 8F 6D 65'), '5']), 'Théière'],
    [
      'windows-1252',
      lines([Buffer.from('Théière', 'latin1'), '48'], [Buffer.from('Crème brûlée', 'latin1'), '5']),
      'Théière',
    ],
    // Чайник
    [
      'windows-1251',
      lines([bytes('D7E0 E9ED E8EA'), '300'], [bytes('C7E5 EBB8 EDFB E920 F7E0 E9'), '90']),
      'Чайник',
    ],
  ])('a file in %s is read in its own characters (%#)', async (encoding, content, name) => {
    const { sheet, products } = await read(content);
    expect([sheet.about.encoding, products[0]?.title]).toEqual([encoding, name]);
  });

  it('UTF-8 stays UTF-8 with a byte of another set in it', async () => {
    const { sheet } = await read(
      Buffer.concat([
        Buffer.from(`Name,Price\n${'Théière verte,5\n'.repeat(30)}Caf`),
        bytes('E9'),
        Buffer.from(',3\n'),
      ]),
    );
    expect(sheet.about.encoding).toBe('utf-8');
  });

  it.each([
    ['problem.sheet.html', '<!DOCTYPE html>\n<html><body>Sign in</body></html>'],
    ['problem.sheet.html', '\n <html lang="en"><head></head></html>'],
    ['problem.sheet.jsonFile', '[{"sku": "A", "price": 3}]'],
    ['problem.sheet.jsonFile', '{"products": [{"sku": "A", "price"'],
    ['problem.sheet.xml', '<?xml version="1.0"?><settings><a/></settings>'],
    ['problem.sheet.oldExcel', Buffer.concat([bytes('D0CF11E0A1B11AE1'), Buffer.alloc(600)])],
    [
      'problem.sheet.oldExcel',
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>',
    ],
    ['problem.sheet.brokenBook', 'PK\u0003\u0004 xl/workbook.xml and no end'],
    ['problem.sheet.archive', 'PK\u0003\u0004 products.csv and no end'],
    ['problem.sheet.noTable', '%PDF-1.7 text'],
  ])('a file that is no table is said to be what it is: %s (%#)', async (key, content) => {
    await expect(sheetOf(content)).rejects.toMatchObject({ problem: key });
  });

  it('exports of discounts and gift cards are refused by name', () => {
    expect(refusedFile(['Name', 'Value', 'Value Type', 'Discount Class', 'Status'])).toBe(
      'problem.sheet.discountsFile',
    );
    expect(refusedFile(['Id', 'Last Characters', 'Initial Balance', 'Current Balance'])).toBe(
      'problem.sheet.giftCardsFile',
    );
    expect(refusedFile(shopifyTable('2026', samples)[0] ?? [])).toBeUndefined();
  });

  it('a feed is known as text and as XML, with its variants, amounts and sold-out items', async () => {
    const table = [
      [
        'id',
        'item_group_id',
        'title',
        'link',
        'image_link',
        'additional_image_link',
        'availability',
        'price',
        'sale_price',
        'brand',
        'color',
        'size',
      ],
      [
        'SC-R',
        'SC',
        'Wool scarf',
        'https://shop.example/scarf',
        'https://shop.example/r.jpg',
        'https://shop.example/r2.jpg',
        'in_stock',
        '40.00 CAD',
        '35.00 CAD',
        'Loom',
        'Red',
        'One size',
      ],
      [
        'SC-B',
        'SC',
        'Wool scarf',
        'https://shop.example/scarf',
        'https://shop.example/b.jpg',
        '',
        'out of stock',
        '40.00 CAD',
        '',
        'Loom',
        'Blue',
        'One size',
      ],
      [
        'PIN',
        '',
        'Felt pin',
        'https://shop.example/pin',
        'https://shop.example/p.jpg',
        '',
        'in_stock',
        '5.00 CAD',
        '',
        'Loom',
        'Red',
        '',
      ],
    ];
    const [header = [], ...rows] = table;
    const tag = (name: string, value: string) =>
      value === '' ? '' : `<g:${name}><![CDATA[${value}]]></g:${name}>`;
    const xml = `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>${rows
      .map(
        (row) =>
          `<item>${row.map((cell, at) => tag(header[at] ?? '', cell)).join('')}<g:shipping><g:price>9 CAD</g:price></g:shipping></item>`,
      )
      .join('')}</channel></rss>`;
    for (const content of [csvText(table, '\t'), xml]) {
      const { kind: id, products, entries } = await read(content);
      expect([id, keysOf(entries)]).toEqual(['feed', []]);
      expect(products).toMatchObject([
        {
          id: 'wool-scarf',
          title: 'Wool scarf',
          vendor: 'Loom',
          options: ['color'],
          variants: [
            { sku: 'SC-R', values: ['Red'], priceCents: 3500, compareAtCents: 4000, counted: false },
            { sku: 'SC-B', values: ['Blue'], priceCents: 4000, counted: true, units: 0 },
          ],
        },
        { id: 'felt-pin', options: [], variants: [{ sku: 'PIN', priceCents: 500 }] },
      ]);
      expect(products[0]?.pictures?.map(({ address }) => address.slice(-6))).toEqual([
        '/r.jpg',
        'r2.jpg',
        '/b.jpg',
      ]);
    }
  });
});

describe('sales in feeds', () => {
  it.each([
    ['1969-12-01T00:00-0500/1970-02-01T23:59-0500', 1000, 4000, 'problem.sheet.lost.saleEnd'],
    ['1969-11-01T00:00-0500/1969-12-01T00:00-0500', 4000, null, 'problem.sheet.lost.saleOver'],
    ['1970-06-01T00:00Z/1970-07-01T00:00Z', 4000, null, 'problem.sheet.lost.saleToCome'],
    ['1970-06-01T00:00Z', 4000, null, 'problem.sheet.lost.saleToCome'],
    ['1970-01-01T00:00Z to 1970-07-01T00:00Z', 4000, null, 'problem.sheet.time'],
    ['', 1000, 4000, undefined],
  ])('a sale at “%s” makes the price %i', async (times, priceCents, compareAtCents, key) => {
    const { kind: id, entries } = await read(
      csvText([
        [
          'id',
          'title',
          'image_link',
          'additional_image_link',
          'availability',
          'price',
          'sale_price',
          'sale_price_effective_date',
        ],
        [
          'JAR',
          'Jar',
          'https://a.example/1.jpg',
          'https://a.example/2.jpg;https://a.example/3.jpg',
          'in_stock',
          '40',
          '10',
          times,
        ],
      ]),
    );
    expect(id).toBe('feed');
    expect(entries[0]?.content.variants).toMatchObject([{ priceCents, compareAtCents }]);
    expect(entries[0]?.content.pictures?.map(({ address }) => address.slice(-5))).toEqual([
      '1.jpg',
      '2.jpg',
      '3.jpg',
    ]);
    expect(keysOf(entries)).toEqual(key === undefined ? [] : [key]);
  });
});

describe('amounts and images of spreadsheets', () => {
  const priced = async (prices: readonly string[], more = 'Price') => {
    const { entries, products } = await read(
      csvText([['Name', more], ...prices.map((price, at) => [`P ${at}`, price])]),
    );
    return products.map(({ variants }, at) => entries[at]?.problems[0]?.key ?? variants[0]?.priceCents);
  };

  it('a currency behind or before an amount is the shop’s, or refused', async () => {
    expect(
      await priced([
        '15.00 CAD',
        'CAD 15',
        'CA$15',
        '$15',
        '15 USD',
        'US$ 15',
        'US$15',
        '€15',
        '15,00 €',
        '￥15',
      ]),
    ).toEqual([1500, 1500, 1500, 1500, ...Array.from({ length: 6 }, () => 'problem.sheet.otherCurrency')]);
  });

  it('three digits behind a point are asked for, unless other amounts of the column show what divides cents', async () => {
    expect(await priced(['1.234', '50'])).toEqual(['problem.sheet.ambiguous', 5000]);
    expect(await priced(['1.234', '9,90'])).toEqual([123_400, 990]);
    expect(await priced(['1,234', '9.90', "1'234.50"])).toEqual([123_400, 990, 123_450]);
    expect(await priced(['12.3400', '23.900000'])).toEqual([1234, 2390]);
  });

  it('images are taken from all columns, and from each cell that has several', async () => {
    const cells = [
      'https://a.example/w_20,h_30/1.jpg,https://a.example/2.jpg',
      'https://a.example/3.jpg;https://a.example/4.jpg',
      'five.jpg;six.jpg',
    ];
    const { products } = await read(
      csvText([
        ['Name', 'Price', 'Image 1', 'image_url_2', 'Product Image File - 3'],
        ['Urn', '5', ...cells],
      ]),
    );
    expect(products[0]?.pictures?.map(({ address }) => address)).toEqual([
      'https://a.example/w_20,h_30/1.jpg',
      'https://a.example/2.jpg',
      'https://a.example/3.jpg',
      'https://a.example/4.jpg',
      'five.jpg',
      'six.jpg',
    ]);
  });

  it('cells that are padded behind their quotes lose the quotes, and others keep theirs', async () => {
    const { products } = await read('Name   ,Price ,Tags\n"Urn, tall"   ,5  ,"a, b"  \n"""Best"" urn",6,c\n');
    expect(products.map(({ title, tags }) => [title, tags])).toEqual([
      ['Urn, tall', ['a', 'b']],
      ['"Best" urn', ['c']],
    ]);
  });

  it('a product that another shop hides stays hidden, and its variants are variants', async () => {
    const hidden = await read(
      csvText([
        ['Product Name', 'Product Code/SKU', 'Price', 'Product Visible?'],
        ['Urn', 'U-1', '5', 'N'],
      ]),
    );
    expect(hidden.products).toMatchObject([{ status: 'draft', variants: [{ sku: 'U-1' }] }]);
    const square = await read(
      csvText([
        ['Item Name', 'Variation Name', 'SKU', 'Price'],
        ['Tea', 'Small', 'T-S', '3'],
        ['Tea', 'Large', 'T-L', '4'],
      ]),
    );
    expect(square.products).toMatchObject([
      { id: 'tea', variants: [{ values: ['Small'] }, { values: ['Large'] }] },
    ]);
  });

  it('a Wix export has its variants, whose surcharges become prices, and nothing costs 0', async () => {
    const header = [
      'handleId',
      'fieldType',
      'name',
      'productImageUrl',
      'collection',
      'sku',
      'price',
      'surcharge',
      'visible',
      'discountMode',
      'discountValue',
      'inventory',
      'productOptionName1',
      'productOptionDescription1',
    ];
    const row = (cells: Record<string, string>) => header.map((name) => cells[name] ?? '');
    const {
      kind: found,
      products,
      entries,
    } = await read(
      csvText([
        header,
        row({
          handleId: 'p1',
          fieldType: 'Product',
          name: 'Urn',
          productImageUrl: 'a.jpg;b.jpg',
          collection: 'Clay;New',
          price: '20',
          visible: 'true',
          discountMode: 'PERCENT',
          discountValue: '10',
          inventory: 'InStock',
          productOptionName1: 'Glaze',
          productOptionDescription1: '#ff0000:Red;#0000ff:Blue;Raw',
        }),
        row({
          handleId: 'p2',
          fieldType: 'Product',
          name: 'Fee',
          price: '0.0',
          visible: 'true',
          inventory: 'InStock',
        }),
        row({
          handleId: 'p1',
          fieldType: 'Variant',
          sku: 'U-R',
          surcharge: '5.0',
          visible: 'true',
          inventory: '3',
          productOptionDescription1: '#ff0000:Red',
        }),
        row({
          handleId: 'p1',
          fieldType: 'Variant',
          surcharge: '-0.5',
          visible: 'false',
          inventory: '9',
          productOptionDescription1: 'Blue',
        }),
        row({
          handleId: 'p1',
          fieldType: 'Variant',
          visible: 'true',
          inventory: 'OutOfStock',
          productOptionDescription1: 'Raw',
        }),
        row({
          handleId: 'p3',
          fieldType: 'Product',
          name: 'Jug',
          price: '8',
          visible: 'false',
          discountMode: 'AMOUNT',
          discountValue: '2',
          inventory: '5',
          productOptionName1: 'Size',
          productOptionDescription1: 'S;L',
        }),
        row({ handleId: 'p4', fieldType: 'Variant', surcharge: '1' }),
      ]),
    );
    expect(found).toBe('wix');
    const [urn, fee, jug] = products;
    expect(urn).toMatchObject({
      id: 'urn',
      status: 'active',
      category: ['Clay'],
      options: ['Glaze'],
      pictures: [
        { address: 'https://static.wixstatic.com/media/a.jpg' },
        { address: 'https://static.wixstatic.com/media/b.jpg' },
      ],
      variants: [
        { values: ['Red'], sku: 'U-R', priceCents: 2250, compareAtCents: 2500, counted: true, units: 3 },
        { values: ['Blue'], priceCents: 1755, compareAtCents: 1950, counted: true, units: 0 },
        { values: ['Raw'], priceCents: 1800, compareAtCents: 2000, counted: true, units: 0 },
      ],
    });
    expect(fee?.variants).toEqual([expect.not.objectContaining({ priceCents: 0 })]);
    expect(jug).toMatchObject({
      status: 'draft',
      variants: [
        { values: ['S'], priceCents: 600, compareAtCents: 800, units: 3 },
        { values: ['L'], priceCents: 600, units: 2 },
      ],
    });
    expect(keysOf(entries)).toEqual([
      'problem.sheet.lost.categories',
      'problem.sheet.lost.sharedStock',
      'problem.sheet.orphan',
    ]);
  });

  it('the explanations above the header of Facebook’s template are no header', async () => {
    const { kind: id, products } = await read(
      csvText([
        [
          '# Required | A unique id, such as the SKU.',
          '# Required | The title.',
          '# Required | The price.',
          '# Optional | An image.',
        ],
        ['id', 'title', 'price', 'image_link'],
        ['F-1', 'Jar', '12.00 CAD', 'https://img.example/jar.jpg'],
      ]),
    );
    expect([id, products]).toMatchObject([
      'feed',
      [{ title: 'Jar', variants: [{ sku: 'F-1', priceCents: 1200 }] }],
    ]);
  });

  it('variations of an Etsy listing are said to be lost', async () => {
    const { entries } = await read(
      csvText([
        ['TITLE', 'PRICE', 'CURRENCY_CODE', 'QUANTITY', 'VARIATION 1 NAME', 'VARIATION 1 VALUES', 'SKU'],
        ['Sweatshirt', '39.99', 'CAD', '80', 'Color', 'Black,Navy', 'A_1'],
        ['Mug', '12.00', 'CAD', '8', '', '', 'M_1'],
      ]),
    );
    expect(entries.map(({ problems }) => problems.map(({ key }) => key))).toEqual([
      ['problem.sheet.lost.variations'],
      [],
    ]);
  });

  it('a discount of PrestaShop is taken off the price while it lasts', async () => {
    const heads = ['Name *', 'Price tax excluded', 'Discount amount', 'Discount percent'];
    const days = ['Discount from (yyyy-mm-dd)', 'Discount to (yyyy-mm-dd)'];
    const { entries, products } = await read(
      csvText([
        [...heads, ...days],
        ['Amount', '20.00', '5.00', '', '', ''],
        ['Percent', '20.00', '', '10', '', ''],
        ['None', '20.00', '0', '0', '', ''],
        ['Later', '20.00', '5.00', '', '2030-01-01', '2030-02-01'],
      ]),
    );
    const prices = products.map(({ variants: [only] }) => [only?.priceCents, only?.compareAtCents]);
    expect(prices).toEqual([
      [1500, 2000],
      [1800, 2000],
      [2000, null],
      [2000, null],
    ]);
    expect(keysOf(entries)).toEqual(['problem.sheet.lost.saleToCome']);
  });

  it('Square’s count of an only place is the stock, and counts of several places are left to a file of stock', async () => {
    const file = (...places: string[]) =>
      csvText([
        [
          'Item Name',
          'Variation Name',
          'SKU',
          'Price',
          ...places.map((place) => `Current Quantity ${place}`),
        ],
        ['Mug', 'Regular', 'MUG', '12.00', ...places.map((_, at) => String(3 + at))],
      ]);
    const unitsIn = async (text: string) => (await read(text)).products[0]?.variants[0]?.units;
    expect([await unitsIn(file('Main Street')), await unitsIn(file('Main Street', 'Harbour'))]).toEqual([
      3,
      undefined,
    ]);
  });

  it('rows that only name a variant belong to the product above them', async () => {
    const { products, entries } = await read(
      csvText([
        [
          'Title',
          'SKU',
          'Option Name 1',
          'Option Value 1',
          'Price',
          'Sale Price',
          'On Sale',
          'Stock',
          'Visible',
        ],
        ['Urn', 'U-S', 'Size', 'S', '20', '0.00', 'No', 'Unlimited', 'Yes'],
        ['', 'U-L', '', 'L', '30', '25', 'Yes', '4', ''],
        ['Jug', 'J-1', '', '', '9', '0.00', 'No', '2', 'No'],
      ]),
    );
    expect(products).toMatchObject([
      {
        id: 'urn',
        status: 'active',
        options: ['Size'],
        variants: [
          { sku: 'U-S', values: ['S'], priceCents: 2000, compareAtCents: null, counted: false },
          { sku: 'U-L', values: ['L'], priceCents: 2500, compareAtCents: 3000, units: 4 },
        ],
      },
      { id: 'jug', status: 'draft', variants: [{ sku: 'J-1', priceCents: 900, units: 2 }] },
    ]);
    expect(entries.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('handles that begin alike and are too long stay two products, wherever they are cut', async () => {
    for (const length of [99, 100, 101, 102]) {
      const start = 'a'.repeat(length);
      const { products } = await read(
        csvText([
          ['Handle', 'Title', 'Variant Price', 'Option1 Value'],
          [`${start}-${'x'.repeat(9)}-one`, 'One', '5', 'Default Title'],
          [`${start}-${'x'.repeat(9)}-two`, 'Two', '6', 'Default Title'],
        ]),
      );
      expect([length, products.map(({ title }) => title)]).toEqual([length, ['One', 'Two']]);
      expect(new Set(products.map(({ id }) => id)).size).toBe(2);
    }
  });

  it('a sale price of any spreadsheet is the price while the sale is on, and 0 is none', async () => {
    const { products, entries } = await read(
      csvText([
        ['name', 'sku', 'price', 'sale_price', 'on sale', 'special price to date', 'compare at price'],
        ['Urn', 'U-1', '20', '15', '', '', ''],
        ['Jug', 'J-1', '20', '0.00', '', '', '25'],
        ['Pot', 'P-1', '20', '15', 'No', '', ''],
        ['Cup', 'C-1', '20', '15', 'Yes', '1969-12-30', ''],
        ['Pan', 'A-1', '20', '25', '', '', ''],
      ]),
    );
    expect(products.map(({ variants: [one] }) => [one?.priceCents, one?.compareAtCents])).toEqual([
      [1500, 2000],
      [2000, 2500],
      [2000, null],
      [2000, null],
      [2000, null],
    ]);
    expect(keysOf(entries)).toEqual(['problem.sheet.lost.saleOver', 'problem.sheet.lost.saleOver']);
  });

  it('a row in another currency is refused, whichever column says so', async () => {
    const { entries } = await read(
      csvText([
        ['Title', 'Price', 'CURRENCY_CODE'],
        ['Urn', '20', 'USD'],
        ['Jug', '20', 'cad'],
        ['Pot', '20', ''],
      ]),
    );
    expect(entries.map(({ problems }) => problems.map(({ key }) => key))).toEqual([
      ['problem.sheet.otherCurrency'],
      [],
      [],
    ]);
  });

  it('a product is for sale only if the words of both columns say so', async () => {
    const words = [
      ['', 'true', 'active'],
      ['publish', '', 'active'],
      ['active', 'false', 'draft'],
      ['2', '', 'draft'],
      ['下架', '', 'draft'],
      ['discontinued', 'yes', 'archived'],
      ['active', 'hidden', 'draft'],
      ['', '', undefined],
    ];
    const { products, entries } = await read(
      csvText([
        ['Name', 'Price', 'Status', 'is_visible'],
        ...words.map(([status = '', visible = ''], at) => [`Urn ${at}`, '5', status, visible]),
        ['Urn x', '5', 'maybe', 'yes'],
      ]),
    );
    expect(products.map(({ status }) => status)).toEqual([...words.map(([, , status]) => status), undefined]);
    expect(products.map(({ isUnsure }) => isUnsure === true)).toEqual([...words.map(() => false), true]);
    expect(keysOf(entries)).toEqual(['problem.sheet.status']);
  });
});
