import { expect, it } from 'vitest';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { plainProduct, sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { modifierGroupsOf } from './modifier-groups.ts';

const milk = plainGroup('milk', [plainModifier('whole', { default: 1 }), plainModifier('oat', { priceCents: 80 })], { min: 1 });
const ice = plainGroup('ice', [plainModifier('less'), plainModifier('none')]);
const temperature = plainGroup('temperature', [plainModifier('hot', { default: 1 }), plainModifier('iced', { opens: ['ice'] })], {
  min: 1,
});

async function shop(engine: TestApp['engine']): Promise<TestApp> {
  const testApp = await createTestApp({ engine });
  await testApp.services.editor.upsertModifierGroups([milk, ice, temperature]);
  await sellProduct(testApp, 'TEA', { priceCents: 600, modifierGroups: [{ group: 'temperature' }, { group: 'milk' }] });
  return testApp;
}

const upsert = ({ services }: TestApp, ...groups: Parameters<typeof services.editor.upsertModifierGroups>[0]) =>
  services.editor.upsertModifierGroups(groups);

forEachEngine((engine) => {
  it('a product answers with its groups in its order, and with what they open', async () => {
    const testApp = await shop(engine);
    await sellProduct(testApp, 'CUP');
    const { modifierGroups } = await testApp.call('product', { params: { id: 'tea' } });
    expect(modifierGroups?.map(({ id, opened }) => [id, opened])).toEqual([
      ['temperature', false],
      ['milk', false],
      ['ice', true],
    ]);
    expect(modifierGroups?.[1]).toEqual({
      id: 'milk',
      nameContent: { en: 'milk', zh: 'milk' },
      textContent: null,
      min: 1,
      max: 1,
      quantities: false,
      free: 0,
      opened: false,
      setParts: false,
      modifiers: [
        expect.objectContaining({ id: 'whole', price: 0, defaultQuantity: 1 }),
        {
          id: 'oat',
          nameContent: { en: 'oat', zh: 'oat' },
          price: 80,
          prices: [],
          defaultQuantity: 0,
          sku: null,
          dietaryMarks: [],
          allergens: [],
          soldOutAt: [],
          opens: [],
        },
      ],
    });
    expect(await testApp.call('product', { params: { id: 'cup' } })).not.toHaveProperty('modifierGroups');
    const stored = await modifierGroupsOf(testApp.db.read, ['tea', 'cup']);
    expect([...stored.keys()]).toEqual(['tea']);
    expect(stored.get('tea')?.[1]?.modifiers[1]).toMatchObject({ id: 'oat', taxClass: null, singleServings: 1 });
  });

  it('a product has its own numbers and defaults of a shared group, and lacks what it hides', async () => {
    const testApp = await shop(engine);
    await sellProduct(testApp, 'LATTE', {
      modifierGroups: [
        { group: 'milk', min: 0, max: 2, defaults: ['oat'] },
        { group: 'ice', hidden: ['none'] },
      ],
    });
    const { modifierGroups } = await testApp.call('product', { params: { id: 'latte' } });
    expect(modifierGroups?.[0]).toMatchObject({ min: 0, max: 2, modifiers: [{ defaultQuantity: 0 }, { defaultQuantity: 1 }] });
    expect(modifierGroups?.[1]).toMatchObject({ opened: false, modifiers: [{ id: 'less' }] });
    const tea = await testApp.call('product', { params: { id: 'tea' } });
    expect(tea.modifierGroups?.[1]).toMatchObject({
      min: 1,
      max: 1,
      modifiers: [{ defaultQuantity: 1 }, { defaultQuantity: 0 }],
    });
    expect(tea.modifierGroups?.[2]?.modifiers).toHaveLength(2);
  });

  it('a changed group shows at once on the products that use or open it', async () => {
    const testApp = await shop(engine);
    await sellProduct(testApp, 'CUP');
    const names = async () => {
      const { modifierGroups = [] } = await testApp.call('product', { params: { id: 'tea' } });
      return modifierGroups.flatMap(({ modifiers }) => modifiers.map(({ nameContent }) => nameContent.en));
    };
    expect(await names()).toContain('less');
    const version = await testApp.db.catalogueVersion();
    await upsert(testApp, { ...ice, modifiers: [plainModifier('less', { name: { en: 'A little' } })] });
    expect(await names()).toEqual(['hot', 'iced', 'whole', 'oat', 'A little']);
    const rows = await testApp.db.read.selectFrom('catalogue_changes').select('topics').where('version', '>', version).execute();
    const { no } = await testApp.db.read.selectFrom('products').select('no').where('id', '=', 'tea').executeTakeFirstOrThrow();
    expect(rows.flatMap(({ topics }) => JSON.parse(topics))).toEqual([`product:${no}`, 'search']);
  });

  it('cards and lists have the price with the defaults', async () => {
    const testApp = await shop(engine);
    await upsert(testApp, {
      ...milk,
      modifiers: [plainModifier('whole', { default: 1, priceCents: 20 }), plainModifier('oat', { priceCents: 80 })],
    });
    const { products } = await testApp.call('products', {});
    expect(products[0]).toMatchObject({ id: 'tea', priceInfo: { price: 620, from: false } });
    expect(products[0]).not.toHaveProperty('sku');
    const product = await testApp.call('product', { params: { id: 'tea' } });
    expect(product).toMatchObject({ priceInfo: { price: 620 }, skus: [{ priceInfo: { price: 600 } }] });
  });

  it.each<[string, Parameters<TestApp['services']['editor']['upsertModifierGroups']>[0], string]>([
    [
      'a minimum above the number of modifiers',
      [{ ...milk, min: 3, max: 3 }],
      'modifier group milk: min is 3, allowed: at most 2, the number of modifiers',
    ],
    ['a minimum above the maximum', [{ ...milk, min: 2 }], 'modifier group milk: min is 2, allowed: at most max, which is 1'],
    [
      'a default beyond the maximum',
      [plainGroup('ice', [plainModifier('less', { default: 1 }), plainModifier('none', { default: 1 })])],
      'modifier group ice: the defaults are 2 choices, allowed: at most max, which is 1',
    ],
    [
      'a default quantity without quantities',
      [plainGroup('shots', [plainModifier('shot', { default: 2 })], { max: 2 })],
      'modifier group shots: the default of shot is 2, allowed: 0 or 1, unless quantities is true',
    ],
    [
      'a modifier twice',
      [plainGroup('ice', [plainModifier('less'), plainModifier('less')])],
      'modifier group ice: the modifier less is given twice',
    ],
    ['a group twice', [ice, ice], 'modifier group ice: given twice'],
    [
      'an unknown group to open',
      [plainGroup('ice', [plainModifier('less', { opens: ['snow'] })])],
      'modifier group ice: the modifier less opens the unknown modifier group snow',
    ],
    [
      'an unknown SKU',
      [plainGroup('ice', [plainModifier('less', { sku: 'GONE' })])],
      'modifier group ice: the modifier less has the unknown SKU GONE',
    ],
    [
      'a set meal of something else than products',
      [plainGroup('ice', [plainModifier('less')], { setParts: true })],
      'modifier group ice: the modifier less has no SKU, but the modifiers of a set meal are products',
    ],
    [
      'a group that opens itself',
      [plainGroup('ice', [plainModifier('less', { opens: ['temperature'] })])],
      'modifier group ice: it opens itself',
    ],
    [
      'a chain of four groups',
      [
        plainGroup('ice', [plainModifier('less', { opens: ['cubes'] })]),
        plainGroup('cubes', [plainModifier('big', { opens: ['water'] })]),
        plainGroup('water', [plainModifier('hard')]),
      ],
      'modifier group temperature: it opens groups that open groups, allowed: 3 groups deep, and water is deeper',
    ],
  ])(`%s is refused with the place, on ${engine}`, async (_, groups, problem) => {
    const testApp = await shop(engine);
    await expect(upsert(testApp, ...groups)).rejects.toMatchObject({ problems: expect.arrayContaining([problem]) });
    const { modifierGroups } = await testApp.call('product', { params: { id: 'tea' } });
    expect(modifierGroups).toHaveLength(3);
  });

  it('a product that says of its groups what cannot be is refused, and so is one that loses the SKU of a modifier', async () => {
    const testApp = await shop(engine);
    const modifierGroups = [
      { group: 'snow' },
      { group: 'ice' },
      { group: 'ice' },
      { group: 'milk', min: 2, hidden: ['goat'] },
      { group: 'temperature', hidden: ['iced'], defaults: ['hot', 'iced'] },
    ];
    await expect(testApp.services.editor.upsertProducts([plainProduct('odd', { modifierGroups })])).rejects.toMatchObject({
      problems: [
        'product odd: the modifier group ice is given twice',
        'product odd: unknown modifier group snow',
        'product odd: the modifier group milk has no modifier goat',
        'product odd: the modifier group milk: min is 2, allowed: at most max, which is 1',
      ],
    });
    await sellProduct(testApp, 'PEARLS');
    await upsert(testApp, plainGroup('toppings', [plainModifier('pearls', { sku: 'PEARLS' })]));
    const other = { ...plainProduct('pearls'), skus: [{ sku: 'OTHER', options: {}, stock: {} }] };
    await expect(testApp.services.editor.upsertProducts([other])).rejects.toThrow(
      'product pearls: the modifier group toppings takes PEARLS, so it must stay a SKU',
    );
  });
});
