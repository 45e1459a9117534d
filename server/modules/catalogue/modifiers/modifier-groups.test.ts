import { beforeAll, describe, expect, it } from 'vitest';
import { type Problem, problem } from '#contract/problems.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { plainProduct, sellProduct } from '#tests/products.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { wholeDatabase } from '#tests/whole-database.ts';
import { modifierGroupsOf } from './modifier-groups.ts';

const milk = plainGroup(
  'milk',
  [plainModifier('whole', { default: 1 }), plainModifier('oat', { priceCents: 80 })],
  { min: 1 },
);
const ice = plainGroup('ice', [plainModifier('less'), plainModifier('none')]);
const temperature = plainGroup(
  'temperature',
  [plainModifier('hot', { default: 1 }), plainModifier('iced', { opens: ['ice'] })],
  {
    min: 1,
  },
);

async function shop(engine: TestApp['engine']): Promise<TestApp> {
  const testApp = await createTestApp({ engine });
  await testApp.services.editor.upsertModifierGroups([milk, ice, temperature]);
  await sellProduct(testApp, 'TEA', {
    priceCents: 600,
    modifierGroups: [{ group: 'temperature' }, { group: 'milk' }],
  });
  return testApp;
}

const upsert = (
  { services }: TestApp,
  ...groups: Parameters<typeof services.editor.upsertModifierGroups>[0]
) => services.editor.upsertModifierGroups(groups);

onBothEngines((engine) => {
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
    expect(stored.get('tea')?.[1]?.modifiers[1]).toMatchObject({
      id: 'oat',
      taxClass: null,
      singleServings: 1,
    });
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
    expect(modifierGroups?.[0]).toMatchObject({
      min: 0,
      max: 2,
      modifiers: [{ defaultQuantity: 0 }, { defaultQuantity: 1 }],
    });
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
    const rows = await testApp.db.read
      .selectFrom('catalogue_changes')
      .select('topics')
      .where('version', '>', version)
      .execute();
    const { no } = await testApp.db.read
      .selectFrom('products')
      .select('no')
      .where('id', '=', 'tea')
      .executeTakeFirstOrThrow();
    expect(rows.flatMap(({ topics }) => JSON.parse(topics))).toEqual([`product:${no}`, 'search']);
  });

  it('cards and lists have the price with the defaults', async () => {
    const testApp = await shop(engine);
    await upsert(testApp, {
      ...milk,
      modifiers: [
        plainModifier('whole', { default: 1, priceCents: 20 }),
        plainModifier('oat', { priceCents: 80 }),
      ],
    });
    const { products } = await testApp.call('products', {});
    expect(products[0]).toMatchObject({ id: 'tea', priceInfo: { price: 620, from: false } });
    expect(products[0]).not.toHaveProperty('sku');
    const product = await testApp.call('product', { params: { id: 'tea' } });
    expect(product).toMatchObject({ priceInfo: { price: 620 }, skus: [{ priceInfo: { price: 600 } }] });
  });

  describe('groups that cannot be', () => {
    let testApp: TestApp;
    let before = '';
    beforeAll(async () => {
      testApp = await shop(engine);
      before = await wholeDatabase(testApp);
    });

    it.each<[string, Parameters<TestApp['services']['editor']['upsertModifierGroups']>[0], Problem]>([
      [
        'a minimum above the number of modifiers',
        [{ ...milk, min: 3, max: 3 }],
        problem(['modifierGroups', 'milk', 'min'], 'problem.group.count', { count: 2, found: '3' }),
      ],
      [
        'a minimum above the maximum',
        [{ ...milk, min: 2 }],
        problem(['modifierGroups', 'milk', 'min'], 'problem.group.max', { max: 1, found: '2' }),
      ],
      [
        'a default beyond the maximum',
        [plainGroup('ice', [plainModifier('less', { default: 1 }), plainModifier('none', { default: 1 })])],
        problem(['modifierGroups', 'ice'], 'problem.group.defaults', { defaults: 2, max: 1 }),
      ],
      [
        'a default quantity without quantities',
        [plainGroup('shots', [plainModifier('shot', { default: 2 })], { max: 2 })],
        problem(['modifierGroups', 'shots', 'modifiers', 'shot', 'default'], 'problem.group.quantities', {
          found: '2',
        }),
      ],
      [
        'a modifier twice',
        [plainGroup('ice', [plainModifier('less'), plainModifier('less')])],
        problem(['modifierGroups', 'ice', 'modifiers', 'less'], 'problem.repeated'),
      ],
      ['a group twice', [ice, ice], problem(['modifierGroups', 'ice'], 'problem.repeated')],
      [
        'an unknown group to open',
        [plainGroup('ice', [plainModifier('less', { opens: ['snow'] })])],
        problem(['modifierGroups', 'ice', 'modifiers', 'less', 'opens'], 'problem.reference', {
          kind: 'modifierGroup',
          found: '"snow"',
        }),
      ],
      [
        'an unknown SKU',
        [plainGroup('ice', [plainModifier('less', { sku: 'GONE' })])],
        problem(['modifierGroups', 'ice', 'modifiers', 'less', 'sku'], 'problem.sku.unknown', {
          found: '"GONE"',
        }),
      ],
      [
        'a set meal of something else than products',
        [plainGroup('ice', [plainModifier('less')], { setParts: true })],
        problem(['modifierGroups', 'ice', 'modifiers', 'less', 'sku'], 'problem.group.setPart'),
      ],
      [
        'a group that opens itself',
        [plainGroup('ice', [plainModifier('less', { opens: ['temperature'] })])],
        problem(['modifierGroups', 'ice'], 'problem.group.itself'),
      ],
      [
        'a chain of four groups',
        [
          plainGroup('ice', [plainModifier('less', { opens: ['cubes'] })]),
          plainGroup('cubes', [plainModifier('big', { opens: ['water'] })]),
          plainGroup('water', [plainModifier('hard')]),
        ],
        problem(['modifierGroups', 'temperature'], 'problem.group.deep', { levels: 3, groups: 'water' }),
      ],
    ])(`%s is refused with the place and changes nothing, on ${engine}`, async (_, groups, expected) => {
      await expect(upsert(testApp, ...groups)).rejects.toMatchObject({
        problems: expect.arrayContaining([expected]),
      });
      expect(await wholeDatabase(testApp)).toBe(before);
    });
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
    const at = ['products', 'odd', 'modifierGroups'];
    await expect(
      testApp.services.editor.upsertProducts([plainProduct('odd', { modifierGroups })]),
    ).rejects.toMatchObject({
      problems: [
        problem([...at, 'ice'], 'problem.repeated'),
        problem([...at, 'snow'], 'problem.reference', { kind: 'modifierGroup', found: '"snow"' }),
        problem([...at, 'milk'], 'problem.group.modifier', { found: '"goat"', allowed: '"whole", "oat"' }),
        problem([...at, 'milk', 'min'], 'problem.group.max', { max: 1, found: '2' }),
      ],
    });
    await sellProduct(testApp, 'PEARLS');
    await upsert(testApp, plainGroup('toppings', [plainModifier('pearls', { sku: 'PEARLS' })]));
    const other = { ...plainProduct('pearls'), skus: [{ sku: 'OTHER', options: {}, stock: {} }] };
    await expect(testApp.services.editor.upsertProducts([other])).rejects.toMatchObject({
      problems: [
        problem(['products', 'pearls', 'skus', 'PEARLS'], 'problem.group.takes', { group: 'toppings' }),
      ],
    });
  });
});
