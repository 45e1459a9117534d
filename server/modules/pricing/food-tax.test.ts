/** Tax on food: examples of the tax authorities, all provinces, ways to consume, and properties of any order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FoodClass, foodClasses, taxClasses } from '#contract/taxes.ts';
import settings from '#demo/data/settings.json' with { type: 'json' };
import { mulDivHalfUp } from './cents.ts';
import type { Consumption } from './food-tax/food-tax.ts';
import { type LineToPrice, noTip, type OrderToPrice, priceOrder } from './price-order.ts';
import { taxTableOf } from './tax.ts';

const table = taxTableOf(settings.taxRates);
const shop: Consumption = { eatenIn: false, eatingEstablishment: false };
const eatIn: Consumption = { eatenIn: true, eatingEstablishment: true };
const takeOut: Consumption = { eatenIn: false, eatingEstablishment: true };

function line(
  taxClass: FoodClass | 'standard' | 'prepared-food',
  quantity = 1,
  more: Partial<LineToPrice> = {},
): LineToPrice {
  return { sku: taxClass, quantity, unitPrice: 1000, taxClass, ...more };
}

function price(lines: LineToPrice[], change: Partial<OrderToPrice> = {}) {
  const destination = { countryISOCode: 'CA', provinceCode: 'AB' };
  return priceOrder({ lines, discount: null, shipping: null, destination, tip: noTip, ...change }, table);
}

/** The taxed lines of a sale in Alberta, where GST is all there is. */
function taxedOf(lines: LineToPrice[], consumption: Consumption): string[] {
  return price(lines, { consumption }).lines.flatMap(({ sku, taxes }) => (taxes.length > 0 ? [sku] : []));
}

const taxIn = (provinceCode: string, lines: LineToPrice[], consumption = shop) =>
  price(lines, { destination: { countryISOCode: 'CA', provinceCode }, consumption }).taxLines.map(
    ({ label }) => label,
  );

describe('examples of the tax authorities', () => {
  const mixed = [
    line('bread-product', 2),
    line('sweetened-baked-goods', 2),
    line('sweetened-baked-goods', 2, { sku: 'doughnut' }),
  ];
  it.each<[source: string, what: string, lines: LineToPrice[], consumption: Consumption, taxed: string[]]>([
    [
      'memorandum 4.3, paragraph 97',
      'two bagels, two muffins and two doughnuts of a doughnut shop',
      mixed,
      takeOut,
      [],
    ],
    [
      'memorandum 4.3, paragraph 17',
      'carbonated water in a large bottle',
      [line('carbonated-water', 1, { singleServings: 2 })],
      shop,
      ['carbonated-water'],
    ],
    [
      'memorandum 4.3, paragraph 28',
      'juice in less than 600 mL',
      [line('juice-or-milk-beverage')],
      shop,
      ['juice-or-milk-beverage'],
    ],
    [
      'memorandum 4.3',
      'a box of eight tarts in four packages of two',
      [line('prepackaged-baked-goods', 1, { singleServings: 8 })],
      shop,
      [],
    ],
    [
      'memorandum 4.3',
      'a wrapped ice cream sandwich of 75 mL',
      [line('prepackaged-ice-cream')],
      shop,
      ['prepackaged-ice-cream'],
    ],
    ['memorandum 4.3', 'ice cream in a tub of two litres', [line('basic-grocery')], shop, []],
    ['memorandum 4.3', 'a decorated wedding cake of 230 g or more', [line('basic-grocery')], shop, []],
    [
      'CRA letter of 1998',
      'three bagels and three muffins of a restaurant',
      [line('bread-product', 3), line('sweetened-baked-goods', 3)],
      takeOut,
      [],
    ],
    [
      'CRA letter of 1998',
      'five muffins and a bagel of a restaurant',
      [line('bread-product'), line('sweetened-baked-goods', 5)],
      takeOut,
      [],
    ],
    [
      'CRA letter of 1998',
      'three bagels and two muffins of a restaurant',
      [line('bread-product', 3), line('sweetened-baked-goods', 2)],
      takeOut,
      ['bread-product', 'sweetened-baked-goods'],
    ],
    [
      'Revenu Québec, eating establishments',
      'rolls à la carte in a restaurant',
      [line('bread-product', 2)],
      eatIn,
      ['bread-product'],
    ],
    [
      'Revenu Québec, eating establishments',
      'a bag of coffee beans of a restaurant',
      [line('basic-grocery')],
      takeOut,
      [],
    ],
    ['Revenu Québec, restaurants', 'an uncooked pizza of a restaurant', [line('basic-grocery')], takeOut, []],
    [
      'Revenu Québec, restaurants',
      'a whole cake to take out of a restaurant',
      [line('basic-grocery')],
      takeOut,
      [],
    ],
    [
      'Revenu Québec, restaurants',
      'a whole cake eaten in the restaurant',
      [line('basic-grocery')],
      eatIn,
      ['basic-grocery'],
    ],
    [
      'Revenu Québec, restaurants',
      'a pack of six to take out of a restaurant',
      [line('prepackaged-baked-goods', 1, { singleServings: 6 })],
      takeOut,
      [],
    ],
    [
      'Revenu Québec, basic groceries',
      'water in 600 mL',
      [line('single-serving-beverage', 1, { singleServings: 2 })],
      shop,
      [],
    ],
    [
      'Revenu Québec, basic groceries',
      'a package of several puddings',
      [line('pudding', 1, { singleServings: 4 })],
      shop,
      [],
    ],
    ['Revenu Québec, basic groceries', 'hot coffee', [line('heated-food')], shop, ['heated-food']],
    ['Revenu Québec, basic groceries', 'potato chips', [line('snack-food')], shop, ['snack-food']],
    [
      'Revenu Québec, basic groceries',
      'a soft drink with a deposit on its bottle',
      [line('carbonated-beverage'), line('bottle-deposit')],
      eatIn,
      ['carbonated-beverage'],
    ],
  ])('%s: %s', (_source, _what, lines, consumption, taxed) => {
    expect(taxedOf(lines, consumption)).toEqual(taxed);
  });
});

describe('sweetened baked goods', () => {
  it('five single servings are taxed and six are not, on one line or several, or in a box', () => {
    expect(price([line('sweetened-baked-goods', 5)]).tax).toBe(250);
    expect(price([line('sweetened-baked-goods', 6)]).tax).toBe(0);
    expect(price([line('sweetened-baked-goods', 3), line('sweetened-baked-goods', 3)]).tax).toBe(0);
    expect(price([line('sweetened-baked-goods', 1, { singleServings: 6 })]).tax).toBe(0);
    expect(
      price([line('sweetened-baked-goods', 1, { singleServings: 4 }), line('sweetened-baked-goods')]).tax,
    ).toBe(100);
  });

  it('packs of fewer than six are taxed, however many are sold', () => {
    expect(price([line('prepackaged-baked-goods', 4, { singleServings: 3 })]).tax).toBe(200);
    expect(price([line('prepackaged-baked-goods', 3), line('sweetened-baked-goods', 3)]).tax).toBe(300);
  });

  it('each line of a mixed order is taxed by its own class', () => {
    const lines = [
      line('sweetened-baked-goods', 6),
      line('heated-food'),
      line('basic-grocery'),
      line('bottle-deposit'),
      line('standard'),
    ];
    expect(taxedOf(lines, shop)).toEqual(['heated-food', 'standard']);
  });

  it('six are taxed if they are eaten at an eating establishment', () => {
    const six = [line('sweetened-baked-goods', 6)];
    expect(taxedOf(six, eatIn)).toEqual(['sweetened-baked-goods']);
    expect(taxedOf(six, takeOut)).toEqual([]);
    expect(taxedOf(six, { eatenIn: true, eatingEstablishment: false })).toEqual([]);
  });
});

describe('the ways to consume', () => {
  /** Shop, taken out or delivered from an eating establishment, eaten there: T is taxed. */
  it.each<[FoodClass, string]>([
    ['basic-grocery', '--T'],
    ['ready-to-eat-grocery', '-TT'],
    ['bread-product', '-TT'],
    ['sweetened-baked-goods', 'TTT'],
    ['prepackaged-baked-goods', 'TTT'],
    ['snack-food', 'TTT'],
    ['ice-cream', 'TTT'],
    ['prepackaged-ice-cream', 'TTT'],
    ['pudding', 'TTT'],
    ['single-serving-beverage', 'TTT'],
    ['juice-or-milk-beverage', 'TTT'],
    ['carbonated-beverage', 'TTT'],
    ['carbonated-water', 'TTT'],
    ['dispensed-beverage', 'TTT'],
    ['heated-food', 'TTT'],
    ['cold-prepared-food', 'TTT'],
    ['bottle-deposit', '---'],
  ])('%s is taxed in the ways %s', (foodClass, ways) => {
    const found = [shop, takeOut, eatIn].map((consumption) =>
      taxedOf([line(foodClass)], consumption).length > 0 ? 'T' : '-',
    );
    expect(found.join('')).toBe(ways);
  });

  it('the table above has every class', () => {
    expect(new Set(taxClasses)).toEqual(
      new Set(['standard', 'zero-rated-grocery', 'prepared-food', ...foodClasses]),
    );
    expect(foodClasses).toHaveLength(17);
  });
});

describe('provinces and territories', () => {
  it.each<[string, muffin: string[], hot: string[], drink: string[], soda: string[], snack: string[]]>([
    ['AB', ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%']],
    ['BC', ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%', 'PST 7%'], ['GST 5%']],
    [
      'MB',
      ['GST 5%', 'RST 7%'],
      ['GST 5%', 'RST 7%'],
      ['GST 5%', 'RST 7%'],
      ['GST 5%', 'RST 7%'],
      ['GST 5%', 'RST 7%'],
    ],
    ['NB', ['HST 15%'], ['HST 15%'], ['HST 15%'], ['HST 15%'], ['HST 15%']],
    ['NL', ['HST 15%'], ['HST 15%'], ['HST 15%'], ['HST 15%'], ['HST 15%']],
    ['NS', ['HST 14%'], ['HST 14%'], ['HST 14%'], ['HST 14%'], ['HST 14%']],
    ['NT', ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%']],
    ['NU', ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%']],
    ['ON', ['HST 13%'], ['HST 13%'], ['HST 13%'], ['HST 13%'], ['HST 13%']],
    ['PE', ['HST 15%'], ['HST 15%'], ['HST 15%'], ['HST 15%'], ['HST 15%']],
    [
      'QC',
      ['GST 5%'],
      ['GST 5%', 'QST 9.975%'],
      ['GST 5%', 'QST 9.975%'],
      ['GST 5%', 'QST 9.975%'],
      ['GST 5%', 'QST 9.975%'],
    ],
    [
      'SK',
      ['GST 5%', 'PST 6%'],
      ['GST 5%', 'PST 6%'],
      ['GST 5%', 'PST 6%'],
      ['GST 5%', 'PST 6%'],
      ['GST 5%', 'PST 6%'],
    ],
    ['YT', ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%'], ['GST 5%']],
  ])(
    '%s taxes a muffin, hot food, a prepared drink, a soft drink and a snack, and no groceries',
    (code, ...expected) => {
      const classes = [
        'sweetened-baked-goods',
        'heated-food',
        'dispensed-beverage',
        'carbonated-beverage',
        'snack-food',
      ] as const;
      expect(classes.map((each) => taxIn(code, [line(each)]))).toEqual(expected);
      expect(taxIn(code, [line('basic-grocery'), line('bread-product'), line('bottle-deposit')])).toEqual([]);
      expect(taxIn(code, [line('sweetened-baked-goods', 6)])).toEqual([]);
    },
  );

  it('the rates have all 13', () => {
    expect(settings.taxRates).toHaveLength(13);
  });

  it('an eating establishment of Quebec charges QST on a muffin, one of British Columbia charges no PST', () => {
    expect(taxIn('QC', [line('sweetened-baked-goods')], takeOut)).toEqual(['GST 5%', 'QST 9.975%']);
    expect(taxIn('BC', [line('sweetened-baked-goods')], eatIn)).toEqual(['GST 5%']);
  });

  it('food to another country is an export, untaxed', () => {
    const destination = { countryISOCode: 'US', provinceCode: 'NY' };
    expect(price([line('heated-food')], { destination })).toMatchObject({ tax: 0, final: true });
  });
});

describe('the rebate of Ontario', () => {
  const at = (unitPrice: number, taxClass: FoodClass, more: Partial<LineToPrice> = {}) =>
    line(taxClass, 1, { unitPrice, ...more });

  it('everything that qualifies counts towards $4.00', () => {
    expect(taxIn('ON', [at(250, 'heated-food'), at(150, 'sweetened-baked-goods')])).toEqual(['GST 5%']);
    expect(taxIn('ON', [at(250, 'heated-food'), at(151, 'sweetened-baked-goods')])).toEqual(['HST 13%']);
    expect(taxIn('ON', [at(250, 'heated-food'), line('prepared-food', 1, { unitPrice: 151 })])).toEqual([
      'HST 13%',
    ]);
  });

  it('a bottled or carbonated drink qualifies only in a single serving, with something that does', () => {
    expect(taxIn('ON', [at(200, 'carbonated-beverage')])).toEqual(['HST 13%']);
    expect(taxIn('ON', [at(200, 'carbonated-beverage'), at(200, 'cold-prepared-food')])).toEqual(['GST 5%']);
    expect(
      taxIn('ON', [at(200, 'carbonated-beverage', { singleServings: 6 }), at(200, 'cold-prepared-food')]),
    ).toEqual(['HST 13%', 'GST 5%']);
    expect(taxIn('ON', [at(200, 'juice-or-milk-beverage')])).toEqual(['GST 5%']);
  });

  it('snacks and packed cakes neither qualify nor count', () => {
    expect(taxIn('ON', [at(300, 'heated-food'), at(200, 'snack-food')])).toEqual(['GST 5%', 'HST 13%']);
    expect(taxIn('ON', [at(200, 'prepackaged-baked-goods')])).toEqual(['HST 13%']);
  });

  it('a bagel qualifies where it is taxed', () => {
    expect(taxIn('ON', [at(200, 'bread-product')], takeOut)).toEqual(['GST 5%']);
    expect(taxIn('ON', [at(250, 'bread-product'), at(400, 'heated-food')], shop)).toEqual(['GST 5%']);
  });
});

describe('properties of any order', () => {
  const lineOf = (classes: readonly string[]) =>
    fc.record({
      sku: fc.string(),
      quantity: fc.integer({ min: 1, max: 98 }),
      unitPrice: fc.integer({ min: 0, max: 100_000 }),
      taxClass: fc.constantFrom(...classes),
      singleServings: fc.integer({ min: 1, max: 12 }),
    });
  const orderOf = (classes: readonly string[]): fc.Arbitrary<OrderToPrice> =>
    fc.record({
      lines: fc.array(lineOf(classes), { maxLength: 12 }),
      discount: fc.constantFrom(null, { code: 'P', kind: 'percent' as const, percent: 12_500 }),
      shipping: fc.constantFrom(null, ...settings.shippingMethods),
      destination: fc.constantFrom(
        ...settings.taxRates.map(({ provinceCode }) => ({ countryISOCode: 'CA', provinceCode })),
      ),
      consumption: fc.record({ eatenIn: fc.boolean(), eatingEstablishment: fc.boolean() }),
      tip: fc.constant(noTip),
    });
  const sum = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0);

  it('the taxes of the lines and of shipping sum to the tax of the bill, label by label', () => {
    fc.assert(
      fc.property(orderOf(taxClasses), (order) => {
        const { lines, shippingTaxes, taxLines, tax } = priceOrder(order, table);
        const all = [...lines.flatMap(({ taxes }) => taxes), ...shippingTaxes];
        expect(sum(all.map(({ amount }) => amount))).toBe(tax);
        for (const { label, amount } of taxLines) {
          expect(sum(all.filter((each) => each.label === label).map((each) => each.amount))).toBe(amount);
        }
        expect(lines.every(({ taxes }) => taxes.every(({ amount }) => amount > 0))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('orders without food pay what they did before there were rules for food', () => {
    fc.assert(
      fc.property(orderOf(['standard', 'zero-rated-grocery', 'prepared-food', 'something-new']), (order) => {
        const priced = priceOrder(order, table);
        const province = order.destination?.provinceCode ?? '';
        const net = priced.lines.map(({ lineTotal, discount }) => lineTotal - discount);
        const prepared = sum(net.filter((_, index) => order.lines[index]?.taxClass === 'prepared-food'));
        const rates = (taxClass: string) => {
          if (taxClass === 'zero-rated-grocery') return [];
          if (taxClass === 'prepared-food' && province === 'ON' && prepared <= 400) return [5000];
          return (table.get(province) ?? []).map(({ rate }) => rate);
        };
        const expected = order.lines.map(({ taxClass }, index) =>
          sum(rates(taxClass).map((rate) => mulDivHalfUp(net[index] ?? 0, rate, 100_000))),
        );
        expect(priced.tax - sum(priced.shippingTaxes.map(({ amount }) => amount))).toBe(sum(expected));
      }),
      { numRuns: 1000 },
    );
  });

  it('eating in, or at an eating establishment, never lowers what is taxed', () => {
    fc.assert(
      fc.property(orderOf(foodClasses), (order) => {
        const destination = { countryISOCode: 'CA', provinceCode: 'AB' };
        const [a = 0, b = 0, c = 0] = [shop, takeOut, eatIn].map(
          (consumption) => priceOrder({ ...order, destination, consumption }, table).tax,
        );
        expect(a).toBeLessThanOrEqual(b);
        expect(b).toBeLessThanOrEqual(c);
      }),
    );
  });
});
