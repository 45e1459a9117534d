/** An order that was shipped to nobody in particular, for tests of what shows one. */
import type { Order } from '#contract/schemas/order.ts';
import { sampleBill } from './sample-bill.ts';

export const sampleOrder: Order = {
  orderID: 'o1',
  orderNumber: 'MC-2026-000204',
  version: 3,
  state: 'placed',
  lineItems: [],
  customerComment: '',
  orderReserved: false,
  pickUpAtStore: false,
  inStore: false,
  method: 'shipping',
  localStoreName: null,
  tableNumber: null,
  pickupDate: null,
  orderContact: null,
  shippingContact: null,
  shippingAddress: null,
  billingAddress: null,
  shippingMethod: null,
  addTips: false,
  tipRate: 0,
  tipAmount: null,
  tips: null,
  bill: sampleBill,
  timeZone: 'America/Toronto',
  placedAt: Date.UTC(2026, 4, 20, 21, 30),
  payment: null,
};
