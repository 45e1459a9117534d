import { expect, test } from 'vitest';
import { isUnderWay, orderStateLabel, statesAhead } from './state-words.ts';

test('what is still to come depends on how the order is got', () => {
  expect(statesAhead('placed', 'shipping')).toEqual(['shipped', 'completed']);
  expect(statesAhead('shipped', 'shipping')).toEqual(['completed']);
  expect(statesAhead('reserved', 'pickup')).toEqual(['ready', 'completed']);
  expect(statesAhead('reserved', 'instore')).toEqual(['completed']);
  expect(statesAhead('ready', 'instore')).toEqual(['completed']);
});

test('nothing is to come of an order that has ended', () => {
  for (const state of ['completed', 'cancelled', 'lapsed'] as const) {
    expect(isUnderWay(state)).toBe(false);
    expect(statesAhead(state, 'pickup')).toEqual([]);
  }
});

test('an order is delivered, picked up or served', () => {
  expect(orderStateLabel('completed', 'shipping')).toBe('account.state.completed.shipping');
  expect(orderStateLabel('completed', 'instore')).toBe('account.state.completed.instore');
});

test('a reservation that nobody came for is not in progress', () => {
  expect(orderStateLabel('lapsed', 'pickup')).toBe('account.state.lapsed');
});
