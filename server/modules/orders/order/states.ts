/** The state machine of orders. A cart is the first state of an order. */
import type { OrderState } from '#contract/schemas/order.ts';

/**
 * Which state may follow which.
 * - `paying`: stock and pickup time are held until the payment is decided or the hold expires.
 * - `reserved`: to be paid at the store; held without an end.
 * - `lapsed`: the hold expired. A payment that arrives late can still place it, if its stock is available.
 */
export const transitions: Readonly<Record<OrderState, readonly OrderState[]>> = {
  cart: ['paying', 'reserved'],
  paying: ['placed', 'cart', 'lapsed'],
  placed: ['ready', 'shipped', 'completed', 'cancelled'],
  reserved: ['ready', 'completed', 'cancelled', 'lapsed'],
  ready: ['completed', 'cancelled', 'lapsed'],
  shipped: ['completed'],
  completed: [],
  cancelled: [],
  lapsed: ['placed'],
};

export function mayFollow(from: OrderState, to: OrderState): boolean {
  return transitions[from].includes(to);
}

/** The states in which an order is over. */
export const endedStates = ['completed', 'cancelled', 'lapsed'] as const satisfies readonly OrderState[];

export function isEnded(state: OrderState): boolean {
  return endedStates.some((each) => each === state);
}

/** The states in which the items of a pickup are still at the store. */
export const waitsForPickup: readonly OrderState[] = ['placed', 'reserved', 'ready'];
