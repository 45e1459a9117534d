import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, test } from 'vitest';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { Order } from '#contract/schemas/order.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { isUnderWay, nextPickup, OrderMoney, orderStateLabel, statesAhead } from './order-parts.tsx';

const at = Date.UTC(2026, 4, 20, 12);
const card = { provider: 'house', kind: null, amount: 5000, refunded: 0, at };
const cash = { provider: 'counter', kind: 'cash', amount: 1250, refunded: 300, at: at + 60_000 } as const;

async function shown(change: Partial<Order>): Promise<string> {
  const order: Order = {
    ...sampleOrder,
    state: 'placed',
    placedAt: at,
    timeZone: 'America/Toronto',
    ...change,
  };
  const html = renderToStaticMarkup(
    <I18nProvider i18n={await loadI18n('en')}>
      <OrderMoney order={order} />
    </I18nProvider>,
  );
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

it('an order with one payment says how it was paid, and no more', async () => {
  const payment = { method: 'house', paid: true, refunded: 0 };
  expect(await shown({ payment, payments: [card], paid: 5000, due: 0 })).toBe('Paid by card');
  expect(await shown({ payment: { ...payment, paid: false }, payments: [], paid: 0, due: 5000 })).toBe(
    'To be paid in store',
  );
});

it('an order with several payments lists each with its method and time, what was refunded, and what is due', async () => {
  const payment = { method: 'house', paid: false, refunded: 300 };
  expect(await shown({ payment, payments: [card, cash], paid: 5950, due: 750 })).toBe(
    'Paid by card May 20, 2026 at 08:00 $50.00 Paid in cash May 20, 2026 at 08:01 $12.50 Refunded −$3.00 Paid $59.50 Still due $7.50',
  );
});

test('the next state of an order depends on its delivery method', () => {
  expect(statesAhead('placed', 'shipping')).toEqual(['shipped', 'completed']);
  expect(statesAhead('shipped', 'shipping')).toEqual(['completed']);
  expect(statesAhead('reserved', 'pickup')).toEqual(['ready', 'completed']);
  expect(statesAhead('reserved', 'instore')).toEqual(['completed']);
  expect(statesAhead('ready', 'instore')).toEqual(['completed']);
});

test('an ended order has no next state', () => {
  for (const state of ['completed', 'cancelled', 'lapsed'] as const) {
    expect(isUnderWay(state)).toBe(false);
    expect(statesAhead(state, 'pickup')).toEqual([]);
  }
});

test('a finished order is delivered, picked up or served', () => {
  expect(orderStateLabel('completed', 'shipping')).toBe('account.state.completed.shipping');
  expect(orderStateLabel('completed', 'instore')).toBe('account.state.completed.instore');
});

test('a reservation that nobody picked up is not in progress', () => {
  expect(orderStateLabel('lapsed', 'pickup')).toBe('account.state.lapsed');
});

const brief = (orderNumber: string, changes: Partial<OrderBrief>): OrderBrief => {
  return {
    ...sampleOrder,
    orderNumber,
    total: 0,
    currency: 'CAD',
    state: 'reserved',
    method: 'pickup',
    ...changes,
  };
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
