import fc from 'fast-check';
import { expect, it } from 'vitest';
import settings from '#demo/data/settings.json' with { type: 'json' };
import { allocate, priceOrder, type TaxedAmount, taxTableOf } from '#server/modules/pricing/index.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import {
  amountShares,
  billParts,
  type RefundCovers,
  refundAmount,
  refundableOf,
  refundShares,
  taxedOf,
} from './bill-parts.ts';
import type { TaxedPart } from './order.ts';

const table = taxTableOf(settings.taxRates);
const classes = ['standard', 'prepared-food', 'zero-rated-grocery'];

/** A line whose price is divided among what it consists of, as modifiers and sets are. */
const line = fc
  .record({
    quantity: fc.integer({ min: 1, max: 12 }),
    prices: fc.array(fc.record({ price: fc.nat(5000), taxClass: fc.constantFrom(...classes) }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ quantity, prices }) => ({
    quantity,
    unitPrice: prices.reduce((sum, { price }) => sum + price, 0),
    taxClass: 'standard',
    parts: prices.map((part) => ({ ...part, quantity: 1, singleServings: 1 })),
  }));
const discount = fc.oneof(
  fc.constant(null),
  fc.record({
    code: fc.constant('A'),
    kind: fc.constant('percent' as const),
    percent: fc.integer({ min: 1, max: 100_000 }),
  }),
  fc.record({ code: fc.constant('A'), kind: fc.constant('amount' as const), cents: fc.nat(20_000) }),
);

const worth = ({ base, taxes }: TaxedPart) => taxes.reduce((sum, { amount }) => sum + amount, base);

it('all refunds of a bill sum to it, whatever is refunded in whatever order, and none is negative', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      discount,
      fc.constantFrom('ON', 'QC', 'AB', 'NS'),
      fc.nat(3000),
      fc.constantFrom('old', 'lineTaxes', 'kept'),
      fc.infiniteStream(fc.nat()),
      (given, reduced, provinceCode, tip, age, random) => {
        const lines = given.map((each, index) => ({ ...each, id: `l${index}`, sku: `S${index}` }));
        const priced = priceOrder(
          {
            lines,
            discount: reduced,
            shipping: settings.shippingMethods[0] ?? null,
            destination: { countryISOCode: 'CA', provinceCode },
            serviceCharge: { rate: 18_000, taxClass: 'prepared-food' },
            tip: { cents: tip },
          },
          table,
        );
        const {
          lines: pricedLines,
          shippingTaxes,
          serviceCharge,
          serviceChargeTaxes,
          taxed,
          ...sums
        } = priced;
        const kept = taxed();
        const partsOf = (of: TaxedPart['of'], id: string | null, amounts: readonly TaxedAmount[] = []) =>
          amounts.map((each): TaxedPart => ({ of, line: id, place: `CA-${provinceCode}`, ...each }));
        const parts = [
          ...lines.flatMap(({ id }, index) => partsOf('line', id, kept.lines[index])),
          ...partsOf('shipping', null, kept.shipping),
          ...partsOf('serviceCharge', null, kept.serviceCharge),
        ];
        const bill = {
          ...sampleBill,
          ...sums,
          serviceCharge: { nameContent: { en: 'Service' }, amount: serviceCharge, taxes: serviceChargeTaxes },
          ...(age === 'kept' ? { taxed: parts } : {}),
          // Bills from before each line's tax was stored have none.
          ...(age === 'old'
            ? {}
            : {
                lineTaxes: [
                  ...lines.map(({ sku, id }, index) => ({
                    sku,
                    line: id,
                    taxes: pricedLines[index]?.taxes ?? [],
                  })),
                  ...(shippingTaxes.length > 0 ? [{ sku: null, line: null, taxes: shippingTaxes }] : []),
                ],
              }),
        };
        const done: RefundCovers[] = [];
        const amounts: number[] = [];
        const returned: TaxedPart[] = [];
        // A line's discount is the same cent in the bill and in what its refund is calculated from.
        if (age === 'kept')
          expect(billParts(bill, lines).lines.map(({ net }) => net)).toEqual(
            pricedLines.map(({ lineTotal, discount: off }) => lineTotal - off),
          );
        for (;;) {
          const left = refundableOf(bill, lines, done);
          const open = left.lines.filter((each) => each.amounts.length > 0);
          const pick = open[(random.next().value ?? 0) % Math.max(1, open.length)];
          const isLast = !pick;
          const covers: RefundCovers = {
            lines: pick
              ? [{ line: pick.line, quantity: 1 + ((random.next().value ?? 0) % pick.amounts.length) }]
              : [],
            shipping: isLast,
            serviceCharge: isLast,
          };
          const amount = refundAmount(left, covers);
          const shares = refundShares(bill, lines, done, covers);
          expect(shares.reduce((sum, each) => sum + worth(each), 0)).toBe(amount);
          expect(shares.every(({ base, taxes }) => base >= 0 && taxes.every((tax) => tax.amount >= 0))).toBe(
            true,
          );
          returned.push(...shares);
          amounts.push(amount);
          done.push(covers);
          if (isLast) break;
        }
        expect(Math.min(...amounts)).toBeGreaterThanOrEqual(0);
        expect(amounts.reduce((sum, amount) => sum + amount, tip)).toBe(bill.total);
        for (const { label, amount } of bill.taxLines)
          expect(
            returned
              .flatMap(({ taxes }) => taxes)
              .reduce((sum, tax) => sum + (tax.label === label ? tax.amount : 0), 0),
          ).toBe(amount);
        expect(amountShares(taxedOf(bill, lines), returned, 100)).toEqual([]);
        expect(refundableOf(bill, lines, done)).toEqual({
          lines: lines.map(({ id }) => ({ line: id, amounts: [] })),
          shipping: 0,
          serviceCharge: 0,
        });
      },
    ),
    { numRuns: 2000 },
  );
});

it('a unit is refunded with its share of the discount and its own tax', () => {
  const lines = [
    { id: 'mug', quantity: 2, unitPrice: 1000 },
    { id: 'tea', quantity: 1, unitPrice: 2000 },
  ];
  const hst = (amount: number) => [{ label: 'HST 13%', amount }];
  const bill = {
    ...sampleBill,
    subtotal: 4000,
    discount: allocate(400, [2000, 2000]).reduce((a, b) => a + b),
    tax: 234,
    total: 3834,
    lineTaxes: [
      { sku: 'MUG', line: 'mug', taxes: hst(234) },
      { sku: 'TEA', line: 'tea', taxes: [] },
    ],
  };
  expect(refundableOf(bill, lines, []).lines).toEqual([
    { line: 'mug', amounts: [1017, 2034] },
    { line: 'tea', amounts: [1800] },
  ]);
  const left = refundableOf(bill, lines, [{ lines: [{ line: 'mug', quantity: 1 }] }]);
  expect(left.lines[0]).toEqual({ line: 'mug', amounts: [1017] });
  expect(() => refundAmount(left, { lines: [{ line: 'mug', quantity: 2 }] })).toThrow('no longer left');
  expect(() => refundAmount(left, { lines: [{ line: 'other', quantity: 1 }] })).toThrow('no longer left');
});

it('an amount that names no lines takes its share of each part and tax that is left', () => {
  const lines = [
    { id: 'mug', quantity: 2, unitPrice: 1000 },
    { id: 'tea', quantity: 1, unitPrice: 2000, taxClass: 'zero-rated-grocery' },
  ];
  const bill = {
    ...sampleBill,
    subtotal: 4000,
    tax: 260,
    total: 4260,
    lineTaxes: [
      { sku: 'MUG', line: 'mug', taxes: [{ label: 'HST 13%', amount: 260 }] },
      { sku: 'TEA', line: 'tea', taxes: [] },
    ],
  };
  const taxed = taxedOf(bill, lines, { place: 'CA-ON' });
  expect(taxed.map(({ line: id, treatment, base }) => [id, treatment, base])).toEqual([
    ['mug', 'taxable', 2000],
    ['tea', 'zeroRated', 2000],
  ]);
  const half = amountShares(taxed, [], 2130);
  expect(half.map(({ line: id, base, taxes }) => [id, base, taxes[0]?.amount])).toEqual([
    ['mug', 1000, 130],
    ['tea', 1000, undefined],
  ]);
  expect(amountShares(taxed, half, 5000)).toEqual(half.map((each) => ({ ...each })));
});
