/** The room Categories, brands and tags, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { plainProduct } from '#tests/products.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const text = (en: string) => ({ en, zh: `${en}（中文）` });

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
    const { editor } = testApp.services;
    await editor.upsertBrands(
      ['old-kiln', 'new-kiln'].map((id) => ({
        id,
        name: text(id === 'old-kiln' ? 'Ozmaware' : id),
        story: text(''),
        image: null,
      })),
    );
    const none = { description: text(''), image: null };
    await editor.upsertCategories([
      { id: 'pots', parent: null, name: text('Pots'), ...none },
      { id: 'iron', parent: 'pots', name: text('Iron'), ...none },
      { id: 'kettles', parent: null, name: text('Kettles'), ...none },
    ]);
    await editor.upsertTags(['rustic', 'rough'].map((id) => ({ id, name: text(id), description: text('') })));
    await editor.upsertProducts(
      Array.from({ length: 30 }, (_, index) =>
        plainProduct(`pot-${index}`, {
          ...{ brand: 'old-kiln', category: index % 2 === 0 ? 'pots' : 'iron', published: index > 0 },
          tags: index % 3 === 0 ? ['rustic', 'rough'] : ['rustic'],
        }),
      ),
    );
  });
  type Kind = 'brand' | 'category' | 'tag';
  const list = async (kind: Kind) => (await askStaff(testApp, 'taxons', { as, params: { kind } })).body.taxons;
  const load = (kind: Kind, id: string) => askStaff(testApp, 'taxon', { as, params: { kind, id } });
  const save = async (kind: Kind, id: string, edits: object[]) => {
    const { revision } = (await load(kind, id)).body;
    return askStaff(testApp, 'saveTaxon', { as, params: { kind, id }, body: { revision, edits } });
  };
  const end = (kind: Kind, id: string, to: string | null, merge: boolean) =>
    askStaff(testApp, 'removeTaxon', { as, params: { kind, id }, body: { to, merge } });
  const found = async (words: string) => (await testApp.call('productSearchCount', { params: { nameLike: words } })).count;
  const inCategory = async (id: string) => (await testApp.call('category', { params: { name: id } })).count;

  it('products of a brand are found by its new name, and no longer by the old one', async () => {
    expect(await found('Ozmaware')).toBe(29);
    expect((await save('brand', 'old-kiln', [{ path: ['name'], to: { en: 'Zephyrware' } }])).status).toBe(200);
    expect([await found('Zephyrware'), await found('Ozmaware')]).toEqual([29, 0]);
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({
      kind: 'brand',
      id: 'old-kiln',
      fields: expect.arrayContaining([expect.objectContaining({ field: 'name.en', to: 'Zephyrware' })]),
    });
  });

  it('an edit that a file would be refused for is refused at its field, and one that somebody else made is asked about', async () => {
    const { revision } = (await load('category', 'iron')).body;
    const wrong = await save('category', 'iron', [
      { path: ['name', 'en'] },
      { path: ['image'], to: 'nowhere.jpg' },
      { path: ['colour'], to: 'red' },
    ]);
    expect(Object.keys(wrong.body.errors ?? {}).sort()).toEqual(
      ['colour', 'image', 'name.en'].map((field) => `categories.iron.${field}`),
    );
    const below = await save('category', 'pots', [{ path: ['parentId'], to: 'iron' }]);
    expect(below.status).toBe(400);
    expect((await save('category', 'iron', [{ path: ['parentId'], to: 'kettles' }])).status).toBe(200);
    const late = await askStaff(testApp, 'saveTaxon', {
      ...{ as, params: { kind: 'category', id: 'iron' } },
      body: { revision, edits: [{ path: ['parentId'], to: null }] },
    });
    expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([409, ['parentId']]);
    expect((await save('category', 'iron', [{ path: ['parentId'], to: 'pots' }])).status).toBe(200);
    expect(await inCategory('pots')).toBe(29);
  });

  it('a place among the others is kept, and shows in the storefront', async () => {
    const brands = async () => (await testApp.call('brands')).map(({ name }) => name);
    const before = await brands();
    const moved = await askStaff(testApp, 'moveTaxon', {
      ...{ as, params: { kind: 'brand', id: 'new-kiln' } },
      body: { before: before[0] ?? null },
    });
    expect(moved.body.taxons[0]?.id).toBe('new-kiln');
    expect(await brands()).toEqual(['new-kiln', ...before.filter((id) => id !== 'new-kiln')]);
  });

  it('merging moves products and what is below, and menus follow', async () => {
    const menu = {
      id: 'lunch',
      name: text('Lunch'),
      stores: [],
      days: [],
      from: '11:00',
      until: '14:00',
      products: [],
      limit: null,
    };
    await testApp.services.settings.update({ menus: [{ ...menu, categories: ['pots', 'kettles'] }] });
    const use = (await askStaff(testApp, 'taxonUse', { as, params: { kind: 'category', id: 'pots' } })).body;
    expect(use).toEqual({ products: 15, children: ['iron'], mentions: [{ in: 'menu', name: 'Lunch', lists: true }] });
    for (const [to, merge] of [
      [null, true],
      [null, false],
      ['iron', true],
      ['nowhere', false],
    ] as const)
      expect((await end('category', 'pots', to, merge)).status).toBe(400);
    expect((await list('category')).find(({ id }) => id === 'pots')?.products).toBe(30);
    const { body } = await end('category', 'pots', 'kettles', true);
    expect(body.taxons.some(({ id }) => id === 'pots')).toBe(false);
    expect(body.taxons.find(({ id }) => id === 'kettles')?.products).toBe(30);
    expect(body.taxons.find(({ id }) => id === 'iron')?.parent).toBe('kettles');
    expect((await testApp.services.settings.all()).menus[0]?.categories).toEqual(['kettles']);
    expect(await testApp.container.redirects.all()).toContainEqual({ from: '/products/pots', to: '/products/kettles' });
    expect(await inCategory('kettles')).toBe(29);
    const { entries } = (await askStaff(testApp, 'journal', { as, query: { kind: 'product', id: 'pot-2' } })).body;
    expect(entries[0]).toMatchObject({ action: 'taxonomy merge', fields: [{ field: 'category', from: 'pots', to: 'kettles' }] });
  });

  it('a product with two tags that are merged has the other one once, and a removed tag is taken off', async () => {
    expect((await end('tag', 'rough', 'rustic', true)).status).toBe(200);
    expect((await list('tag')).find(({ id }) => id === 'rustic')?.products).toBe(30);
    expect((await end('tag', 'rustic', null, false)).status).toBe(200);
    const { content } = (await askStaff(testApp, 'product', { as, params: { product: 'pot-3' } })).body;
    expect(content.tags).toEqual([]);
  });

  it('a category, brand or tag is added after the others, and its id is taken then', async () => {
    const add = () =>
      askStaff(testApp, 'addTaxon', {
        as,
        params: { kind: 'category' },
        body: { id: 'cast', name: text('Cast'), parent: 'iron' },
      });
    expect((await add()).body.taxons.find(({ id }) => id === 'cast')).toMatchObject({ parent: 'iron', products: 0 });
    expect(Object.keys((await add()).body.errors ?? {})).toEqual(['id']);
    expect((await end('category', 'cast', null, false)).status).toBe(200);
  });
});
