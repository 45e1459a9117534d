/** A charge as the shop gives it to a payment provider, for tests. */
import { randomUUID } from 'node:crypto';
import type { Charge } from '#server/modules/payments/providers/provider.ts';

/** 49.72 Canadian dollars for one order, under a reference of its own. */
export const sampleCharge = (change: Partial<Charge> = {}): Charge => ({
  reference: randomUUID(),
  orderId: 'order-1',
  amount: 4972,
  currency: 'CAD',
  locale: 'en',
  ...change,
});
