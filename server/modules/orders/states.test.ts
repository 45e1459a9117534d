import { describe, expect, it } from 'vitest';
import { orderStates } from '#contract/schemas/order.ts';
import { mayFollow, transitions } from './states.ts';

describe('the life of an order', () => {
  it('names only states there are', () => {
    expect(Object.keys(transitions).sort()).toEqual([...orderStates].sort());
  });

  it('leads from the cart to everywhere', () => {
    const reached = new Set<string>(['cart']);
    for (const state of reached) for (const next of transitions[state as 'cart']) reached.add(next);
    expect([...reached].sort()).toEqual([...orderStates].sort());
  });

  it('goes back to the cart from a payment only', () => {
    expect(orderStates.filter((state) => mayFollow(state, 'cart'))).toEqual(['paying']);
  });

  it('ends with what is completed or cancelled, and never places an order twice', () => {
    expect([transitions.completed, transitions.cancelled]).toEqual([[], []]);
    expect(orderStates.filter((state) => mayFollow(state, 'placed'))).toEqual(['paying', 'lapsed']);
  });
});
