/** What merchants bring that is not written for this shop: nothing wrong goes on sale, and what a file cannot say is asked or said. */
import { Readable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import { importer, importing } from '#tests/importing.ts';
import { csvText } from '#tests/sheets.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const places = new Set(['warehouse', 'toronto-queen-west']);

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.parse('2026-11-01T12:00:00Z') });
  });
  const { send, go, apply } = importing(() => testApp);
  const productsOf = (...ids: string[]) => testApp.container.catalogueExport.productsOf(ids, places);
  const productOf = async (id: string) => (await productsOf(id)).get(id);
  const rowsOf = async (id: string, outcome: 'new' | 'changed' | 'problem') =>
    (await testApp.container.importRuns.rows(id, { outcome }, 'en')).rows;
  const problemsOf = async (id: string) =>
    (await rowsOf(id, 'problem')).flatMap(({ problems }) => problems.map(({ text }) => text));
  const choose = async (judged: Awaited<ReturnType<typeof send>>, more: object) => {
    const { importRuns } = testApp.container;
    const { id, kind, columns, options } = judged;
    await importRuns.change(
      importer,
      id,
      { kind, fields: columns.map(({ field }) => field), ...options, ...more },
      'en',
    );
    await importRuns.work();
    return importRuns.read(id, 'en');
  };

  it('a new product shows title, price, stock and variants in a merchant’s units before it is imported', async () => {
    const judged = await send(
      csvText([
        ['Title', 'SKU', 'Price', 'Stock', 'Size', 'Option1 Value'],
        ['Reed basket', 'RB-S', '19', '4', '', 'Small'],
        ['Reed basket', 'RB-L', '24.5', '3', '', 'Large'],
      ]),
    );
    const [row] = await rowsOf(judged.id, 'new');
    expect(row?.shows).toEqual({
      title: 'Reed basket',
      price: '$19.00 – $24.50',
      status: 'Active',
      stock: '7',
      variants: 2,
      pictures: 0,
    });
  });

  it('nothing goes on sale without a price, and the file is asked for the column once', async () => {
    const file = csvText([
      ['Name', 'SKU', 'Base cost', 'RRP ex VAT'],
      ['Ash stool', 'AS-1', '40', '120'],
      ['Elm stool', 'ES-1', '30', '90'],
    ]);
    const judged = await send(file);
    expect(judged).toMatchObject({ counts: { new: 0, problem: 2 }, asks: ['price'] });
    expect(await problemsOf(judged.id)).toContain(
      'row 2, AS-1: has no price, and a product that is for sale needs one',
    );
    const asDrafts = await choose(judged, { drafts: true });
    expect(asDrafts.counts).toMatchObject({ new: 2, problem: 0 });
    await go(judged.id);
    expect(await productOf('ash-stool')).toMatchObject({ status: 'draft', priceCents: 0 });
    // Nor do they when a later file shows them.
    const shown = await send(
      csvText([
        ['Name', 'SKU', 'Status'],
        ['Ash stool', 'AS-1', 'active'],
      ]),
    );
    expect(shown.counts).toMatchObject({ changed: 0, problem: 1 });
    const priced = await apply(
      csvText([
        ['Name', 'SKU', 'Status', 'Price'],
        ['Ash stool', 'AS-1', 'active', '55'],
      ]),
    );
    expect(priced.counts).toMatchObject({ changed: 1, problem: 0 });
    expect(await productOf('ash-stool')).toMatchObject({ status: 'active', priceCents: 5500 });
  });

  it('an empty price beside full ones is a problem of its row, in a Shopify file and in our own form', async () => {
    const shopify = await send(
      csvText([
        ['Handle', 'Title', 'Published', 'Option1 Name', 'Option1 Value', 'Variant SKU', 'Variant Price'],
        ['bare-mug', 'Bare mug', 'true', 'Title', 'Default Title', 'BM-1', ''],
        ['bare-bowl', 'Bare bowl', 'true', 'Title', 'Default Title', 'BB-1', '12'],
      ]),
    );
    expect(shopify.counts).toMatchObject({ new: 1, problem: 1 });
    const { brands, categories } = await testApp.container.catalogue.names();
    const own = await send(
      csvText([
        ['Handle', 'Status', 'Name (en)', 'Brand id', 'Category id', 'Base price', 'SKU'],
        [
          'bare-own',
          'active',
          'Bare own',
          [...brands.keys()][0] ?? '',
          [...categories.keys()][0] ?? '',
          '',
          'BO-1',
        ],
      ]),
    );
    expect(own).toMatchObject({ kind: 'own', counts: { new: 0, problem: 1 } });
    expect((await problemsOf(own.id))[0]).toMatch(/^row 2, Base price: has no price/);
  });

  it('a new product whose status is no known word is a draft, and one that is for sale stays so', async () => {
    const file = (status: string) =>
      csvText([
        ['Name', 'SKU', 'Price', 'Status'],
        ['Larch stool', 'LS-1', '40', status],
      ]);
    const done = await apply(file('Saisonal'));
    expect(done).toMatchObject({ counts: { new: 1, problem: 0 }, warnings: 1 });
    expect(await productOf('larch-stool')).toMatchObject({ status: 'draft' });
    await apply(file('active'));
    expect((await send(file('Saisonal'))).counts).toMatchObject({ unchanged: 1, changed: 0 });
    expect(await productOf('larch-stool')).toMatchObject({ status: 'active' });
  });

  it('a product whose long handle is cut is found at the address that the other shop gave it, until it is taken back', async () => {
    const handle = `glazed-${'very-'.repeat(20)}long-jar`;
    const done = await apply(
      csvText([
        ['Handle', 'Title', 'Published', 'Option1 Name', 'Option1 Value', 'Variant SKU', 'Variant Price'],
        [handle, 'Long jar', 'true', 'Title', 'Default Title', 'LJ-1', '12'],
        ['short-jar', 'Short jar', 'true', 'Title', 'Default Title', 'LJ-2', '12'],
      ]),
    );
    const { redirects } = testApp.container;
    const targets = () =>
      Promise.all([`/products/${handle}`, `/product/${handle}`].map((path) => redirects.of(path)));
    const [first, second] = await targets();
    expect(first).toMatch(/^\/product\/glazed-very-.{1,100}$/);
    expect(second).toBe(first);
    expect(await productOf(String(first).replace('/product/', ''))).toMatchObject({ status: 'active' });
    expect(await redirects.of('/products/short-jar')).toBe(null);
    await go(done.id, 'takeBack');
    expect(await targets()).toEqual([null, null]);
  });

  it('a Square file with counts of several places is a file of stock, by the names of stores', async () => {
    const { name } = (await testApp.services.stores.all()).find(({ id }) => id === 'toronto-queen-west') ?? {
      name: { en: '' },
    };
    const file = csvText([
      [
        'Item Name',
        'SKU',
        'Description',
        'Price',
        'Current Quantity Warehouse',
        `Current Quantity ${name.en}`,
        'New Quantity X',
      ],
      ['Square mug', 'SQ-1', 'Plain', '12.00', '3', '5', ''],
    ]);
    await apply(file);
    const asStock = await choose(await send(file), {
      kind: 'stock',
      fields: [null, 'sku', null, null, 'levels', 'levels', null],
    });
    expect(asStock.counts).toMatchObject({ changed: 1, problem: 0 });
    const places = (await rowsOf(asStock.id, 'changed')).flatMap(({ fields }) => fields.map(({ to }) => to));
    expect(places).toEqual(['3', '5']);
  });

  it('the count of new products for sale at 0 is said once, and not again when they are there', async () => {
    const file = csvText([
      ['Name', 'SKU', 'Price', 'Status'],
      ['Moss sample', 'MS-1', '0.00', 'active'],
      ['Fern sample', 'FS-1', '0', 'active'],
      ['Reed sample', 'RS-1', '0', 'draft'],
      ['Sedge sample', 'SS-1', '1', 'active'],
    ]);
    const done = await apply(file);
    expect(done).toMatchObject({ counts: { new: 4, problem: 0 }, warnings: 0 });
    expect(done.lost).toEqual(['Costs 0 and is for sale: give it a price if it is not free: 2']);
    expect(await send(file)).toMatchObject({ counts: { unchanged: 4 }, lost: [] });
  });

  it('our own form needs a base price only where an SKU has none of its own, whether the column is empty or missing', async () => {
    const { brands, categories } = await testApp.container.catalogue.names();
    const [brand = '', category = ''] = [[...brands.keys()][0], [...categories.keys()][0]];
    const none = { priceDeltaCents: 0, overridePriceCents: null, skuSuffix: '', color: null, image: null };
    const values = ['S', 'L'].map((en) => ({ name: { en }, ...none }));
    const sizes = JSON.stringify([{ name: { en: 'Size' }, values }]);
    /** `base`: null without the column. */
    const file = (id: string, base: string | null, ...prices: string[]) =>
      csvText([
        [
          'Handle',
          'Status',
          'Name (en)',
          'Brand id',
          'Category id',
          'Options (JSON)',
          'SKU',
          'SKU options',
          'SKU price',
          ...(base === null ? [] : ['Base price']),
        ],
        ...prices.map((price, at) => [
          id,
          'active',
          'Own',
          brand,
          category,
          sizes,
          `${id}-${at}`,
          `#Size:${['S', 'L'][at]}`,
          price,
          ...(base === null ? [] : [base]),
        ]),
      ]);
    for (const [id, base] of [
      ['own-empty', ''],
      ['own-missing', null],
    ] as const) {
      const bare = await send(file(id, base, '12.00', ''));
      expect([id, bare.kind, bare.counts]).toMatchObject([id, 'own', { new: 0, problem: 1 }]);
      expect((await problemsOf(bare.id)).join()).toContain('has no price');
      const priced = await apply(file(id, base, '12.00', '15.00'));
      expect([id, priced.counts, await problemsOf(priced.id)]).toMatchObject([
        id,
        { new: 1, problem: 0 },
        [],
      ]);
      const [card] = (await testApp.services.catalogue.cards([id], 'en')).values();
      expect(card?.priceInfo).toMatchObject({ price: 1200 });
      // Nor does a later file take the price of one away.
      expect((await send(file(id, '', '12.00', ''))).counts).toMatchObject({ changed: 0, problem: 1 });
    }
  });

  it('a list by SKU changes the products that have them, and adds none', async () => {
    await apply(
      csvText([
        [
          'Handle',
          'Title',
          'Published',
          'Option1 Name',
          'Option1 Value',
          'Variant SKU',
          'Variant Inventory Qty',
          'Variant Price',
        ],
        ['oak-bench', 'Oak bench', 'true', 'Size', 'Short', 'OB-S', '3', '100'],
        ['oak-bench', '', '', '', 'Long', 'OB-L', '3', '120'],
        ['brass-hook', 'Brass hook', 'true', 'Title', 'Default Title', '00417', '5', '30'],
      ]),
    );
    const prices = await send(
      csvText([
        ['SKU', 'Price'],
        ['OB-S', '105'],
        ['OB-L', '125'],
        ['00417', '33'],
        ['NOT-HERE', '9'],
      ]),
    );
    expect(prices.counts).toMatchObject({ new: 0, changed: 2, problem: 1 });
    expect(await problemsOf(prices.id)).toEqual([
      expect.stringMatching(/^row 5, SKU: is not a SKU of this shop, and the row has no name/),
    ]);
    expect((await rowsOf(prices.id, 'changed'))[0]?.fields).toContainEqual(
      expect.objectContaining({ from: '$100.00', to: '$105.00' }),
    );
    await go(prices.id);
    expect((await productOf('oak-bench'))?.skus.map(({ sku, stock }) => [sku, stock.warehouse])).toEqual([
      ['OB-S', 3],
      ['OB-L', 3],
    ]);
    expect(await productOf('brass-hook')).toMatchObject({
      priceCents: 3300,
      name: { en: 'Brass hook' },
      status: 'active',
    });
    expect(
      (
        await send(
          csvText([
            ['SKU', 'Price'],
            ['OB-S', '105'],
          ]),
        )
      ).counts,
    ).toMatchObject({ unchanged: 1, changed: 0 });
  });

  it('a product that was renamed, or whose address has changed, is known by its SKU; two of one name are two products', async () => {
    await apply(
      csvText([
        ['Name', 'SKU', 'Price'],
        ['Cup', 'CUP-A', '8'],
        ['Cup', 'CUP-B', '9'],
      ]),
    );
    const both = async () => {
      const found = await productsOf('cup', 'cup-cup-b');
      return ['cup', 'cup-cup-b'].map((id) => [found.get(id)?.name.en, found.get(id)?.priceCents]);
    };
    expect(await both()).toEqual([
      ['Cup', 800],
      ['Cup', 900],
    ]);
    const renamed = await apply(
      csvText([
        ['Name', 'SKU', 'Price'],
        ['Tall cup', 'CUP-B', '9'],
        ['Cup', 'CUP-A', '8.5'],
        ['Cup', 'CUP-C', '7'],
      ]),
    );
    expect(renamed.counts).toMatchObject({ new: 1, changed: 2 });
    expect(await both()).toEqual([
      ['Cup', 850],
      ['Tall cup', 900],
    ]);
    const moved = await apply(
      csvText([
        ['Handle', 'Title', 'Option1 Value', 'Variant SKU', 'Variant Price'],
        ['the-tall-cup', 'Tall cup', 'Default Title', 'CUP-B', '10'],
      ]),
    );
    expect(moved.counts).toMatchObject({ new: 0, changed: 1 });
    expect(await both()).toEqual([
      ['Cup', 850],
      ['Tall cup', 1000],
    ]);
  });

  it('gift cards are refused, what is not taxed stays so, and what is lost is said once with numbers', async () => {
    const header = [
      'Handle',
      'Title',
      'Published',
      'Option1 Name',
      'Option1 Value',
      'Variant SKU',
      'Variant Price',
      'Variant Taxable',
      'Variant Requires Shipping',
      'Gift Card',
    ];
    const row = (handle: string, more: Record<string, string>) => {
      const cells: Record<string, string> = {
        Handle: handle,
        Title: handle,
        Published: 'true',
        'Option1 Name': 'Title',
        'Option1 Value': 'Default Title',
        'Variant SKU': handle,
        'Variant Price': '20',
        'Variant Taxable': 'true',
        'Variant Requires Shipping': 'true',
        'Gift Card': 'false',
        ...more,
      };
      return header.map((column) => cells[column] ?? '');
    };
    const file = csvText([
      header,
      row('voucher', { 'Gift Card': 'true' }),
      row('rye-flour', { 'Variant Taxable': 'false' }),
      row('lesson', { 'Variant Requires Shipping': 'false' }),
    ]);
    const done = await apply(file);
    expect(done).toMatchObject({
      counts: { new: 2, problem: 1 },
      warnings: 0,
      lost: ['Is not shipped in the other shop: here it is shipped like other products: 1'],
    });
    expect((await problemsOf(done.id))[0]).toMatch(/^row 2, Gift Card: is a gift card/);
    expect(await productOf('rye-flour')).toMatchObject({ taxClass: 'zero-rated-grocery' });
    expect(await productOf('lesson')).toMatchObject({ taxClass: 'standard' });
    expect((await send(file)).counts).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
  });

  it('a list of SKUs and quantities is stock: it asks where it is, and counts it there', async () => {
    await apply(
      csvText([
        ['Name', 'SKU', 'Price', 'Stock'],
        ['Tin pail', 'TP-1', '8', '3'],
      ]),
    );
    const levels = async () => new Map(await testApp.container.stock.currentLevels('TP-1'));
    const judged = await send(
      csvText([
        ['sku', 'quantity'],
        ['TP-1', '9'],
      ]),
    );
    expect(judged).toMatchObject({ kind: 'stock', counts: { changed: 0, problem: 1 }, asks: ['place'] });
    const placed = await choose(judged, { place: 'warehouse' });
    expect(placed).toMatchObject({ counts: { changed: 1, problem: 0 }, asks: [] });
    await go(judged.id);
    expect((await levels()).get('warehouse')).toBe(9);
    // The place is remembered for the next file of this heading.
    expect(
      (
        await send(
          csvText([
            ['sku', 'quantity'],
            ['TP-1', '7'],
          ]),
        )
      ).counts,
    ).toMatchObject({ changed: 1, problem: 0 });
  });

  it('an inventory of one location that has another name here is counted at the place that is chosen', async () => {
    const file = csvText([
      [
        'Handle',
        'Title',
        'Option1 Name',
        'Option1 Value',
        'SKU',
        'HS Code',
        'COO',
        'Location',
        'Available',
        'On hand',
      ],
      ['tin-pail', 'Tin pail', '', '', 'TP-1', '', '', 'Shop location', '4', '4'],
    ]);
    const judged = await send(file);
    expect(judged).toMatchObject({ kind: 'stock', counts: { problem: 1 }, asks: ['place'] });
    expect((await choose(judged, { place: 'toronto-queen-west' })).counts).toMatchObject({
      changed: 1,
      problem: 0,
    });
    await go(judged.id);
    expect(new Map(await testApp.container.stock.currentLevels('TP-1')).get('toronto-queen-west')).toBe(4);
  });

  it('the merchant’s type is the category, whichever row comes first', async () => {
    const header = [
      'Handle',
      'Title',
      'Product Category',
      'Type',
      'Option1 Value',
      'Variant SKU',
      'Variant Price',
    ];
    const row = (id: string, category: string, type: string) => [
      id,
      id,
      category,
      type,
      'Default Title',
      id,
      '10',
    ];
    const taxonomy = 'Home & Garden > Plants > Flowers';
    await apply(
      csvText([
        header,
        row('kind-1', taxonomy, ''),
        row('kind-2', taxonomy, 'Dried stems'),
        row('kind-3', 'Uncategorized', ''),
      ]),
    );
    const found = await productsOf('kind-1', 'kind-2', 'kind-3');
    expect(['kind-1', 'kind-2', 'kind-3'].map((id) => found.get(id)?.category)).toEqual([
      'flowers',
      'dried-stems',
      'other',
    ]);
  });

  it('characters that were guessed wrong are chosen, and the file is read again', async () => {
    const { importRuns } = testApp.container;
    // Čajová in Windows-1250.
    const bytes = Buffer.concat([
      Buffer.from('Name,SKU,Price\n'),
      Buffer.from('c8616a6f76e1', 'hex'),
      Buffer.from(',CJ-1,5\n'),
    ]);
    const { id } = await importRuns.upload(importer, 'goods.csv', Readable.from([bytes]), 'en');
    await importRuns.work();
    const read = await choose(await importRuns.read(id, 'en'), { encoding: 'windows-1250' });
    expect(read.about.encoding).toBe('windows-1250');
    expect((await rowsOf(id, 'new'))[0]?.shows?.title).toBe('Čajová');
  });

  it('a choice that is refused leaves the characters of the file as they were', async () => {
    const { importRuns } = testApp.container;
    const bytes = Buffer.concat([
      Buffer.from('Name,SKU,Price\n'),
      Buffer.from('c8616a6f76e1', 'hex'),
      Buffer.from(',CK-1,5\n'),
    ]);
    const sent = await importRuns.upload(importer, 'goods.csv', Readable.from([bytes]), 'en');
    const wrong = { encoding: 'windows-1251', place: 'nowhere' } as const;
    await expect(choose(sent, wrong)).rejects.toThrow();
    await importRuns.work();
    const { about } = await importRuns.read(sent.id, 'en');
    expect(about.encoding).toBe(sent.about.encoding);
    expect((await rowsOf(sent.id, 'new'))[0]?.shows?.title).toBe(
      new TextDecoder(about.encoding).decode(bytes).slice(15, 21),
    );
  });

  it('amounts that could be two are asked for once', async () => {
    const judged = await send(
      csvText([
        ['Name', 'SKU', 'Price'],
        ['Loom', 'LO-1', '1.250'],
        ['Reel', 'RE-1', '2.100'],
      ]),
    );
    expect(judged).toMatchObject({ counts: { problem: 2 }, asks: ['decimal'] });
    await choose(judged, { decimal: ',' });
    expect((await rowsOf(judged.id, 'new')).map(({ shows }) => shows?.price)).toEqual([
      '$1,250.00',
      '$2,100.00',
    ]);
  });
});
