/** What the states of a placed order are called, and the way that each kind of order takes through them. */
import type { CheckoutMethod } from '#contract/limits.ts';
import type { MessageKey } from '#contract/locales.ts';
import type { OrderState } from '#contract/schemas/order.ts';

/** "Completed" of a parcel is that it arrived, of a pickup that it was fetched. */
export function orderStateLabel(state: OrderState, method: CheckoutMethod | null): MessageKey {
  switch (state) {
    case 'completed':
      return `account.state.completed.${method ?? 'shipping'}`;
    case 'ready':
      return method === 'instore' ? 'account.state.ready.instore' : 'account.state.ready';
    case 'reserved':
    case 'shipped':
    case 'cancelled':
    case 'lapsed':
      return `account.state.${state}`;
    case 'placed':
      return 'account.state.placed';
    default:
      return 'account.state.open';
  }
}

/** States still to come after `state`, in order; none after the last, or once it was called off. */
export function statesAhead(state: OrderState, method: CheckoutMethod | null): OrderState[] {
  const way: OrderState[] =
    method === 'shipping'
      ? ['placed', 'shipped', 'completed']
      : method === 'pickup'
        ? ['placed', 'ready', 'completed']
        : ['placed', 'completed'];
  if (state === 'cancelled' || state === 'lapsed') return [];
  const at = way.indexOf(state === 'reserved' ? 'placed' : state);
  return at < 0 ? way.slice(-1).filter((last) => last !== state) : way.slice(at + 1);
}

/** Whether it is on its way: nothing more is to come of the others. */
export function isUnderWay(state: OrderState): boolean {
  return state !== 'completed' && state !== 'cancelled' && state !== 'lapsed';
}
