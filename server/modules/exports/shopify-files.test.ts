import { describe, expect, it } from 'vitest';
import type { WholeOrder } from '#server/modules/orders/index.ts';
import { orderHeader, orderRows } from './shopify-files.ts';

/** Only the fields that the rows read. */
const placed = {
  id: 'o1',
  number: 'MC-1',
  state: 'placed',
  currency: 'CAD',
  placedAt: 1,
  comment: '',
  contact: null,
  bill: null,
  shippingContact: null,
  shippingAddress: null,
  billingAddress: null,
  storeId: null,
  method: 'pickup',
  tableNumber: null,
  pickupAt: null,
  shippingName: null,
  fulfilledAt: null,
  cancelledAt: null,
  paidAt: null,
  lines: [],
  ways: [],
  references: [],
  due: 0,
  refunded: 0,
  received: 1000,
  corrected: 0,
  rounding: 0,
} as unknown as WholeOrder;

const cell = (change: object, column: string) => {
  const [row] = orderRows({ ...placed, ...change }, (at) => `at ${at}`, new Map());
  return row?.[orderHeader.indexOf(column)] ?? null;
};

describe('the file of orders', () => {
  it('a refund that corrects a payment leaves an order paid, and others do not', () => {
    const status = (change: object) => cell(change, 'Financial Status');
    expect(status({ received: 2000, refunded: 1000, corrected: 1000 })).toBe('paid');
    expect(status({ received: 1000, refunded: 1000, corrected: 1000, due: 1000 })).toBe('pending');
    expect(status({ received: 1000, refunded: 400 })).toBe('partially_refunded');
    expect(status({ received: 2000, refunded: 2000, corrected: 1000 })).toBe('refunded');
    expect(status({ due: 500 })).toBe('partially_paid');
  });

  it('an order with a code for free shipping says what the code took off', () => {
    const bill = {
      subtotal: 2000,
      discount: 0,
      shipping: 0,
      shippingSaved: 1200,
      tax: 260,
      total: 2260,
      tip: 0,
      taxLines: [],
    };
    const sent = { method: 'shipping', bill: { ...bill, couponCode: 'SHIPFREE' } };
    expect(
      ['Discount Code', 'Shipping', 'Shipping discount', 'Total'].map((column) => cell(sent, column)),
    ).toEqual(['SHIPFREE', { decimal: '0.00' }, { decimal: '12.00' }, { decimal: '22.60' }]);
  });

  it('pickups and tables say how they are handed over, where and when', () => {
    expect([cell({}, 'Shipping Method'), cell({ pickupAt: 7 }, 'Note Attributes')]).toEqual([
      'Pickup',
      'Pickup: at 7',
    ]);
    const table = { method: 'instore', tableNumber: '12' };
    expect([cell(table, 'Shipping Method'), cell(table, 'Note Attributes')]).toEqual(['Dine in', 'Table 12']);
    const sent = { method: 'shipping', shippingName: { en: 'Express' } };
    expect([cell(sent, 'Shipping Method'), cell(sent, 'Note Attributes')]).toEqual(['Express', null]);
  });
});
