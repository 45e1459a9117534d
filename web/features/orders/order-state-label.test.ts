import { expect, test } from 'vitest';
import { isUnderWay, orderStateLabel, statesAhead } from './order-state-label.ts';

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
