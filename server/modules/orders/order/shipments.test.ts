/** What of the lines of an order is still to be sent, and what was: papers, the desk and the file of orders say the same. */
import { expect, test } from 'vitest';
import type { OrderState } from '#contract/schemas/order.ts';
import type { RefundCovers } from './bill-parts.ts';
import { lineUnits, type Shipment } from './shipments.repository.ts';

const lines = [
  { id: 'tea', quantity: 3 },
  { id: 'pot', quantity: 1 },
];
const parcel: Shipment = {
  id: 'p',
  orderId: 'o',
  lines: [{ line: 'tea', quantity: 1 }],
  carrier: null,
  number: '',
  url: null,
  at: 0,
};
const refund: RefundCovers = { lines: [{ line: 'tea', quantity: 1, unsent: 1 }] };

/** As `tea left/gone, pot left/gone`. */
const said = (state: OrderState, { isRefunded = false, shipments = [parcel], refunds = [refund] } = {}) =>
  lineUnits({ state, isRefunded, lines, shipments, refunds })
    .map(({ left, gone }) => `${left}/${gone}`)
    .join(', ');

test('an open order has left what is in no parcel and not refunded', () => {
  expect(said('placed')).toBe('1/1, 1/0');
  expect(said('ready', { shipments: [] })).toBe('2/0, 1/0');
  expect(said('reserved', { shipments: [], refunds: [] })).toBe('3/0, 1/0');
});

test('an open order whose money all went back has nothing left, though no line was named', () => {
  expect(said('placed', { isRefunded: true, refunds: [] })).toBe('0/1, 0/0');
});

test('an order that left the shop has gone by its parcels, or without them by all that was not refunded', () => {
  expect(said('shipped')).toBe('0/1, 0/0');
  expect(said('completed', { shipments: [] })).toBe('0/2, 0/1');
});

test('a cancelled or lapsed order has nothing left, and only its parcels are gone', () => {
  for (const state of ['cancelled', 'lapsed'] as const) {
    expect(said(state)).toBe('0/1, 0/0');
    expect(said(state, { shipments: [] })).toBe('0/0, 0/0');
  }
});
