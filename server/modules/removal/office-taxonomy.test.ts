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
          brand: 'old-kiln',
          category: index % 2 === 0 ? 'pots' : 'iron',
          published: index > 0,
          tags: index % 3 === 0 ? ['rustic', 'rough'] : ['rustic'],
        }),
      ),
    );
  });
  type Kind = 'brand' | 'category' | 'tag';
  const lists = { brand: 'brands', category: 'categories', tag: 'tags' } as const;
  const removals = { brand: 'removeBrand', category: 'removeCategory', tag: 'removeTag' } as const;
  const uses = { brand: 'brandUse', category: 'categoryUse', tag: 'tagUse' } as const;
  const saves = { brand: 'saveBrand', category: 'saveCategory', tag: 'saveTag' } as const;
  const list = async (kind: Kind) => (await askStaff(testApp, lists[kind], { as })).body.taxons;
  const load = (kind: Kind, id: string) => askStaff(testApp, kind, { as, params: { id } });
  const save = async (kind: Kind, id: string, edits: object[]) => {
    const { revision } = (await load(kind, id)).body;
    return askStaff(testApp, saves[kind], { as, params: { id }, body: { revision, edits } });
  };
  const end = (kind: Kind, id: string, to: string | null, merge: boolean) =>
    askStaff(testApp, removals[kind], { as, params: { id }, body: { to, merge } });
  const useOf = async (kind: Kind, id: string, query: Record<string, string>) =>
    (await askStaff(testApp, uses[kind], { as, params: { id }, query })).body;
  const found = async (words: string) =>
    (await testApp.call('productSearchCount', { params: { nameLike: words } })).count;
  const inCategory = async (id: string) => (await testApp.call('category', { params: { name: id } })).count;

  it('products of a brand are found by its new name, and no longer by the old one', async () => {
    expect(await found('Ozmaware')).toBe(29);
    expect((await save('brand', 'old-kiln', [{ path: ['name'], to: { en: 'Zephyrware' } }])).status).toBe(
      200,
    );
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
    const below = await save('category', 'pots', [{ path: ['parent'], to: 'iron' }]);
    expect(below.status).toBe(400);
    expect((await save('category', 'iron', [{ path: ['parent'], to: 'kettles' }])).status).toBe(200);
    const late = await askStaff(testApp, 'saveCategory', {
      as,
      params: { id: 'iron' },
      body: { revision, edits: [{ path: ['parent'], to: null }] },
    });
    expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([409, ['parent']]);
    expect((await save('category', 'iron', [{ path: ['parent'], to: 'pots' }])).status).toBe(200);
    expect(await inCategory('pots')).toBe(29);
  });

  it('a place among the others is kept, and shows in the storefront', async () => {
    const brands = async () => (await testApp.call('brands')).map(({ name }) => name);
    const before = await brands();
    const moved = await askStaff(testApp, 'moveTaxon', {
      as,
      params: { kind: 'brand', id: 'new-kiln' },
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
    expect(await useOf('category', 'pots', { to: 'kettles', merge: 'true' })).toEqual({
      refused: null,
      affected: [
        '15 products will move to the category kettles',
        'the category iron will move to the category kettles',
        'menu “Lunch” will serve the category kettles instead',
      ],
    });
    expect((await useOf('category', 'pots', { to: 'kettles' })).affected.slice(1)).toEqual([
      'the category iron will move to the top level',
      'menu “Lunch” will no longer serve it',
    ]);
    expect((await useOf('category', 'pots', {})).refused).toContain('every product needs one');
    expect((await useOf('category', 'pots', { to: 'iron', merge: 'true' })).refused).toContain(
      'iron is below it',
    );
    for (const [to, merge] of [
      [null, true],
      [null, false],
      ['iron', true],
      ['nowhere', false],
    ] as const)
      expect(Object.keys((await end('category', 'pots', to, merge)).body.errors ?? {})).toEqual(['to']);
    expect((await list('category')).find(({ id }) => id === 'pots')?.products).toBe(30);
    expect((await end('category', 'pots', 'kettles', true)).status).toBe(200);
    const left = await list('category');
    expect(left.some(({ id }) => id === 'pots')).toBe(false);
    expect(left.find(({ id }) => id === 'kettles')?.products).toBe(30);
    expect(left.find(({ id }) => id === 'iron')?.parent).toBe('kettles');
    expect((await testApp.services.settings.all()).menus[0]?.categories).toEqual(['kettles']);
    expect(await testApp.container.redirects.all()).toContainEqual({
      from: '/products/pots',
      to: '/products/kettles',
    });
    expect(await inCategory('kettles')).toBe(29);
    const { entries } = (await askStaff(testApp, 'journal', { as, query: { kind: 'product', id: 'pot-2' } }))
      .body;
    expect(entries[0]).toMatchObject({
      action: 'taxonomy merge',
      fields: [{ field: 'category', from: 'pots', to: 'kettles' }],
    });
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
      askStaff(testApp, 'addCategory', { as, body: { id: 'cast', name: text('Cast'), parent: 'iron' } });
    expect((await add()).body.content).toMatchObject({ id: 'cast', parent: 'iron', image: null });
    expect((await list('category')).find(({ id }) => id === 'cast')).toMatchObject({
      parent: 'iron',
      products: 0,
    });
    expect(Object.keys((await add()).body.errors ?? {})).toEqual(['id']);
    expect((await end('category', 'cast', null, false)).status).toBe(200);
  });

  it('the history of a category has what files and the office changed, and leads back to the same bytes past new places', async () => {
    const { editor } = testApp.services;
    const input = {
      id: 'tin',
      parent: null,
      name: { zh: '锡', en: 'Tin' },
      description: text('Soft'),
      image: null,
    };
    await editor.upsertCategories([input]);
    await editor.upsertCategories([{ ...input, parent: 'kettles', description: text('Softer') }]);
    const { revision } = (await load('category', 'tin')).body;
    expect((await save('category', 'tin', [{ path: ['name'], to: { en: 'Pewter' } }])).status).toBe(200);
    const move = { as, params: { kind: 'category', id: 'tin' }, body: { before: null } };
    await askStaff(testApp, 'moveTaxon', { ...move, body: { before: 'iron' } });
    await askStaff(testApp, 'moveTaxon', move);
    const { revisions } = (await askStaff(testApp, 'categoryRevisions', { as, params: { id: 'tin' } })).body;
    expect(revisions.map(({ action }) => action)).toContain('taxonomy order');
    const back = async (to: number) => {
      const seen = (await load('category', 'tin')).body.revision;
      const body = { revision: to, seen };
      return (await askStaff(testApp, 'restoreCategory', { as, params: { id: 'tin' }, body })).body.content;
    };
    expect(await back(revision)).toEqual({ ...input, parent: 'kettles', description: text('Softer') });
    await back(revisions.at(-1)?.no ?? 0);
    const exported = (await testApp.services.catalogueExport.categories()).find(({ id }) => id === 'tin');
    expect(JSON.stringify(exported)).toBe(JSON.stringify(input));
  });
});
