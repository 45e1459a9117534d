/** Imports from the file to the shop and back, over the services that office and command share. */
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, it } from 'vitest';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { issueCoupon } from '#tests/coupons.ts';
import { importer, importing, textOf } from '#tests/importing.ts';
import {
  csvText,
  inventoryCsv,
  inventoryVintages,
  samples,
  shopifyCsv,
  shopifyTable,
  wooCsv,
} from '#tests/sheets.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const actor = { kind: 'terminal' } as const;
/** The store `toronto-queen-west`. */
const queen = 'Toronto – Queen West';
/** The samples under names of a test's own. */
const named = (name: string) =>
  samples.map(({ pictures: _pictures, ...product }) => ({
    ...product,
    handle: `${name}-${product.handle}`,
    variants: product.variants.map((each) => ({ ...each, sku: each.sku && `${name} ${each.sku}` })),
  }));

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
  });
  const { send, go, apply } = importing(() => testApp);
  const productsOf = async (ids: string[]) =>
    testApp.container.catalogueExport.productsOf(ids, new Set(['warehouse', 'toronto-queen-west']));

  it('a file is judged without changing the shop, imported, found unchanged by the next run, and taken back', async () => {
    const { importRuns, catalogue, stock } = testApp.container;
    const file = shopifyCsv('2023', named('first'));
    const ids = named('first').map(({ handle }) => handle);
    const judged = await send(file);
    expect(judged).toMatchObject({
      kind: 'shopify',
      state: 'judged',
      counts: { new: 3, changed: 0, unchanged: 0, problem: 0 },
    });
    expect(
      judged.columns.filter(({ field, example }) => field === null && example !== '').map(({ name }) => name),
    ).toContain('Variant Fulfillment Service');
    expect(await productsOf(ids)).toEqual(new Map());
    const before = [...(await catalogue.names()).brands.keys()];

    await go(judged.id);
    expect(await importRuns.read(judged.id, 'en')).toMatchObject({ state: 'done', canTakeBack: true });
    const stored = await productsOf(ids);
    expect(stored.get('first-harbour-teapot')).toMatchObject({
      name: { en: 'Harbour teapot' },
      descriptionHtml: { en: '<p>Holds <strong>900 ml</strong>.</p>' },
      brand: 'north-kiln',
      category: 'teapots',
      tags: ['gift', 'stoneware'],
      priceCents: 4800,
      seoTitle: { en: 'Stoneware teapot' },
      status: 'active',
      skus: [
        {
          sku: 'first HT - Fog / S',
          options: { Glaze: 'Fog', Size: 'Small' },
          gtin: '4006381333931',
          costCents: 2050,
          weightGrams: 680,
          stock: { warehouse: 4 },
        },
        {
          sku: 'first HT - Fog / L',
          priceCents: 6400,
          compareAtCents: 7000,
          oversell: true,
          stock: { warehouse: 0 },
        },
        { sku: 'first HT - Moss / S', options: { Glaze: 'Moss, dark', Size: 'Small' } },
      ],
    });
    expect(stored.get('first-spring-sencha')).toMatchObject({
      description: { en: ['Picked in April.'] },
      skus: [{ sku: 'first 030955168517', counted: false }],
    });
    expect(stored.get('first-old-whisk')).toMatchObject({
      status: 'draft',
      category: 'other',
      skus: [{ sku: 'first-old-whisk' }],
    });
    const [movement] = await stock.history({ sku: 'first HT - Fog / S', most: 1 });
    expect(movement).toMatchObject({ kind: 'count', quantity: 4, actor });

    const again = await send(file);
    expect(again).toMatchObject({
      remembered: true,
      counts: { new: 0, changed: 0, unchanged: 3, problem: 0 },
    });

    await go(judged.id, 'takeBack');
    expect((await importRuns.read(judged.id, 'en')).state).toBe('takenBack');
    expect(await productsOf(ids)).toEqual(new Map());
    expect([...(await catalogue.names()).brands.keys()]).toEqual(before);
  });

  it('an import that is applied or taken back is noted of whoever does it, not of whoever sent the file', async () => {
    const till = mintPermit('goods.import', { kind: 'staff', id: 'demo-noah', key: 'till' }, null);
    const { id, version } = await send(shopifyCsv('2023', named('shared')), till);
    const as = await joinDemo(testApp, 'demo-mei');
    const params = { import: id };
    expect((await askStaff(testApp, 'applyImport', { as, params, body: { seen: version } })).status).toBe(
      200,
    );
    await testApp.container.importRuns.work();
    const doer = async () =>
      (await testApp.container.changes.journal({ most: 1, kind: 'product' }))[0]?.actor;
    expect(await doer()).toEqual({ kind: 'staff', id: 'demo-mei' });
    await go(id, 'takeBack', till);
    expect(await doer()).toEqual({ kind: 'staff', id: 'demo-noah', key: 'till' });
  });

  it('a change keeps the texts of the other language, and what somebody touched since is listed instead of taken back', async () => {
    const { importRuns, editor, changes } = testApp.container;
    const products = named('second');
    const ids = products.map(({ handle }) => handle);
    await apply(shopifyCsv('2021', products));
    const edit = async (id: string, name: string) => {
      const product = (await productsOf([id])).get(id);
      if (!product) throw new Error(`No product ${id}`);
      await changes.run(actor, 'products change', (change) =>
        editor.upsertProducts(change, [{ ...product, name: { ...product.name, zh: name } }]),
      );
    };
    await edit('second-harbour-teapot', '海港茶壶');
    const dearer = products.map((product) => ({
      ...product,
      title: `${product.title}!`,
      variants: product.variants.map((each) => ({ ...each, price: '99.00', units: 7 })),
    }));
    const { id } = await send(shopifyCsv('2021', dearer));
    const { rows } = await importRuns.rows(id, { outcome: 'changed' }, 'en');
    expect(rows[0]?.fields).toContainEqual({
      field: 'Name · English',
      from: 'Harbour teapot',
      to: 'Harbour teapot!',
    });
    expect(rows[0]?.fields).toContainEqual({
      field: 'second HT - Fog / S · Stock · Warehouse',
      from: '4',
      to: '7',
    });
    await go(id);
    expect((await productsOf(ids)).get('second-harbour-teapot')).toMatchObject({
      name: { en: 'Harbour teapot!', zh: '海港茶壶' },
      priceCents: 9900,
    });
    await changes.run(actor, 'products change', async (change) => {
      const product = (await productsOf(['second-spring-sencha'])).get('second-spring-sencha');
      if (product) await editor.upsertProducts(change, [{ ...product, priceCents: 1 }]);
    });
    await go(id, 'takeBack');
    const stored = await productsOf(ids);
    expect(stored.get('second-harbour-teapot')).toMatchObject({
      name: { en: 'Harbour teapot', zh: '海港茶壶' },
      priceCents: 4800,
    });
    expect(stored.get('second-harbour-teapot')?.skus[0]?.stock).toEqual({ warehouse: 4 });
    expect(stored.get('second-spring-sencha')?.priceCents).toBe(1);
    const problems = (await importRuns.rows(id, {}, 'en')).rows.flatMap((row) =>
      row.problems.map(({ text }) => `${row.subject}: ${text}`),
    );
    expect(problems).toEqual([expect.stringContaining('spring-sencha')]);
  });

  it('the good ones are taken, the others are reported by row and column, and variants go only when that is ticked', async () => {
    const { importRuns } = testApp.container;
    const products = named('third');
    await apply(shopifyCsv('2021', products));
    const fewer = products.slice(0, 2).map((product, at) => ({
      ...product,
      variants: product.variants
        .slice(0, 1)
        .map((each) => (at === 1 ? { ...each, price: 'free' } : { ...each, price: '47.00' })),
    }));
    const kept = async () =>
      (await productsOf(['third-harbour-teapot'])).get('third-harbour-teapot')?.skus ?? [];
    const table = shopifyTable('2021', fewer);
    const done = await apply(csvText(table));
    expect(done.counts).toMatchObject({ changed: 1, problem: 1 });
    const report: string[][] = parse(await importRuns.report(done.id, 'en'), { bom: true });
    expect(report.map((row) => row.at(-1))).toEqual([
      'Problem',
      expect.stringMatching(/^row 3, Variant Price: .*found "free"/),
    ]);
    expect(report[1]?.slice(0, -1)).toEqual(table[2]);
    expect(await kept()).toHaveLength(3);
    const { id, columns, options, kind } = await send(csvText(table));
    await importRuns.change(
      importer,
      id,
      { kind, fields: columns.map(({ field }) => field), ...options, dropVariants: true },
      'en',
    );
    await importRuns.work();
    await go(id);
    expect((await kept()).map(({ sku }) => sku)).toEqual(['third HT - Fog / S']);
    await go(id, 'takeBack');
    expect((await kept()).map(({ stock }) => stock.warehouse)).toEqual([4, 0, 2]);
  });

  it('a WooCommerce file is imported, and a process that ends in between leaves whole products to the next one', async () => {
    const { importRuns, editor } = testApp.container;
    const [, , whisk] = named('fourth');
    if (!whisk) throw new Error('No sample');
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...whisk,
      handle: `whisk-${index}`,
      title: `Whisk ${index}`,
      variants: [{ values: [], sku: `W-${index}`, price: '12.00', units: index }],
    }));
    const { id } = await send(wooCsv(many));
    await importRuns.apply(importer, id, 'en');
    const { upsertProducts } = editor;
    let calls = 0;
    editor.upsertProducts = (change, products) => {
      if (++calls === 3) throw new Error('The process ends here');
      return upsertProducts(change, products);
    };
    await expect(importRuns.work()).rejects.toThrow('ends here');
    editor.upsertProducts = upsertProducts;
    await importRuns.work();
    const stored = await productsOf(many.map(({ handle }) => handle));
    expect(
      [...stored.values()].map(({ skus }) => skus.map(({ sku, stock }) => [sku, stock.warehouse])),
    ).toEqual(expect.arrayContaining(many.map((_, index) => [[`W-${index}`, index]])));
    expect(stored.size).toBe(30);
    expect((await importRuns.read(id, 'en')).state).toBe('done');
  });

  it('a file is sent as a raw body, and a worker of the desk may not', async () => {
    const as = await joinDemo(testApp, 'demo-mei');
    const post = (cookie: string) =>
      testApp.app.inject({
        method: 'POST',
        url: `${staffBase}imports?name=goods.csv`,
        headers: { [clientTokenHeader]: staffToken, cookie, 'content-type': 'application/octet-stream' },
        payload: shopifyCsv('template', named('fifth')),
      });
    const answer = await post(as.header);
    expect(answer.statusCode).toBe(200);
    const { id } = answer.json() as { id: string };
    await testApp.container.importRuns.work();
    const { body } = await askStaff(testApp, 'import', { as, params: { import: id } });
    expect(body).toMatchObject({ state: 'judged', kind: 'shopify', counts: { new: 3 } });
    expect((await askStaff(testApp, 'importReport', { as, params: { import: id } })).body.csv).toMatch(
      /^\ufeffTitle,URL handle/,
    );
    expect((await post((await joinDemo(testApp, 'demo-noah')).header)).statusCode).toBe(403);
  });

  it('a file that cannot be read is refused to each of several people who send it at once', async () => {
    const as = await joinDemo(testApp, 'demo-mei');
    const sent = await Promise.all(
      Array.from({ length: 4 }, () =>
        askStaff(testApp, 'upload', { as, query: { name: 'empty.csv' }, file: '' }),
      ),
    );
    expect(sent.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('nobody imports what somebody else has chosen since they looked, and an answer that was lost is given again', async () => {
    const { importRuns } = testApp.container;
    const [mei, aisha] = [await joinDemo(testApp, 'demo-mei'), await joinDemo(testApp, 'demo-mei')];
    const { id, kind, columns, options, version } = await send(shopifyCsv('template', named('seen')));
    const params = { import: id };
    const otherwise = { kind, fields: columns.map(({ field }) => field), ...options, drafts: true };
    expect((await askStaff(testApp, 'changeImport', { as: aisha, params, body: otherwise })).status).toBe(
      200,
    );
    await importRuns.work();
    const apply = (seen: string) => askStaff(testApp, 'applyImport', { as: mei, params, body: { seen } });
    expect(await apply(version)).toMatchObject({ status: 409, body: { errorKey: 'import.otherwise' } });
    await importRuns.work();
    expect(await productsOf(named('seen').map(({ handle }) => handle))).toEqual(new Map());
    const now = await importRuns.read(id, 'en');
    expect(now).toMatchObject({ state: 'judged', options: { drafts: true } });
    for (let sent = 0; sent < 2; sent += 1) {
      expect((await apply(now.version)).status).toBe(200);
      await importRuns.work();
    }
    expect((await importRuns.read(id, 'en')).state).toBe('done');
  });

  it('coupons for what an import has made are followed when it is taken back: one that would be for nothing ends', async () => {
    const { coupons } = testApp.services;
    const rows = named('couponed').slice(0, 1);
    const { id } = await apply(shopifyCsv('template', rows));
    const [made = ''] = rows.map(({ handle }) => handle);
    expect((await productsOf([made])).size).toBe(1);
    const only = await issueCoupon(testApp, { products: [made] });
    const more = await issueCoupon(testApp, { products: [made, 'celadon-gaiwan'] });
    await go(id, 'takeBack');
    expect(await productsOf([made])).toEqual(new Map());
    expect((await coupons.find(testApp.db.read, only))?.coupon.endsAt).toBeLessThanOrEqual(
      testApp.clock.now(),
    );
    expect((await coupons.find(testApp.db.read, more))?.coupon).toMatchObject({
      products: ['celadon-gaiwan'],
      endsAt: null,
    });
  });

  it('a choice that comes at the very end of judging is judged again', async () => {
    const { importRuns } = testApp.container;
    const { id, kind, columns, options } = await send(shopifyCsv('template', named('late')));
    const fields = columns.map(({ field }) => field);
    const { transaction } = testApp.db;
    let [isEmpty, isChosen] = [false, false];
    const body = { kind, fields, ...options };
    await importRuns.change(importer, id, body, 'en');
    // Between the last rows that are kept and the end.
    testApp.db.transaction = async (work) => {
      const kept = await transaction.call(testApp.db, work);
      const rows = await testApp.db.read
        .selectFrom('bulk_change_rows')
        .select('no')
        .where('change_id', '=', id)
        .execute();
      isEmpty ||= rows.length === 0;
      if (isEmpty && !isChosen && rows.length === 3) {
        isChosen = true;
        const without = fields.map((field) => (field === 'price' ? null : field));
        await importRuns.change(importer, id, { ...body, fields: without, drafts: true }, 'en');
      }
      return kept as never;
    };
    await importRuns.work();
    testApp.db.transaction = transaction;
    expect(isChosen).toBe(true);
    await importRuns.work();
    const { rows } = await importRuns.rows(id, {}, 'en');
    expect(rows.map(({ shows }) => shows?.status)).toEqual(['Draft', 'Draft', 'Draft']);
  });

  it('staff of one store count no units of a file anywhere else', async () => {
    const { importRuns } = testApp.container;
    const own = mintPermit('goods.import', { kind: 'staff', id: 'demo-noah' }, ['toronto-queen-west']);
    const file = shopifyCsv('2021', named('sixth'));
    const theirs = await send(file, own);
    expect(theirs.options.place).toBe('toronto-queen-west');
    const { id, kind, columns, options } = await send(file);
    expect(options.place).toBe('warehouse');
    const wanted = { kind, fields: columns.map(({ field }) => field), ...options };
    const notThere = { errorType: 'NOT_FOUND' };
    await expect(importRuns.apply(own, id, 'en')).rejects.toMatchObject(notThere);
    await expect(importRuns.change(own, theirs.id, wanted, 'en')).rejects.toMatchObject(notThere);
  });

  // What a form becomes is the same on both engines.
  it.each(inventoryVintages.slice(engine === 'sqlite' ? 0 : -1))(
    'stock in the form of %s is counted as movements, and taken back',
    async (vintage) => {
      const { importRuns, stock } = testApp.container;
      const [teapot] = named(`stock-${vintage}`);
      if (!teapot) throw new Error('No sample');
      await apply(shopifyCsv('2021', [teapot]));
      const { handle } = teapot;
      const [fog = '', large = '', moss = ''] = teapot.variants.map(({ sku }) => sku);
      const file = inventoryCsv(vintage, [
        { handle, values: ['Fog', 'Small'], sku: fog, levels: { Warehouse: 9, [queen]: 3 } },
        {
          handle,
          values: ['Moss, dark', 'Small'],
          sku: '-',
          levels: { [queen]: 6, Warehouse: 'not stocked' },
        },
        { handle: '', values: [], sku: large, levels: { Warehouse: 2, 'Old garage': 8 } },
        { handle: 'nowhere', values: [], sku: 'nowhere', levels: { Warehouse: 1 } },
      ]);
      const levels = async () =>
        Promise.all([fog, moss, large].map(async (sku) => new Map(await stock.currentLevels(sku))));
      const before = await levels();
      const judged = await send(file);
      expect(judged).toMatchObject({ kind: 'stock', uses: ['place', 'places'] });
      const rows = (await importRuns.rows(judged.id, {}, 'en')).rows;
      expect(rows.flatMap(({ fields }) => fields.map(({ from, to }) => `${from} > ${to}`)).sort()).toEqual(
        ['4 > 9', ' > 3', ' > 6', '0 > 2'].sort(),
      );
      const said = rows.flatMap(({ problems }) => problems.map(({ text }) => text)).sort();
      expect(said).toHaveLength(2);
      expect(said.find((text) => text.includes('Old garage'))).toMatch(
        vintage === 'columns'
          ? /^row 4, Old garage: is not a location/
          : /^row 7, Location: is not a location/,
      );
      expect(said.find((text) => text.includes('nowhere'))).toMatch(/neither a SKU/);
      expect(await levels()).toEqual(before);

      // A sale between judging and importing stays sold.
      const sold = { sku: moss, place: 'warehouse', units: -1 };
      await testApp.container.changes.run(actor, 'stock correct', (change) =>
        stock.correct(change, sold, 'other'),
      );
      await go(judged.id);
      expect(await levels()).toEqual([
        new Map([
          ['warehouse', 9],
          ['toronto-queen-west', 3],
        ]),
        new Map([
          ['warehouse', 1],
          ['toronto-queen-west', 6],
        ]),
        new Map([['warehouse', 2]]),
      ]);
      const [movement] = await stock.history({ sku: moss, locations: ['toronto-queen-west'], most: 1 });
      expect(movement).toMatchObject({ kind: 'count', quantity: 6, note: 'goods.csv', actor });
      expect((await send(file)).counts).toMatchObject({ new: 0, changed: 0 });

      await testApp.container.changes.run(actor, 'stock correct', (change) =>
        stock.correct(change, { ...sold, place: 'toronto-queen-west' }, 'other'),
      );
      await go(judged.id, 'takeBack');
      const after = await levels();
      expect(after[0]?.get('warehouse')).toBe(4);
      // A place that never had it does not count it as low afterwards.
      expect(after[0]?.has('toronto-queen-west')).toBe(false);
      expect(after[1]?.get('toronto-queen-west')).toBe(5);
      expect(after[2]?.get('warehouse')).toBe(0);
      expect(await stock.differences()).toEqual([]);
    },
  );

  it('units that are sold between judging and importing are not brought back, and staff of one store count only there', async () => {
    const { importRuns, stock, changes } = testApp.container;
    await apply(shopifyCsv('2021', named('seventh')));
    const [handle, sku] = ['seventh-harbour-teapot', 'seventh HT - Fog / S'];
    const { id } = await send(inventoryCsv('2024', [{ handle, values: [], sku, levels: { Warehouse: 20 } }]));
    await changes.run(actor, 'stock correct', (change) =>
      stock.correct(change, { sku, place: 'warehouse', units: -3 }, 'other'),
    );
    await go(id);
    expect((await stock.currentLevels(sku))?.get('warehouse')).toBe(17);
    const own = mintPermit('goods.import', { kind: 'staff', id: 'demo-noah' }, ['toronto-queen-west']);
    const file = inventoryCsv('2024', [{ handle, values: [], sku, levels: { Warehouse: 40, [queen]: 4 } }]);
    const theirs = await send(file, own);
    expect(theirs.counts).toMatchObject({ changed: 1, problem: 1 });
    const all = await send(file);
    await expect(importRuns.apply(own, all.id, 'en')).rejects.toMatchObject({ errorType: 'NOT_FOUND' });
    await go(theirs.id, 'apply', own);
    expect(new Map(await stock.currentLevels(sku))).toEqual(
      new Map([
        ['warehouse', 17],
        ['toronto-queen-west', 4],
      ]),
    );
  });

  it('redirects are put where no page is, loops and other hosts are refused by row, and all of it is taken back', async () => {
    const { importRuns, redirects, changes, exports } = testApp.container;
    await changes.run(actor, 'redirects', (change) =>
      redirects.put(change, [{ from: '/older', to: '/old-mug' }]),
    );
    const before = await redirects.all();
    const file = csvText([
      ['Redirect from', 'Redirect to'],
      ['/Old-mug/', '/new-mug'],
      ['/new-mug', '/product/river-mug?Colour=Sand'],
      ['/a', '/b'],
      ['/b', '/a'],
      ['https://other.example/x', '/x'],
      ['/x', 'https://other.example/x'],
      ['/cart', '/'],
      ['/old-mug', '/'],
    ]);
    const judged = await send(file);
    expect(judged).toMatchObject({ kind: 'redirects', counts: { new: 2, problem: 6 } });
    const { rows } = await importRuns.rows(judged.id, { outcome: 'problem' }, 'en');
    expect(rows.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(rows[0]?.problems[0]?.text).toMatch(/^row 4, Redirect to: leads back/);
    expect(rows[4]?.problems[0]?.text).toMatch(/^row 8, Redirect from: is a page of this shop/);
    await go(judged.id);
    expect(await redirects.of('/zh/older')).toBe('/zh/product/river-mug?Colour=Sand');
    expect(await redirects.of('/old-mug')).toBe('/product/river-mug?Colour=Sand');
    expect((await send(file)).counts).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
    const own = await textOf(exports.table({ table: 'redirects', origin: 'https://shop.example' }));
    expect(await send(own)).toMatchObject({ kind: 'redirects', counts: { new: 0, changed: 0, problem: 0 } });
    await go(judged.id, 'takeBack');
    expect(await redirects.all()).toEqual(before);
  });
});
