import { describe, expect, it } from 'vitest';
import { billRows } from './bill-rows.ts';
import type { Bill } from './schemas/order.ts';

const coupon = {
  code: 'TEN',
  nameContent: { en: '10% off' },
  kind: 'percent',
  state: 'applied',
  message: '',
} as const;
const bill: Bill = {
  subtotal: 6400,
  discount: 640,
  couponCode: 'TEN',
  coupon,
  shipping: 1200,
  shippingSaved: 0,
  final: true,
  taxLines: [
    { label: 'GST 5%', amount: 348 },
    { label: 'QST 9.975%', amount: 694 },
  ],
  tax: 1042,
  tip: 576,
  total: 8578,
  currency: 'CAD',
  billVersion: 'v',
};
const look = (rows: ReturnType<typeof billRows>) =>
  rows.map(({ kind, cents, word }) => [kind, word ?? cents]);

describe('the rows of a bill', () => {
  it('the rows of a bill stand in the order of calculation and sum to the total', () => {
    const rows = billRows(bill, { method: 'shipping' });
    expect(look(rows)).toEqual([
      ['subtotal', 6400],
      ['discount', -640],
      ['shipping', 1200],
      ['tax', 348],
      ['tax', 694],
      ['tip', 576],
      ['total', 8578],
    ]);
    expect(rows.slice(0, -1).reduce((sum, { cents }) => sum + (cents ?? 0), 0)).toBe(8578);
  });

  it('the shipping row shows the price before free shipping, and is absent where nothing is shipped', () => {
    const free: Bill = {
      ...bill,
      discount: 0,
      coupon: { ...coupon, kind: 'freeShipping' },
      shipping: 0,
      shippingSaved: 1200,
    };
    const rows = billRows(free, { method: 'shipping' });
    expect(rows.find(({ kind }) => kind === 'shipping')).toMatchObject({
      cents: 0,
      word: 'bill.free',
      was: 1200,
    });
    expect(rows.find(({ kind }) => kind === 'coupon')).toMatchObject({
      cents: null,
      note: { text: { en: '10% off' }, bad: false },
    });
    expect(look(billRows(bill, { method: 'pickup' })).map(([kind]) => kind)).not.toContain('shipping');
  });

  it('the coupon row of a coupon that does not apply gives the reason', () => {
    const lost: Bill = {
      ...bill,
      discount: 0,
      couponCode: null,
      coupon: { ...coupon, state: 'expired', message: 'Too late' },
    };
    expect(billRows(lost, { method: 'shipping' })[1]).toEqual({
      kind: 'coupon',
      label: { key: 'bill.coupon', values: { code: 'TEN' } },
      cents: null,
      word: 'bill.couponNot',
      note: { text: { en: 'Too late' }, bad: true },
    });
  });

  it('the rows of a bill say that unknown amounts come later', () => {
    const open: Bill = { ...bill, final: false, shipping: 0, taxLines: [], tax: 0 };
    expect(look(billRows(open, { method: null })).slice(2, 4)).toEqual([
      ['shipping', 'bill.later'],
      ['tax', 'bill.later'],
    ]);
    const estimated = billRows(open, { method: 'shipping', later: 'bill.unknown' });
    expect(look(estimated).slice(2, 4)).toEqual([
      ['shipping', 'bill.unknown'],
      ['tax', 'bill.unknown'],
    ]);
  });

  it('the rows of a bill end with the refunds, a refunded tip under its own name', () => {
    const refunds = [
      { amount: 576, tip: 576, done: true, at: 1 },
      { amount: 1000, tip: 0, done: false, at: 2 },
    ];
    const rows = billRows(bill, { method: 'shipping', settled: { refunds, paid: 7002, due: 0 } });
    expect(rows.slice(-3).map(({ label, cents, at }) => [label, cents, at])).toEqual([
      [{ key: 'bill.refundedTip' }, -576, 1],
      [{ key: 'bill.refunded' }, -1000, 2],
      [{ key: 'bill.afterRefund' }, 7002, undefined],
    ]);
  });

  it('the sum after refunds is what is kept of a part, and the whole if a payment was corrected', () => {
    const refunds = [{ amount: 1000, tip: 0, done: true, at: 1 }];
    const last = (paid: number, due: number) =>
      billRows(bill, { method: 'pickup', settled: { refunds, paid, due } }).at(-1);
    // Cancelled after 30.00 were paid, of which 10.00 went back.
    expect(last(2000, 0)).toMatchObject({ kind: 'afterRefund', cents: 2000 });
    expect(last(bill.total - 4434, 4434)).toMatchObject({ kind: 'refund' });
  });
});
