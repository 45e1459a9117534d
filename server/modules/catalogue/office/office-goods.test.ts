/** The room Goods, over HTTP. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { countStatement, type FoundBy, pageStatement } from './goods.repository.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const list = async (query: Record<string, string> = {}) =>
    (await askStaff(testApp, 'goods', { as, query })).body;
  const load = async (product: string) =>
    (await askStaff(testApp, 'product', { as, params: { product } })).body;
  const save = async (product: string, edits: object[], lang = 'en') => {
    const { revision } = await load(product);
    return askStaff(testApp, 'saveProduct', {
      as,
      params: { product },
      query: { lang },
      body: { revision, edits },
    });
  };
  const add = (id: string, like: string | null = null) =>
    askStaff(testApp, 'addProduct', { as, body: { id, name: { en: 'Quartz jar', zh: '石英罐' }, like } });

  it('a page lists all products, the newest first, and each filter counts what a look at every product finds', async () => {
    const all: Awaited<ReturnType<typeof list>>['products'] = [];
    const { count } = await list();
    for (let skip = 0; skip < count; skip += 50) all.push(...(await list({ skip: String(skip) })).products);
    expect(new Set(all.map(({ id }) => id)).size).toBe(count);
    const whole = await Promise.all(all.map(async ({ id }) => (await load(id)).content));
    const [example] = whole;
    if (!example) throw new Error('The demo has no products');
    const counted = async (query: Record<string, string>) => (await list(query)).count;
    const where = (test: (product: (typeof whole)[number]) => boolean) => whole.filter(test).length;
    const brand = all[0]?.brand ?? '';
    expect(await counted({ brand })).toBe(all.filter((each) => each.brand === brand).length);
    const tag = whole.flatMap(({ tags }) => tags)[0] ?? '';
    expect(await counted({ tag })).toBe(where(({ tags }) => tags.includes(tag)));
    expect(await counted({ fromCents: '2000', toCents: '5000' })).toBe(
      where(({ priceCents }) => priceCents >= 2000 && priceCents <= 5000),
    );
    for (const status of ['draft', 'active', 'archived'])
      expect(await counted({ status })).toBe(where((each) => each.status === status));
    expect(await counted({ stock: 'none' })).toBe(all.filter(({ quantity }) => quantity === 0).length);
    const store = 'toronto-queen-west';
    const held = where(({ skus }) => skus.some(({ stock }) => (stock[store] ?? 0) > 0));
    expect(await counted({ stock: 'some', store })).toBe(held);
    expect(await counted({ stock: 'none', store })).toBe(count - held);
    expect(await counted({ without: 'picture' })).toBe(where(({ images }) => images.length === 0));
    expect(await counted({ without: 'chinese' })).toBe(where(({ name }) => name.zh === undefined));
  });

  it('a store has what never runs out, drafts too, and not what it sold out of; pages, counts and all that is chosen agree', async () => {
    const store = 'toronto-queen-west';
    const { editor, stock, stores } = testApp.services;
    const brand = (await list()).products[0]?.brand ?? '';
    const given: [id: string, sku: object, status: string][] = [
      ['jar-uncounted', { counted: false }, 'active'],
      ['jar-oversold', { oversell: true }, 'draft'],
      ['jar-closed', { counted: false }, 'active'],
      ['jar-stocked', {}, 'active'],
      ['jar-empty', {}, 'draft'],
    ];
    for (const [id, sku, status] of given) {
      await add(id);
      const edits = Object.entries({ brand, status, name: { en: 'Slate jar' }, tags: ['gift'] }).map(
        ([field, to]) => ({
          path: [field],
          to,
        }),
      );
      const ofSku = Object.entries(sku).map(([field, to]) => ({ path: ['skus', id, field], to }));
      expect((await save(id, [...edits, ...ofSku])).status).toBe(200);
    }
    const [queenWest] = (await stores.all()).filter(({ id }) => id === store);
    if (queenWest) await editor.markSoldOut(queenWest, 'sku:jar-closed');
    const listAll = async (query: Record<string, string>) => (await list(query)).products.map(({ id }) => id);
    const there = async () =>
      (await listAll({ stock: 'some', store, brand, text: 'slate' }))
        .filter((id) => id.startsWith('jar-'))
        .sort();
    await stock.count([{ sku: 'jar-stocked', place: store, units: 1 }]);
    expect(await there()).toEqual(['jar-oversold', 'jar-stocked', 'jar-uncounted']);
    await stock.count([{ sku: 'jar-stocked', place: store, units: 0 }]);
    expect(await there()).toEqual(['jar-oversold', 'jar-uncounted']);
    const filters = [{}, { text: 'slate' }, { tag: 'gift' }, { text: 'slate', tag: 'gift' }].flatMap(
      (filter) =>
        [{}, { stock: 'some', store }, { stock: 'none', store }].flatMap((held) =>
          [{}, { brand, status: 'draft' }].map((other) => ({ ...filter, ...held, ...other })),
        ),
    );
    for (const filter of filters) {
      const { count } = await list(filter);
      const pages: string[] = [];
      for (let skip = 0; skip < count; skip += 50)
        pages.push(...(await listAll({ ...filter, skip: String(skip) })));
      const { body } = await askStaff(testApp, 'goodsIds', { as, query: { ...filter, most: '500' } });
      expect([filter, pages]).toEqual([filter, body.ids]);
      expect(pages).toHaveLength(count);
    }
  });

  it('a product is found by words, by the beginning of a SKU and by its bar code, also before it is published', async () => {
    expect((await add('quartz-jar')).status).toBe(200);
    const edits = [{ path: ['skus', 'quartz-jar', 'gtin'], to: '4006381333931' }];
    expect((await save('quartz-jar', edits)).status).toBe(200);
    for (const text of ['quartz jar', '石英', 'quartz-j', '4006381333931', 'QUARTZ'])
      expect(
        (await list({ text })).products.map(({ id }) => id),
        text,
      ).toEqual(['quartz-jar']);
    const published = (await list({ status: 'active' })).products[0];
    if (!published) throw new Error('The demo has no products');
    const word = published.name.en?.split(' ')[0] ?? '';
    const found = (await list({ text: word, status: 'active' })).products.map(({ id }) => id);
    expect(found).toContain(published.id);
    for (const text of ['zzqx', "' or 1=1 --", '%', '"; drop'])
      expect((await askStaff(testApp, 'goods', { as, query: { text } })).status).toBe(200);
    expect((await list({ text: 'zzqxw' })).count).toBe(0);
  });

  it('a new product is not for sale until it is published, and the page says why not', async () => {
    expect((await add('sun-jar')).body.whyNot).toEqual(['draft', 'soldOut', 'noPrice', 'noPicture']);
    const listed = (await list({ text: 'sun-jar' })).products.find(({ id }) => id === 'sun-jar');
    expect(listed).toMatchObject({ priced: false });
    expect((await list()).products.some(({ priced }) => priced)).toBe(true);
    expect((await testApp.ask('product', { params: { id: 'sun-jar' } })).status).toBe(404);
    expect((await add('sun-jar')).body.errors).toHaveProperty('id');
    const saved = await save('sun-jar', [
      { path: ['priceCents'], to: 4200 },
      { path: ['status'], to: 'active' },
    ]);
    expect(saved.body.whyNot).toEqual(['soldOut', 'noPicture']);
    expect((await testApp.ask('product', { params: { id: 'sun-jar' } })).status).toBe(200);
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({ action: 'products change', kind: 'product', id: 'sun-jar' });
    expect(entry?.fields).toContainEqual({ field: 'priceCents', from: 0, to: 4200 });
  });

  it('a copy has SKUs of its own, no stock and no bar code, and is not published', async () => {
    const model = (await list({ stock: 'some' })).products.find(({ skus }) => skus > 1)?.id ?? '';
    const { content } = await load(model);
    const { body } = await add('copied', model);
    expect(body.content.skus.map(({ options }) => options)).toEqual(
      content.skus.map(({ options }) => options),
    );
    expect(
      body.content.skus.every(
        ({ sku, stock }) => sku.startsWith('copied') && Object.keys(stock).length === 0,
      ),
    ).toBe(true);
    expect(body.content.status).toBe('draft');
    expect((await load(model)).content).toEqual(content);
  });

  it('an edit that a file would be refused for is refused at its field in the language of the person, and changes nothing', async () => {
    const id = (await list({ stock: 'some' })).products.find(({ skus }) => skus > 1)?.id ?? '';
    const before = await load(id);
    const sku =
      before.content.skus.find(({ stock }) => Object.values(stock).some((units) => units > 0))?.sku ?? '';
    const { status, body } = await save(id, [
      { path: ['priceCents'], to: 'much' },
      { path: ['skus', sku, 'costCents'], to: -1 },
      { path: ['colour'], to: 'red' },
    ]);
    expect(status).toBe(400);
    expect(Object.keys(body.errors ?? {})).toContain(`products.${id}.priceCents`);
    const zh = await save(id, [{ path: ['skus', sku, 'gtin'], to: '123' }], 'zh');
    expect(zh.body.errors?.[`products.${id}.skus.${sku}.gtin`]).toMatch(/\p{Script=Han}/u);
    expect((await save(id, [{ path: ['skus', sku] }])).status).toBe(400);
    expect(await load(id)).toEqual(before);
  });

  it('two people who change different fields both keep theirs, and the same field is asked about', async () => {
    const id = (await list()).products[0]?.id ?? '';
    const { revision } = await load(id);
    const send = (edits: object[]) =>
      askStaff(testApp, 'saveProduct', { as, params: { product: id }, body: { revision, edits } });
    expect((await send([{ path: ['priceCents'], to: 1111 }])).status).toBe(200);
    expect((await send([{ path: ['name', 'zh'], to: '新名' }])).body.content).toMatchObject({
      priceCents: 1111,
    });
    const refused = await send([{ path: ['priceCents'], to: 2222 }]);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([409, ['priceCents']]);
  });

  it('people without the permission see and change no product', async () => {
    const packer = await joinStaff(testApp, 'packer@shop.example', 'packer');
    expect((await askStaff(testApp, 'goods', { as: packer })).status).toBe(403);
    expect(
      (
        await askStaff(testApp, 'saveProduct', {
          as: packer,
          params: { product: 'x' },
          body: { revision: 0, edits: [] },
        })
      ).status,
    ).toBe(403);
  });

  it('a change of all that a filter finds goes on after it was cut, names what it refused, and is taken back but for what was changed since', async () => {
    const ids = ['bulk-a', 'bulk-b', 'bulk-c'];
    for (const id of ids) {
      await add(id);
      await save(id, [{ path: ['priceCents'], to: 1234 }]);
    }
    const { goodsChanges } = testApp.container;
    const latest = async () => (await askStaff(testApp, 'goodsChanges', { as })).body.changes[0];
    const begin = async (body: object) =>
      askStaff(testApp, 'changeGoods', {
        as,
        body: { filter: {}, ids, latest: (await latest())?.id ?? null, ...body },
      });
    const price = async (id: string) => (await load(id)).content.priceCents;
    expect((await begin({ change: { percent: 1000, round: 99 } })).body).toMatchObject({
      state: 'running',
      total: 3,
      done: 0,
    });
    expect(await price('bulk-a')).toBe(1234);
    await goodsChanges.work();
    expect(await Promise.all(ids.map(price))).toEqual([1399, 1399, 1399]);
    await save('bulk-b', [{ path: ['priceCents'], to: 777 }]);
    await save('bulk-c', [{ path: ['name', 'en'], to: 'Renamed' }]);
    const change = (await latest())?.id ?? '';
    expect((await askStaff(testApp, 'takeGoodsChangeBack', { as, params: { change } })).body.state).toBe(
      'takingBack',
    );
    await goodsChanges.work();
    expect(await Promise.all(ids.map(price))).toEqual([1234, 777, 1234]);
    expect((await load('bulk-c')).content.name.en).toBe('Renamed');
    expect(await latest()).toMatchObject({ state: 'takenBack', done: 3, problems: [{ product: 'bulk-b' }] });
    testApp.clock.advance(1000);
    const whole = await list({ text: 'quartz' });
    const all = { filter: { text: 'quartz' }, ids: null, change: { percent: 1000 } };
    expect((await begin({ ...all, latest: null })).body.errorKey).toBe('error.goods.changedMany');
    expect((await begin({ ...all, change: { set: 555 } })).status).toBe(200);
    // Found by the filter, but not when it was pressed.
    await add('quartz-late');
    await goodsChanges.work();
    expect((await load('quartz-late')).content.priceCents).not.toBe(555);
    expect((await latest())?.total).toBe(whole.count);
    expect((await list({ text: 'quartz', fromCents: '555', toCents: '555' })).count).toBe(whole.count);
  });

  it('a picture is kept under a name by its content, and what is none is refused', async () => {
    const send = async (payload: Buffer, type: string, cookie = as.header) =>
      testApp.app.inject({
        method: 'POST',
        url: `${staffBase}media?name=IMG_2034.JPG`,
        headers: { [clientTokenHeader]: staffToken, cookie, 'content-type': type },
        payload,
      });
    const pixel = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } })
      .jpeg()
      .toBuffer();
    const { file, image } = (await send(pixel, 'image/jpeg')).json();
    expect(file).toMatch(/^img-2034-[0-9a-f]{8}\.jpg$/);
    expect(image).toMatchObject({ width: 40, height: 30 });
    expect((await save('quartz-jar', [{ path: ['images'], to: [file] }])).status).toBe(200);
    expect(
      (await list({ text: 'quartz-jar' })).products.find(({ id }) => id === 'quartz-jar')?.image,
    ).toEqual(image);
    for (const [bytes, type] of [
      [Buffer.from('<svg/>'), 'image/jpeg'],
      [Buffer.from('<svg/>'), 'image/svg+xml'],
    ] as const)
      expect((await send(bytes, type)).statusCode).toBe(400);
    expect((await send(pixel, 'image/jpeg', '')).statusCode).toBe(401);
  });

  it('a product is led back to any earlier version, long texts too, and that is a change like others', async () => {
    await add('river-jar');
    const path = ['description', 'en'];
    const long = (word: string) => [`${word} `.repeat(80).trim()];
    const skus = [
      { sku: 'RJ-1', options: { Size: 'One' }, stock: {} },
      { sku: 'RJ-2', options: { Size: 'Two' }, stock: {} },
    ];
    const value = (en: string) => ({
      name: { en },
      priceDeltaCents: 0,
      overridePriceCents: null,
      skuSuffix: en,
      color: null,
      image: null,
    });
    const sizes = [{ name: { en: 'Size' }, values: [value('One'), value('Two')] }];
    await save('river-jar', [{ path, to: long('first') }]);
    await save('river-jar', [
      { path: ['options'], to: sizes },
      { path: ['skus'], to: skus },
    ]);
    const second = await load('river-jar');
    await save('river-jar', [
      { path, to: long('third') },
      { path: ['skus', 'RJ-1', 'priceCents'], to: 900 },
      { path: ['tags'], to: [] },
    ]);
    await save('river-jar', [
      { path: ['options'], to: [] },
      { path: ['skus'], to: [{ sku: 'river-jar', options: {}, stock: {} }] },
    ]);
    const revisions = async () =>
      (await askStaff(testApp, 'productRevisions', { as, params: { product: 'river-jar' } })).body.revisions;
    const before = await revisions();
    expect(before.map(({ by, isKept }) => [by, isKept])).toEqual([
      ...Array(4).fill(['Mei Chen', true]),
      ['Mei Chen', false],
    ]);
    expect(before[1]?.fields).toContainEqual({ path, from: long('first'), to: long('third') });
    const restore = async (revision: number, seen?: number) => {
      const body = { revision, seen: seen ?? (await load('river-jar')).revision };
      return askStaff(testApp, 'restoreProduct', { as, params: { product: 'river-jar' }, body });
    };
    const { content, revision: latest } = await load('river-jar');
    const late = await restore(before[2]?.no ?? 0, latest - 1);
    expect([late.status, late.body.errorKey]).toEqual([409, 'office.document.changed']);
    expect((await load('river-jar')).content).toEqual(content);
    expect((await restore(before[2]?.no ?? 0)).body.content).toEqual(second.content);
    expect((await restore(before.at(-1)?.no ?? 0)).body.content).toMatchObject({
      description: { en: [], zh: [] },
    });
    expect(await revisions()).toHaveLength(7);
    expect((await restore(1_000_000)).status).toBe(404);
  });

  it('a translation is named as outdated, with what the text was, until it is written again', async () => {
    await add('old-words');
    const outdated = async () => (await load('old-words')).outdated;
    expect(await outdated()).toEqual({});
    await save('old-words', [{ path: ['name', 'en'], to: 'New words' }]);
    expect(await outdated()).toEqual({ 'name.zh': 'Quartz jar' });
    await save('old-words', [{ path: ['name', 'en'], to: 'Newer words' }]);
    expect(await outdated()).toEqual({ 'name.zh': 'Quartz jar' });
    await save('old-words', [{ path: ['name', 'zh'], to: '新词' }]);
    expect(await outdated()).toEqual({});
    // Of a long text the journal has no words, only the way back.
    const long = (word: string) => [`${word} `.repeat(200).trim()];
    await save('old-words', [{ path: ['description'], to: { en: long('old'), zh: ['旧'] } }]);
    await save('old-words', [{ path: ['description', 'en'], to: long('new') }]);
    expect(await outdated()).toEqual({ 'description.zh': long('old') });
  });

  describe('the filters', () => {
    const shapes: [string, FoundBy, RegExp][] = [
      ['nothing', {}, /COVERING INDEX/],
      ['drafts', { status: 'draft' }, /products_(?:found|goods)/],
      ['missing pictures', { without: 'picture' }, /products_unpictured/],
      ['missing Chinese', { without: 'chinese' }, /products_untranslated/],
      ['a tag', { tag: 'gift' }, /product_tags_tag/],
      ['a brand', { brand: 'lumen' }, /products_(?:brand|goods)/],
      ['prices', { fromCents: 100, toCents: 900 }, /products_goods/],
      ['a bar code', { words: { text: '4006381333931', groups: [] } }, /skus_gtin/],
    ];
    it.each(shapes)(
      'products that are filtered by %s are counted and read in pages without reading every product',
      async (_, found, index) => {
        for (const statement of [
          countStatement(testApp.db, found),
          pageStatement(testApp.db, found, { skip: 0, most: 50 }),
        ]) {
          const query = statement.compile();
          const explained = {
            ...query,
            sql: `${engine === 'sqlite' ? 'explain query plan' : 'explain'} ${query.sql}`,
          };
          // Over a few rows PostgreSQL reads the table, whatever the indexes: only that it can explain the query is seen there.
          const { rows } = await testApp.db.read.executeQuery<Record<string, string>>(explained);
          const plan = rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n');
          expect(plan).toMatch(engine === 'sqlite' ? /USING/ : /products/);
          if (engine === 'sqlite') expect(plan).not.toMatch(/SCAN products$/m);
          if (engine === 'sqlite' && 'as' in statement && query.sql.includes('count(*)'))
            expect(plan).toMatch(index);
        }
      },
    );
  });
});
