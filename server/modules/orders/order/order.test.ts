import { describe, expect, it } from 'vitest';
import { orderStates } from '#contract/schemas/order.ts';
import { mayFollow, transitions } from './order.ts';

describe('the states of an order', () => {
  it('the transitions name existing states only', () => {
    expect(Object.keys(transitions).sort()).toEqual([...orderStates].sort());
  });

  it('every state can be reached from the cart', () => {
    const reached = new Set<string>(['cart']);
    for (const state of reached) for (const next of transitions[state as 'cart']) reached.add(next);
    expect([...reached].sort()).toEqual([...orderStates].sort());
  });

  it('an order returns to the cart only from a payment', () => {
    expect(orderStates.filter((state) => mayFollow(state, 'cart'))).toEqual(['paying']);
  });

  it('an order ends completed or cancelled and is never placed twice', () => {
    expect([transitions.completed, transitions.cancelled]).toEqual([[], []]);
    expect(orderStates.filter((state) => mayFollow(state, 'placed'))).toEqual(['paying', 'lapsed']);
  });
});
