/** Sums of takings, as the office shows them and writes them to a file. */
import { expect, it } from 'vitest';
import type { TakingsCell } from '#contract/staff/takings.ts';
import { moneyOf, sumOf } from './sums.ts';

const cell = (change: Partial<TakingsCell>): TakingsCell => ({
  at: 0,
  store: 'main',
  currency: 'CAD',
  orders: 1,
  subtotal: 1000,
  discount: 100,
  shipping: 50,
  serviceCharge: 20,
  taxes: [{ label: 'HST 13%', amount: 117 }],
  tip: 30,
  total: 1117,
  cancelled: 0,
  cancelledTotal: 0,
  kept: 0,
  back: { net: 0, taxes: [], tip: 0, total: 0 },
  money: [
    { way: 'cash', received: 1117, tips: 30, rounding: 0, refundedRounding: 0, refunded: 0, refundedTips: 0 },
  ],
  ...change,
});

it('the money kept is that received without that given back, over all ways of paying', () => {
  const sums = sumOf([
    cell({}),
    cell({
      money: [
        {
          way: 'cash',
          received: 0,
          tips: 0,
          rounding: 0,
          refundedRounding: 0,
          refunded: 200,
          refundedTips: 10,
        },
        {
          way: 'stripe',
          received: 500,
          tips: 5,
          rounding: 0,
          refundedRounding: 0,
          refunded: 0,
          refundedTips: 0,
        },
      ],
    }),
  ]);
  expect(moneyOf(sums)).toEqual({ received: 1617, refunded: 200, kept: 1417, tips: 25, rounding: 0 });
  expect(sums.money.map(({ way, received }) => [way, received])).toEqual([
    ['cash', 1117],
    ['stripe', 500],
  ]);
});

it('cash counts in the coins that were handed over, as the books have it', () => {
  const coins = { received: 1837, rounding: -2, refunded: 1623, refundedRounding: 3 };
  const money = moneyOf(cell({ money: [{ way: 'cash', tips: 0, refundedTips: 0, ...coins }] }));
  expect(money).toMatchObject({ received: 1835, refunded: 1620, kept: 215, rounding: 1 });
});

it('taxes are added up by their label', () => {
  const { taxes, subtotal, orders } = sumOf([
    cell({}),
    cell({ taxes: [{ label: 'GST 5%', amount: 45 }] }),
    cell({}),
  ]);
  expect(taxes).toEqual([
    { label: 'HST 13%', amount: 234 },
    { label: 'GST 5%', amount: 45 },
  ]);
  expect([orders, subtotal]).toEqual([3, 3000]);
});
