import { describe, expect, it } from 'vitest';
import type { Bill, LineItem } from '#contract/schemas/order.ts';
import { isBlocked, orderChanges } from './order-changes.ts';

const mug = { sku: 'mug', quantity: 2, unitPrice: 2400, obtainable: 9, inventoryProcessingStatus: 'available' } as LineItem;
const bill = { discount: 0, couponCode: null, coupon: null, shipping: 1200, tax: 780, tip: 0, total: 6780 } as Bill;
const seen = { lineItems: [mug], bill };

describe('what changed since the shopper looked', () => {
  it('is nothing while nothing did', () => {
    expect(orderChanges(seen, structuredClone(seen))).toEqual([]);
  });

  it('names a new price, and every part of the bill it moved', () => {
    const now = { lineItems: [{ ...mug, unitPrice: 2600 }], bill: { ...bill, tax: 832, total: 7232 } };
    const changes = orderChanges(seen, now);
    expect(changes.map(({ kind }) => kind)).toEqual(['price', 'tax', 'total']);
    expect(changes[0]).toMatchObject({ now: 2600, before: 2400 });
    expect(isBlocked(changes)).toBe(false);
  });

  it('names what is gone or too few, which no yes can mend', () => {
    const out = { ...mug, inventoryProcessingStatus: 'notAvailable' } as const;
    expect(orderChanges(seen, { lineItems: [{ ...out, obtainable: 0 }], bill })).toMatchObject([{ kind: 'gone' }]);
    const few = orderChanges(seen, { lineItems: [{ ...out, obtainable: 1 }], bill });
    expect(few).toMatchObject([{ kind: 'fewer', left: 1 }]);
    expect(isBlocked(few)).toBe(true);
  });

  it('names what another tab put in or took out', () => {
    const pot = { ...mug, sku: 'pot', quantity: 1 };
    expect(orderChanges(seen, { lineItems: [{ ...mug, quantity: 5 }, pot], bill })).toMatchObject([
      { kind: 'quantity', now: 5, before: 2 },
      { kind: 'quantity', now: 1, before: 0 },
    ]);
    expect(orderChanges(seen, { lineItems: [], bill })).toMatchObject([{ kind: 'quantity', now: 0, before: 2 }]);
  });

  it('names a promo code that no longer holds, and a tip that followed it', () => {
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
