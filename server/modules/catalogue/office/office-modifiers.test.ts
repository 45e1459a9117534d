/** The room Menus and modifiers, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const text = (en: string) => ({ en, zh: `${en}（中文）` });

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
    for (const id of ['glaze', 'gift'])
      await askStaff(testApp, 'addModifierGroup', { as, body: { id, name: text(id) } });
    await sellProduct(testApp, 'MUG-OAT', { modifierGroups: [{ group: 'glaze' }] });
  });
  const load = async (group: string) =>
    (await askStaff(testApp, 'modifierGroup', { as, params: { id: group } })).body;
  const save = async (group: string, edits: object[]) =>
    askStaff(testApp, 'saveModifierGroup', {
      as,
      params: { id: group },
      body: { revision: (await load(group)).revision, edits },
    });
  const tryOut = (group: string, edits: object[]) =>
    askStaff(testApp, 'tryModifierGroup', { as, params: { id: group }, body: { edits } });
  const shown = async () =>
    (await testApp.call('product', { params: { id: 'mug-oat' } })).modifierGroups ?? [];
  const edits = [
    { path: ['min'], to: 1 },
    { path: ['modifiers', 'choice-1', 'priceCents'], to: 250 },
    { path: ['modifiers', 'choice-1', 'opens'], to: ['gift'] },
  ];

  it('the preview of an edit shows what the product page shows once it is saved', async () => {
    const before = await shown();
    const { groups } = (await tryOut('glaze', edits)).body;
    expect(await shown()).toEqual(before);
    expect((await save('glaze', edits)).status).toBe(200);
    expect(groups).toMatchObject([
      { id: 'glaze', min: 1, modifiers: [{ price: 250 }] },
      { id: 'gift', opened: true },
    ]);
    expect(await shown()).toEqual(groups);
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({ action: 'modifiers change', kind: 'modifierGroup', id: 'glaze' });
  });

  it('an edit that a file would be refused for is refused at its field, and what opens itself is refused', async () => {
    const wrong = await save('glaze', [
      { path: ['max'], to: 0 },
      { path: ['modifiers', 'choice-1', 'name', 'en'] },
    ]);
    expect(Object.keys(wrong.body.errors ?? {}).sort()).toEqual(
      ['max', 'modifiers.choice-1.name.en'].map((field) => `modifierGroups.glaze.${field}`),
    );
    const unknown = await save('glaze', [{ path: ['modifiers', 'choice-1', 'sku'], to: 'NOWHERE' }]);
    expect(Object.keys(unknown.body.errors ?? {})).toEqual(['modifierGroups.glaze.modifiers.choice-1.sku']);
    expect((await save('gift', [{ path: ['modifiers', 'choice-1', 'opens'], to: ['glaze'] }])).status).toBe(
      400,
    );
  });

  it('a group is led back to how it was, unless somebody else saved it meanwhile, and the product page follows', async () => {
    const revisions = async () =>
      (await askStaff(testApp, 'modifierGroupRevisions', { as, params: { id: 'glaze' } })).body.revisions;
    const { revision: before } = await load('glaze');
    const then = await shown();
    const bytes = JSON.stringify((await load('glaze')).content);
    const names = { path: ['modifiers', 'choice-1', 'name'], to: { zh: '上釉', en: 'Glazed' } };
    expect(
      (await save('glaze', [names, { path: ['modifiers', 'choice-1', 'priceCents'], to: 990 }])).status,
    ).toBe(200);
    expect(await shown()).not.toEqual(then);
    expect((await revisions())[0]).toMatchObject({ action: 'modifiers change', isKept: true });
    const { revision: seen } = await load('glaze');
    await save('glaze', [{ path: ['max'], to: 2 }]);
    const restore = (body: object) =>
      askStaff(testApp, 'restoreModifierGroup', { as, params: { id: 'glaze' }, body });
    expect((await restore({ revision: before, seen })).status).toBe(409);
    const { revision: latest } = await load('glaze');
    expect((await restore({ revision: before, seen: latest })).status).toBe(200);
    expect(JSON.stringify((await load('glaze')).content)).toBe(bytes);
    expect(await shown()).toEqual(then);
  });

  it('a group says which products ask for it, also through another one, and is removed from all of them', async () => {
    const { groups } = (await askStaff(testApp, 'modifierGroups', { as })).body;
    expect(
      groups.filter(({ id }) => id === 'glaze' || id === 'gift').map(({ products }) => products),
    ).toEqual([1, 1]);
    expect((await load('glaze')).products.map(({ name }) => name)).toEqual(['mug-oat']);
    const use = await askStaff(testApp, 'modifierGroupUse', {
      as,
      params: { id: 'glaze' },
      query: { lang: 'zh' },
    });
    expect(use.body).toEqual({ refused: null, affected: ['商品 mug-oat 不再提供该选项组'] });
    for (const group of ['gift', 'glaze'])
      expect((await askStaff(testApp, 'removeModifierGroup', { as, params: { id: group } })).status).toBe(
        200,
      );
    expect(await shown()).toEqual([]);
    expect((await askStaff(testApp, 'modifierGroup', { as, params: { id: 'glaze' } })).status).toBe(404);
  });

  it('a trial of a menu says when shoppers could order it, in their language, and saving it makes it so', async () => {
    const menus = async () => (await askStaff(testApp, 'menus', { as })).body;
    const { revision, stores } = await menus();
    const menu = {
      id: 'dawn',
      name: text('Dawn'),
      stores: [stores[0]?.name],
      days: ['monday'],
      from: '06:00',
      until: '08:00',
      categories: ['cups'],
      products: [],
      modifierGroups: [],
      limit: null,
    };
    const added = [{ path: ['menus', 'dawn'], to: menu }];
    const tried = await askStaff(testApp, 'tryMenus', {
      as,
      params: { menu: 'dawn' },
      query: { lang: 'zh' },
      body: { edits: added },
    });
    expect(tried.body).toMatchObject({ stores: [{ now: false }], inCategories: expect.any(Number) });
    expect(tried.body.times).toMatch(/周一.*06:00–08:00/);
    const wrong = [{ path: ['menus', 'dawn'], to: { ...menu, from: '6h' } }];
    const refused = await askStaff(testApp, 'saveMenus', { as, body: { revision, edits: wrong } });
    expect(Object.keys(refused.body.errors ?? {})).toEqual(['settings.menus.dawn.from']);
    expect((await askStaff(testApp, 'saveMenus', { as, body: { revision, edits: added } })).status).toBe(200);
    expect((await menus()).content.menus).toContainEqual(expect.objectContaining({ id: 'dawn' }));
    const { served } = await testApp.call('category', { params: { name: 'cups' }, query: { lang: 'en' } });
    expect(served?.text).toMatch(/06:00–08:00/);
  });
});
