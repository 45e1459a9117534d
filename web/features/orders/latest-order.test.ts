import { expect, it } from 'vitest';
import type { OrderBrief } from '#contract/schemas/account.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { nextPickup } from './latest-order.tsx';

const brief = (orderNumber: string, changes: Partial<OrderBrief>): OrderBrief => {
  return { ...sampleOrder, orderNumber, total: 0, currency: 'CAD', state: 'reserved', method: 'pickup', ...changes };
};

it('the next pickup is the earliest order under way that is picked up', () => {
  const orders = [
    brief('sent', { method: 'shipping', state: 'shipped' }),
    brief('no time', { pickupDate: null }),
    brief('later', { pickupDate: 300 }),
    brief('done', { pickupDate: 100, state: 'completed' }),
    brief('next', { pickupDate: 200 }),
  ];
  expect(nextPickup(orders)?.orderNumber).toBe('next');
  expect(nextPickup(orders.slice(0, 2))?.orderNumber).toBe('no time');
  expect(nextPickup([])).toBeUndefined();
});
