import type { Order } from '#contract/schemas/order.ts';

/** The bill of one teapot at $68.00, for tests of views that show bills. */
export const sampleBill: Order['bill'] = {
  subtotal: 6800,
  discount: 0,
  couponCode: null,
  coupon: null,
  shipping: 0,
  shippingSaved: 0,
  final: true,
  taxLines: [],
  tax: 0,
  tip: 0,
  total: 6800,
  currency: 'CAD',
  billVersion: 'v',
};
