import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import coupons from '#demo/data/coupons.json' with { type: 'json' };
import settings from '#demo/data/settings.json' with { type: 'json' };
import { allocate, mulDivHalfUp } from './cents.ts';
import { type Discount, type LineToPrice, noTip, type OrderToPrice, priceOrder } from './price-order.ts';
import { methodsTo, type ShippingMethodSetting } from './shipping.ts';
import { taxTableOf } from './tax.ts';

const table = taxTableOf(settings.taxRates);
const methods: ShippingMethodSetting[] = settings.shippingMethods;
const method = (id: string) => methods.find((m) => m.id === id) ?? null;
const to = (provinceCode: string | null, countryISOCode = 'CA') => ({ countryISOCode, provinceCode });

const mug: LineToPrice = { sku: 'mug', quantity: 1, unitPrice: 3200, taxClass: 'standard' };
const tea: LineToPrice = { sku: 'tea', quantity: 1, unitPrice: 2700, taxClass: 'zero-rated-grocery' };
const latte: LineToPrice = { sku: 'latte', quantity: 1, unitPrice: 400, taxClass: 'prepared-food' };

function price(change: Partial<OrderToPrice>) {
  return priceOrder(
    { lines: [mug], discount: null, shipping: null, destination: to('ON'), tip: noTip, ...change },
    table,
  );
}

describe('the demo customer’s orders', () => {
  it.each(settings.demoCustomer.orders.map((order) => [order.orderID, order] as const))(
    'the order %s is priced as billed',
    (_id, order) => {
      const coupon = coupons.find(({ code }) => code === order.couponCode);
      const discount: Discount | null = coupon
        ? { code: coupon.code, kind: 'percent', percent: coupon.percent * 1000 }
        : null;
      const priced = price({
        lines: order.lineItems.map((line) => ({
          sku: line.sku,
          quantity: line.quantity,
          unitPrice: line.unitPriceCents,
          taxClass: line.taxClass,
        })),
        discount,
        shipping: order.shippingMethod ? method(order.shippingMethod) : null,
        tip: { basisPoints: Math.round(order.tipRate * 10_000) },
      });
      expect(priced).toMatchObject({
        subtotal: order.totals.subtotalCents,
        discount: order.totals.discountCents,
        shipping: order.totals.shippingCents,
        taxLines: [{ label: order.totals.taxLabel, amount: order.totals.taxCents }],
        tax: order.totals.taxCents,
        tip: order.totals.tipCents,
        total: order.totals.totalCents,
        final: true,
      });
    },
  );
});

describe('tax', () => {
  it.each([
    ['ON', 3200, [['HST 13%', 416]]],
    ['NS', 3200, [['HST 14%', 448]]],
    ['NB', 3200, [['HST 15%', 480]]],
    ['AB', 3200, [['GST 5%', 160]]],
    [
      'BC',
      3200,
      [
        ['GST 5%', 160],
        ['PST 7%', 224],
      ],
    ],
    [
      'MB',
      3200,
      [
        ['GST 5%', 160],
        ['RST 7%', 224],
      ],
    ],
    [
      'SK',
      3200,
      [
        ['GST 5%', 160],
        ['PST 6%', 192],
      ],
    ],
    // 3200 × 9.975 % = 319.2; 150 × 9.975 % = 14.96
    [
      'QC',
      3200,
      [
        ['GST 5%', 160],
        ['QST 9.975%', 319],
      ],
    ],
    [
      'QC',
      150,
      [
        ['GST 5%', 8],
        ['QST 9.975%', 15],
      ],
    ],
  ] as const)('the tax in %s on %i cents matches the worked example', (province, unitPrice, lines) => {
    const { taxLines } = price({ lines: [{ ...mug, unitPrice }], destination: to(province) });
    expect(taxLines.map(({ label, amount }) => [label, amount])).toEqual(lines);
  });

  it('tax is rounded half up per line, not on the sum', () => {
    // 650 × 13 % = 84.5 → 85 each; on the total it would be 169.
    const cake = { ...latte, unitPrice: 650 };
    expect(price({ lines: [cake, { ...cake, sku: 'tart' }] }).tax).toBe(170);
    expect(price({ lines: [{ ...cake, quantity: 2 }] }).tax).toBe(169);
  });

  it('a set is rounded once for each rate, and its classes divide the tax', () => {
    const part = (cents: number, taxClass: string) => ({
      price: cents,
      quantity: 1,
      taxClass,
      singleServings: 1,
    });
    const set: LineToPrice = {
      sku: 'set',
      quantity: 1,
      unitPrice: 2300,
      taxClass: 'standard',
      parts: [part(767, 'standard'), part(767, 'prepared-food'), part(766, 'heated-food')],
    };
    // By part it would be 100 three times.
    const priced = price({ lines: [set] });
    expect(priced.tax).toBe(299);
    const [parts = []] = priced.taxed().lines;
    expect(parts.map(({ taxClass, base, taxes }) => [taxClass, base, taxes[0]?.amount])).toEqual([
      ['standard', 767, 100],
      ['prepared-food', 767, 100],
      ['heated-food', 766, 99],
    ]);
  });

  it('units of a set count once for each day, however many classes it has', () => {
    const part = (taxClass: string) => ({ price: 500, quantity: 1, taxClass, singleServings: 1 });
    const sold = {
      day: '2025-03-31',
      rates: [{ name: 'HST', label: 'HST 15%', rate: 15_000, kind: 'hst' as const }],
    };
    const set: LineToPrice = {
      sku: 'set',
      quantity: 3,
      unitPrice: 1000,
      taxClass: 'standard',
      earlier: [{ ...sold, quantity: 2 }],
      parts: [part('standard'), part('prepared-food')],
    };
    const priced = price({ lines: [set], destination: to('NS'), day: '2025-04-02', sold });
    expect(priced.taxed().lines[0]?.map(({ day, taxClass, quantity }) => [day, taxClass, quantity])).toEqual([
      ['2025-03-31', 'standard', 2],
      ['2025-03-31', 'prepared-food', 0],
      ['2025-04-02', 'standard', 1],
      ['2025-04-02', 'prepared-food', 0],
    ]);
  });

  it('units that were sold before keep their rates, and more units take those of the day', () => {
    const rates = [{ name: 'HST', label: 'HST 15%', rate: 15_000, kind: 'hst' as const }];
    const sold = { day: '2025-03-31', rates };
    const line: LineToPrice = { ...mug, quantity: 3, unitPrice: 1000, earlier: [{ ...sold, quantity: 2 }] };
    const priced = price({
      lines: [line],
      destination: to('NS'),
      day: '2025-04-02',
      sold,
      shipping: method('ca-standard'),
    });
    expect(priced.taxLines).toEqual([
      { label: 'HST 15%', amount: 300 + 180 },
      { label: 'HST 14%', amount: 140 },
    ]);
    expect(priced.taxed().lines[0]?.map(({ day, quantity, base }) => [day, quantity, base])).toEqual([
      ['2025-03-31', 2, 2000],
      ['2025-04-02', 1, 1000],
    ]);
  });

  it('groceries and exports are untaxed', () => {
    expect(price({ lines: [tea] })).toMatchObject({ tax: 0, taxLines: [], total: 2700 });
    expect(
      price({ lines: [mug], shipping: method('us-standard'), destination: to('New York', 'US') }),
    ).toMatchObject({
      shipping: 2400,
      tax: 0,
      total: 5600,
      final: true,
    });
  });

  it('shipping is taxed at the rate of the destination', () => {
    // (3200 + 1200) by 5 % and 9.975 %, each rounded on its own line.
    expect(price({ shipping: method('ca-standard'), destination: to('QC') })).toMatchObject({
      shipping: 1200,
      taxLines: [
        { label: 'GST 5%', amount: 220 },
        { label: 'QST 9.975%', amount: 319 + 120 },
      ],
    });
  });

  it.each(['ON', 'BC', 'QC', 'AB', 'NS', 'MB', 'SK'])(
    'shipping of nothing but groceries is untaxed in %s',
    (province) => {
      const priced = price({ lines: [tea], shipping: method('ca-standard'), destination: to(province) });
      expect([priced.shipping, priced.tax]).toEqual([1200, 0]);
      expect(priced.taxed().shipping).toMatchObject([{ treatment: 'zeroRated', base: 1200, taxes: [] }]);
    },
  );

  it('shipping of a mixed parcel is taxed on the share, by value, of what is taxed', () => {
    // 1200 × 3200 ÷ 5900 = 650.8, of which 13 % is 84.63.
    const mixed = price({ lines: [mug, tea], shipping: method('ca-standard') });
    expect(mixed.shippingTaxes).toEqual([{ label: 'HST 13%', amount: 85 }]);
    expect(mixed.taxed().shipping).toMatchObject([
      { treatment: 'taxable', base: 651, taxes: [{ name: 'HST', rate: 13_000, amount: 85 }] },
      { treatment: 'zeroRated', base: 549, taxes: [] },
    ]);
    const free = price({
      lines: [mug, tea],
      shipping: method('ca-express'),
      discount: { code: 'A', kind: 'amount', cents: 9999 },
    });
    expect(free.taxed().shipping.map(({ base }) => base)).toEqual([1193, 1007]);
  });

  it('shipping of food that bears only the federal tax bears only the federal tax', () => {
    const crisps: LineToPrice = { sku: 'crisps', quantity: 1, unitPrice: 500, taxClass: 'snack-food' };
    expect(
      price({ lines: [crisps], shipping: method('ca-standard'), destination: to('BC') }).shippingTaxes,
    ).toEqual([{ label: 'GST 5%', amount: 60 }]);
    // Ontario rebates its part on the food alone.
    const cheap = { ...latte, unitPrice: 300 };
    expect(price({ lines: [cheap], shipping: method('ca-standard') }).shippingTaxes).toEqual([
      { label: 'HST 13%', amount: 156 },
    ]);
  });

  it('prepared food up to $4.00 in Ontario gets the provincial part back', () => {
    expect(price({ lines: [latte] }).taxLines).toEqual([{ label: 'GST 5%', amount: 20 }]);
    expect(price({ lines: [{ ...latte, unitPrice: 401 }] }).taxLines).toEqual([
      { label: 'HST 13%', amount: 52 },
    ]);
    expect(price({ lines: [{ ...latte, unitPrice: 201, quantity: 2 }] }).tax).toBe(52);
    // Other items of the sale do not count, and are taxed in full.
    expect(price({ lines: [latte, mug] }).taxLines).toEqual([
      { label: 'GST 5%', amount: 20 },
      { label: 'HST 13%', amount: 416 },
    ]);
    expect(price({ lines: [latte], destination: to('NB') }).taxLines).toEqual([
      { label: 'HST 15%', amount: 60 },
    ]);
    // The discounted price counts.
    const discount: Discount = { code: 'HALF', kind: 'percent', percent: 50_000 };
    expect(price({ lines: [{ ...latte, unitPrice: 800 }], discount }).tax).toBe(20);
  });

  it('tax needs a destination', () => {
    for (const destination of [null, to(null), to('XX')]) {
      expect(price({ shipping: method('ca-standard'), destination })).toMatchObject({
        shipping: 0,
        tax: 0,
        total: 3200,
        final: false,
      });
    }
  });

  it('tax rates have up to three decimals', () => {
    expect(() =>
      taxTableOf([{ provinceCode: 'ON', gstPercent: 0, pstPercent: 9.9755, pstLabel: null, hstPercent: 0 }]),
    ).toThrow(RangeError);
  });
});

describe('shipping', () => {
  it('shipping methods for a destination are offered cheapest first', () => {
    expect(methodsTo(methods, to('ON'), 5000).map(({ id }) => id)).toEqual(['ca-standard', 'ca-express']);
    expect(methodsTo(methods, to('NU'), 5000).map(({ id }) => id)).toEqual(['ca-north']);
    expect(methodsTo(methods, to('TX', 'US'), 5000).map(({ id }) => id)).toEqual(['us-standard']);
    expect(methodsTo(methods, to(null), 5000)).toEqual([]);
    expect(methodsTo(methods, to(null, 'FR'), 5000)).toEqual([]);
  });

  it('shipping is free from the threshold on, counted after discount', () => {
    const at = (unitPrice: number, discount: Discount | null = null) =>
      price({ lines: [{ ...mug, unitPrice }], shipping: method('ca-standard'), discount }).shipping;
    expect(at(9499)).toBe(1200);
    expect(at(9500)).toBe(0);
    expect(at(9500, { code: 'ONE', kind: 'amount', cents: 1 })).toBe(1200);
    expect(at(5000, { code: 'SHIPFREE', kind: 'freeShipping' })).toBe(0);
    expect(
      price({ shipping: method('ca-express'), discount: { code: 'SHIPFREE', kind: 'freeShipping' } })
        .shipping,
    ).toBe(2200);
  });
});

describe('discounts and tips', () => {
  it('a discount is shared among the lines to the cent', () => {
    const priced = price({ lines: [mug, tea, latte], discount: { code: 'C', kind: 'amount', cents: 100 } });
    expect(priced.lines.map(({ discount }) => discount)).toEqual([51, 43, 6]);
    expect(priced.discount).toBe(100);
  });
  it('a discount never exceeds the price of the items', () => {
    expect(price({ discount: { code: 'C', kind: 'amount', cents: 9999 } })).toMatchObject({
      discount: 3200,
      tax: 0,
      total: 0,
    });
  });
  it('a discount of certain items is taken off their lines alone, and off their tax', () => {
    const lines = [mug, tea, { ...latte, quantity: 2 }];
    const on = [true, false, true];
    // 15 % of 3200 and of 800; HST on 2720, GST alone on 680 of food up to $4.00.
    const percent = price({ lines, discount: { code: 'C', kind: 'percent', percent: 15_000, on } });
    expect(percent.lines.map(({ discount }) => discount)).toEqual([480, 0, 120]);
    expect(percent).toMatchObject({ subtotal: 6700, discount: 600, tax: 354 + 88, total: 6100 + 354 + 88 });
    // $10.00 between 3200 and 800: 800 and 200.
    const amount = price({ lines, discount: { code: 'C', kind: 'amount', cents: 1000, on } });
    expect(amount.lines.map(({ discount }) => discount)).toEqual([800, 0, 200]);
    // At most what they cost: the tea is paid.
    const all = price({ lines, discount: { code: 'C', kind: 'amount', cents: 99_999, on } });
    expect(all).toMatchObject({ discount: 4000, total: 2700 });
  });
  it('a tip is a share of the discounted items, outside tax', () => {
    expect(
      price({ discount: { code: 'C', kind: 'percent', percent: 10_000 }, tip: { basisPoints: 1500 } }),
    ).toMatchObject({
      discount: 320,
      tip: 432,
      tax: 374,
      total: 2880 + 432 + 374,
    });
  });
});

describe('service charge', () => {
  const serviceCharge = { rate: 18_000, taxClass: 'standard' };
  it('a service charge is a share of the discounted items, and taxed by its class', () => {
    const discount: Discount = { code: 'C', kind: 'percent', percent: 10_000 };
    // 18 % of 2880 is 518.4; HST of 374.4 on the mug and 67.34 on the charge.
    expect(price({ discount, serviceCharge })).toMatchObject({
      serviceCharge: 518,
      serviceChargeTaxes: [{ label: 'HST 13%', amount: 67 }],
      tax: 374 + 67,
      total: 2880 + 518 + 374 + 67,
    });
  });
  it('a service charge without a tax class is not taxed, and a tip does not count it', () => {
    expect(
      price({ serviceCharge: { ...serviceCharge, taxClass: null }, tip: { basisPoints: 1000 } }),
    ).toMatchObject({
      serviceCharge: 576,
      serviceChargeTaxes: [],
      tax: 416,
      tip: 320,
    });
  });
  it('a service charge of a class of food is no serving that changes the tax of the others', () => {
    const muffin: LineToPrice = {
      sku: 'muffin',
      quantity: 5,
      unitPrice: 300,
      taxClass: 'sweetened-baked-goods',
    };
    const muffins = price({ lines: [muffin], destination: to('AB') });
    const charged = price({
      lines: [muffin],
      destination: to('AB'),
      serviceCharge: { rate: 10_000, taxClass: 'sweetened-baked-goods' },
    });
    expect(charged.lines).toEqual(muffins.lines);
    expect(charged.lines[0]?.taxes).toHaveLength(1);
  });
});

describe('properties of any order', () => {
  const line = fc.record({
    sku: fc.string(),
    quantity: fc.integer({ min: 1, max: 98 }),
    unitPrice: fc.integer({ min: 0, max: 2_000_000_000 }),
    taxClass: fc.constantFrom('standard', 'prepared-food', 'zero-rated-grocery', 'something-new'),
  });
  const on = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
  const discount: fc.Arbitrary<Discount | null> = fc.oneof(
    fc.constant(null),
    fc.record(
      {
        code: fc.constant('P'),
        kind: fc.constant('percent' as const),
        percent: fc.integer({ min: 0, max: 100_000 }),
        on,
      },
      { requiredKeys: ['code', 'kind', 'percent'] },
    ),
    fc.record(
      {
        code: fc.constant('A'),
        kind: fc.constant('amount' as const),
        cents: fc.integer({ min: 0, max: 1_000_000 }),
        on,
      },
      { requiredKeys: ['code', 'kind', 'cents'] },
    ),
    fc.constant({ code: 'S', kind: 'freeShipping' as const }),
  );
  const order: fc.Arbitrary<OrderToPrice> = fc.record({
    lines: fc.array(line, { maxLength: 12 }),
    discount,
    shipping: fc.constantFrom(null, ...methods),
    destination: fc.constantFrom(
      null,
      to(null, 'US'),
      ...settings.taxRates.map(({ provinceCode }) => to(provinceCode)),
    ),
    serviceCharge: fc.option(
      fc.record({
        rate: fc.integer({ min: 0, max: 100_000 }),
        taxClass: fc.constantFrom(null, 'standard', 'heated-food'),
      }),
    ),
    tip: fc.oneof(
      fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
      fc.record({ cents: fc.integer({ min: 0, max: 100_000 }) }),
    ),
  });
  const sum = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0);

  it('a discount of certain lines is what their order alone would have, and leaves the others', () => {
    fc.assert(
      fc.property(order, on, (input, lines) => {
        const { discount } = input;
        if (!discount || discount.kind === 'freeShipping') return;
        const { on: _, ...whole } = discount;
        const priced = priceOrder({ ...input, discount: { ...discount, on: lines } }, table);
        const alone = input.lines.filter((_line, index) => lines[index]);
        const theirs = priceOrder({ ...input, lines: alone, discount: whole }, table);
        expect(priced.discount).toBe(theirs.discount);
        expect(priced.lines.filter((_line, index) => lines[index]).map((each) => each.discount)).toEqual(
          theirs.lines.map((each) => each.discount),
        );
        expect(sum(priced.lines.filter((_line, index) => !lines[index]).map((each) => each.discount))).toBe(
          0,
        );
        // On all lines it is the discount that says nothing of lines.
        const everywhere = priceOrder(
          { ...input, discount: { ...discount, on: input.lines.map(() => true) } },
          table,
        );
        expect({ ...everywhere, taxed: null }).toEqual({
          ...priceOrder({ ...input, discount: whole }, table),
          taxed: null,
        });
      }),
    );
  });

  it('the parts sum to the total, in whole cents, none below zero', () => {
    fc.assert(
      fc.property(order, (input) => {
        const priced = priceOrder(input, table);
        expect(priced.total).toBe(
          priced.subtotal -
            priced.discount +
            priced.shipping +
            priced.serviceCharge +
            priced.tax +
            priced.tip,
        );
        const taxed = [
          ...priced.lines.flatMap(({ taxes }) => taxes),
          ...priced.shippingTaxes,
          ...priced.serviceChargeTaxes,
        ];
        expect(priced.tax).toBe(sum(taxed.map(({ amount }) => amount)));
        expect(priced.subtotal).toBe(sum(priced.lines.map(({ lineTotal }) => lineTotal)));
        expect(priced.discount).toBe(sum(priced.lines.map((l) => l.discount)));
        expect(priced.tax).toBe(sum(priced.taxLines.map(({ amount }) => amount)));
        const { subtotal, discount, shipping, serviceCharge, tax, tip, total } = priced;
        for (const amount of [subtotal, discount, shipping, serviceCharge, tax, tip, total]) {
          expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true);
        }
        for (const { lineTotal, discount, taxes } of priced.lines) {
          expect(discount).toBeGreaterThanOrEqual(0);
          expect(discount).toBeLessThanOrEqual(lineTotal);
          for (const { amount } of taxes) expect(amount).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('a percentage is taken off each line, rounded half up', () => {
    fc.assert(
      fc.property(order, fc.integer({ min: 0, max: 100_000 }), (input, percent) => {
        const priced = priceOrder({ ...input, discount: { code: 'P', kind: 'percent', percent } }, table);
        for (const { lineTotal, discount: off } of priced.lines) {
          expect(off).toBe(Number((BigInt(lineTotal) * BigInt(percent) * 2n + 100_000n) / 200_000n));
        }
      }),
    );
  });

  it('a tip changes nothing but the total, and a coupon for shipping nothing but shipping and its tax', () => {
    fc.assert(
      fc.property(order, (input) => {
        const { tip, total, taxed: _, ...rest } = priceOrder(input, table);
        const { taxed: __, ...without } = priceOrder({ ...input, tip: noTip }, table);
        expect({ ...rest, tip: 0, total: total - tip }).toEqual(without);
        if ('basisPoints' in input.tip) expect(tip).toBeLessThanOrEqual(without.subtotal - without.discount);

        const plain = priceOrder({ ...input, discount: null }, table);
        const free = priceOrder({ ...input, discount: { code: 'S', kind: 'freeShipping' } }, table);
        expect(free.shipping + free.shippingSaved).toBe(plain.shipping);
        expect([free.discount, free.tip]).toEqual([0, plain.tip]);
        expect(free.tax).toBeLessThanOrEqual(plain.tax);
      }),
    );
  });

  it('one more of something never costs less, shipping thresholds aside', () => {
    fc.assert(
      fc.property(order, fc.nat(), (input, pick) => {
        fc.pre(input.lines.length > 0);
        const at = pick % input.lines.length;
        const plain = { ...input, discount: null, shipping: null };
        const more = {
          ...plain,
          lines: input.lines.map((l, index) => (index === at ? { ...l, quantity: l.quantity + 1 } : l)),
        };
        expect(priceOrder(more, table).total).toBeGreaterThanOrEqual(priceOrder(plain, table).total);
      }),
    );
  });

  it('a larger discount never costs more goods', () => {
    fc.assert(
      fc.property(
        order,
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (input, a, b) => {
          const off = (cents: number) => {
            const priced = priceOrder({ ...input, discount: { code: 'A', kind: 'amount', cents } }, table);
            return priced.subtotal - priced.discount;
          };
          expect(off(Math.max(a, b))).toBeLessThanOrEqual(off(Math.min(a, b)));
        },
      ),
    );
  });

  it('the order of the lines changes no tax without a discount', () => {
    fc.assert(
      fc.property(order, (input) => {
        const plain = { ...input, discount: null };
        expect(priceOrder({ ...plain, lines: plain.lines.toReversed() }, table).total).toBe(
          priceOrder(plain, table).total,
        );
      }),
    );
  });
});

describe('rounding and sharing', () => {
  it('division rounds half up as exact fractions do', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000_000_000),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 100_000 }),
        (amount, factor, divisor) => {
          const exact = (2n * BigInt(amount) * BigInt(factor) + BigInt(divisor)) / (2n * BigInt(divisor));
          expect(mulDivHalfUp(amount, factor, divisor)).toBe(Number(exact));
        },
      ),
    );
  });
  it('an amount is shared to the cent, and no part exceeds its weight', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, part) => {
          const whole = weights.reduce((a, b) => a + b, 0);
          const total = Math.floor(whole * part);
          const shares = allocate(total, weights);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(total);
          shares.forEach((share, index) => {
            expect(share).toBeLessThanOrEqual(weights[index] ?? 0);
          });
        },
      ),
    );
  });
});
