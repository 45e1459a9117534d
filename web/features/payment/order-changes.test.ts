import { describe, expect, it } from 'vitest';
import type { Bill, LineItem } from '#contract/schemas/order.ts';
import { isBlocked, orderChanges } from './order-changes.ts';

const mug = {
  id: 'line-1',
  sku: 'mug',
  quantity: 2,
  unitPrice: 2400,
  obtainable: 9,
  inventoryProcessingStatus: 'available',
} as LineItem;
const bill = { discount: 0, couponCode: null, coupon: null, shipping: 1200, tax: 780, tip: 0, total: 6780 } as Bill;
const seen = { lineItems: [mug], bill };

describe('changes since the shopper last looked at the order', () => {
  it('an unchanged order has no changes to review', () => {
    expect(orderChanges(seen, structuredClone(seen))).toEqual([]);
  });

  it('a new price is listed with every part of the bill that it changed', () => {
    const now = { lineItems: [{ ...mug, unitPrice: 2600 }], bill: { ...bill, tax: 832, total: 7232 } };
    const changes = orderChanges(seen, now);
    expect(changes.map(({ kind }) => kind)).toEqual(['price', 'tax', 'total']);
    expect(changes[0]).toMatchObject({ now: 2600, before: 2400 });
    expect(isBlocked(changes)).toBe(false);
  });

  it('a sold-out or short item is listed and blocks payment', () => {
    const out = { ...mug, inventoryProcessingStatus: 'notAvailable' } as const;
    expect(orderChanges(seen, { lineItems: [{ ...out, obtainable: 0 }], bill })).toMatchObject([{ kind: 'gone' }]);
    const few = orderChanges(seen, { lineItems: [{ ...out, obtainable: 1 }], bill });
    expect(few).toMatchObject([{ kind: 'fewer', left: 1 }]);
    expect(isBlocked(few)).toBe(true);
  });

  it('an item that another tab added or removed is listed', () => {
    const pot = { ...mug, id: 'line-2', sku: 'pot', quantity: 1 };
    expect(orderChanges(seen, { lineItems: [{ ...mug, quantity: 5 }, pot], bill })).toMatchObject([
      { kind: 'quantity', now: 5, before: 2 },
      { kind: 'quantity', now: 1, before: 0 },
    ]);
    expect(orderChanges(seen, { lineItems: [], bill })).toMatchObject([{ kind: 'quantity', now: 0, before: 2 }]);
  });

  it('a promo code that no longer applies is listed with the tip that followed it', () => {
    const held = { lineItems: [mug], bill: { ...bill, couponCode: 'TEA10', discount: 480, tip: 432, total: 6668 } };
    const coupon = { code: 'TEA10', message: 'It has ended' } as Bill['coupon'];
    const lapsed = { lineItems: [mug], bill: { ...bill, coupon, tip: 480, total: 7260 } };
    const changes = orderChanges(held, lapsed);
    expect(changes.map(({ kind }) => kind)).toEqual(['couponGone', 'discount', 'tip', 'total']);
    expect(changes[0]).toMatchObject({ code: 'TEA10', why: 'It has ended' });
    expect(isBlocked(changes)).toBe(false);
    expect(orderChanges(lapsed, held)[0]).toMatchObject({ kind: 'couponNew', code: 'TEA10' });
  });
});
