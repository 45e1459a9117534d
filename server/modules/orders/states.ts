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
