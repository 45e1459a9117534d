import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChoosableGroup,
  type ChoosableModifier,
  chooseModifiers,
  defaultSelections,
  type ModifiedProduct,
  modifierPrice,
  type Selection,
  startingPrice,
} from './modifiers.ts';

function modifier(id: string, price = 0, more: Partial<ChoosableModifier> = {}): ChoosableModifier {
  return {
    id,
    nameContent: { en: id },
    price,
    prices: [],
    defaultQuantity: 0,
    soldOutAt: [],
    opens: [],
    ...more,
  };
}

function group(
  id: string,
  modifiers: ChoosableModifier[],
  more: Partial<ChoosableGroup> = {},
): ChoosableGroup {
  return {
    id,
    nameContent: { en: id },
    min: 0,
    max: 1,
    quantities: false,
    free: 0,
    opened: false,
    modifiers,
    ...more,
  };
}

const product = (...groups: ChoosableGroup[]): ModifiedProduct<ChoosableGroup> => ({
  groups,
  optionPairs: '',
  storeId: null,
});

const choose = (given: ModifiedProduct<ChoosableGroup>, selections: readonly Selection[]) =>
  chooseModifiers(given, selections, 'en');

const milk = group('milk', [modifier('whole', 0, { defaultQuantity: 1 }), modifier('oat', 80)], { min: 1 });
const toppings = group('toppings', [modifier('pearls', 75), modifier('jelly', 60), modifier('foam', 90)], {
  max: 4,
  quantities: true,
});

describe('chosen modifiers', () => {
  it('a modifier costs what it says for the size of the product', () => {
    const oat = modifier('oat', 80, {
      prices: [
        { optionPair: '#Size:Large#Cup:Glass', price: 130 },
        { optionPair: '#Size:Large', price: 110 },
      ],
    });
    expect(modifierPrice(oat, '')).toBe(80);
    expect(modifierPrice(oat, '#Size:Small')).toBe(80);
    expect(modifierPrice(oat, '#Size:Large')).toBe(110);
    expect(modifierPrice(oat, '#Cup:Glass#Size:Large')).toBe(130);
  });

  it('the dearest choices of a group are free, counted by unit', () => {
    const free = { ...toppings, free: 2 };
    const selections = [
      { group: 'toppings', modifier: 'pearls', quantity: 2 },
      { group: 'toppings', modifier: 'foam' },
    ];
    const { chosen, price, errors } = choose(product(free), selections);
    expect(errors).toEqual({});
    expect(chosen.map(({ modifier: { id }, amount }) => [id, amount])).toEqual([
      ['pearls', 75],
      ['foam', 0],
    ]);
    expect(price).toBe(75);
  });

  it('a modifier opens further groups, three deep, whose price counts for each of its quantity', () => {
    const cup = group('cup', [modifier('tea', 100, { opens: ['milk-in-it'] })], { max: 3, quantities: true });
    const inIt = group('milk-in-it', [modifier('oat', 80, { opens: ['foam-on-it'] })], { opened: true });
    const onIt = group('foam-on-it', [modifier('foam', 5)], { opened: true });
    const { price, errors } = choose(product(cup, inIt, onIt), [
      {
        group: 'cup',
        modifier: 'tea',
        quantity: 2,
        modifiers: [
          { group: 'milk-in-it', modifier: 'oat', modifiers: [{ group: 'foam-on-it', modifier: 'foam' }] },
        ],
      },
    ]);
    expect(errors).toEqual({});
    expect(price).toBe(2 * (100 + 80 + 5));
  });

  it.each<[string, ChoosableGroup, Selection[], unknown]>([
    [
      'a required choice that is missing',
      milk,
      [],
      { key: 'rule.modifierMissing', values: { group: 'milk' } },
    ],
    [
      'choices that are missing',
      { ...toppings, min: 3 },
      [{ group: 'toppings', modifier: 'foam' }],
      { key: 'rule.modifiersMissing', values: { group: 'toppings', count: 2 } },
    ],
    [
      'more than a group allows',
      toppings,
      [{ group: 'toppings', modifier: 'foam', quantity: 5 }],
      { key: 'rule.modifiersTooMany', values: { group: 'toppings', count: 4 } },
    ],
    ['an unknown modifier', milk, [{ group: 'milk', modifier: 'soy' }], 'rule.modifierUnknown'],
    [
      'a modifier that is named twice',
      toppings,
      [
        { group: 'toppings', modifier: 'foam' },
        { group: 'toppings', modifier: 'foam' },
      ],
      'rule.modifierUnknown',
    ],
    [
      'a quantity where there are none',
      milk,
      [{ group: 'milk', modifier: 'oat', quantity: 2 }],
      'rule.modifierOnce',
    ],
  ])('%s is an error at its group', (_, asked, selections, error) => {
    expect(choose(product(asked), selections).errors).toEqual({ [`modifiers.${asked.id}`]: error });
  });

  it('an error in a group that a modifier opened stands at its whole path, and a group that nothing opened is unknown', () => {
    const cup = group('cup', [modifier('tea', 0, { opens: ['inside'] }), modifier('water')]);
    const inside = group('inside', [modifier('oat')], { min: 1, opened: true });
    const given = product(cup, inside);
    expect(Object.keys(choose(given, [{ group: 'cup', modifier: 'tea' }]).errors)).toEqual([
      'modifiers.cup.tea.inside',
    ]);
    const elsewhere = { group: 'cup', modifier: 'water', modifiers: [{ group: 'inside', modifier: 'oat' }] };
    expect(choose(given, [elsewhere]).errors).toEqual({
      'modifiers.cup.water.inside': 'rule.modifierUnknown',
    });
    expect(choose(given, [{ group: 'inside', modifier: 'oat' }]).errors).toEqual({
      'modifiers.inside': 'rule.modifierUnknown',
    });
  });

  it('a modifier that is sold out at the store is an error there and nowhere else', () => {
    const given = product(group('milk', [modifier('oat', 80, { soldOutAt: ['harbour'] })]));
    const oat = [{ group: 'milk', modifier: 'oat' }];
    expect(choose({ ...given, storeId: 'harbour' }, oat).errors).toEqual({
      'modifiers.milk': { key: 'rule.modifierSoldOut', values: { modifier: 'oat' } },
    });
    expect(choose({ ...given, storeId: 'studio' }, oat).errors).toEqual({});
    expect(choose(given, oat).errors).toEqual({});
  });

  it('defaults are chosen with what they open, as far as the group allows, and never sold out', () => {
    const ice = group('ice', [modifier('less', 0, { defaultQuantity: 1 })], { opened: true });
    const given = product(
      group('temperature', [modifier('hot'), modifier('iced', 0, { defaultQuantity: 1, opens: ['ice'] })], {
        min: 1,
      }),
      ice,
      group(
        'toppings',
        [modifier('pearls', 75, { defaultQuantity: 3 }), modifier('foam', 90, { defaultQuantity: 2 })],
        {
          max: 4,
          quantities: true,
        },
      ),
      group('milk', [modifier('whole', 0, { defaultQuantity: 1, soldOutAt: ['harbour'] })]),
    );
    const selections = defaultSelections({ ...given, storeId: 'harbour' });
    expect(selections.map(({ modifier: id, quantity }) => [id, quantity])).toEqual([
      ['iced', 1],
      ['pearls', 3],
      ['foam', 1],
    ]);
    expect(selections[0]?.modifiers?.map(({ modifier: id }) => id)).toEqual(['less']);
    expect(choose({ ...given, storeId: 'harbour' }, selections).errors).toEqual({});
  });

  it('a starting price has the defaults and the cheapest of what must be chosen', () => {
    expect(startingPrice(product(milk, toppings))).toEqual({ price: 0, from: false });
    const paid = group('milk', [modifier('whole', 20, { defaultQuantity: 1 }), modifier('oat', 80)], {
      min: 1,
    });
    expect(startingPrice(product(paid))).toEqual({ price: 20, from: false });
    const cake = group('cake', [modifier('tart', 150), modifier('cookie', 40, { opens: ['sauce'] })], {
      min: 1,
    });
    const sauce = group('sauce', [modifier('plum', 10)], { min: 1, opened: true });
    expect(startingPrice(product(cake, sauce))).toEqual({ price: 50, from: true });
    expect(startingPrice(product({ ...toppings, min: 2 }))).toEqual({ price: 120, from: true });
  });

  it('the price of any choice is the naive sum of its units', () => {
    const prices = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 5 });
    const anyGroup = fc.record({
      prices,
      free: fc.integer({ min: 0, max: 4 }),
      quantities: fc.array(fc.integer({ min: 0, max: 3 })),
    });
    const naive = (
      { prices: each, free, quantities }: { prices: number[]; free: number; quantities: number[] },
      inner: number,
    ) => {
      const units = each.flatMap((price, index) =>
        Array.from({ length: quantities[index] ?? 0 }, () => price),
      );
      const paid = units.toSorted((a, b) => b - a).slice(free);
      return paid.reduce((sum, price) => sum + price, 0) + (quantities[0] ?? 0) * inner;
    };
    fc.assert(
      fc.property(fc.array(anyGroup, { minLength: 1, maxLength: 3 }), (levels) => {
        // The first modifier of each level opens the next one.
        const groups = levels.map(({ prices: each, free }, level) => {
          const opens = level + 1 < levels.length ? [`g${level + 1}`] : [];
          const modifiers = each.map((price, index) =>
            modifier(`m${index}`, price, index === 0 ? { opens } : {}),
          );
          return group(`g${level}`, modifiers, { max: 99, quantities: true, free, opened: level > 0 });
        });
        const selectionsAt = (level: number): Selection[] =>
          (levels[level]?.prices ?? []).flatMap((_, index) => {
            const quantity = levels[level]?.quantities[index] ?? 0;
            const inner = index === 0 ? { modifiers: selectionsAt(level + 1) } : {};
            return quantity === 0 ? [] : [{ group: `g${level}`, modifier: `m${index}`, quantity, ...inner }];
          });
        const { price, errors } = choose(product(...groups), selectionsAt(0));
        expect(errors).toEqual({});
        expect(price).toBe(levels.reduceRight((inner, each) => naive(each, inner), 0));
      }),
    );
  });
});
