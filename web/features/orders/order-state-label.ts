/** The labels of order states, and the states each kind of order passes through. */
import type { CheckoutMethod } from '#contract/limits.ts';
import type { MessageKey } from '#contract/locales.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { Order, OrderState } from '#contract/schemas/order.ts';

/** A completed shipment reads as delivered, a completed pickup as picked up. */
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

/** The states still to come after `state`, in order; none after the last one, or for a cancelled order. */
export function statesAhead(state: OrderState, method: CheckoutMethod | null): OrderState[] {
  const states: OrderState[] =
    method === 'shipping'
      ? ['placed', 'shipped', 'completed']
      : method === 'pickup'
        ? ['placed', 'ready', 'completed']
        : ['placed', 'completed'];
  if (state === 'cancelled' || state === 'lapsed') return [];
  const at = states.indexOf(state === 'reserved' ? 'placed' : state);
  return at < 0 ? states.slice(-1).filter((last) => last !== state) : states.slice(at + 1);
}

export function isUnderWay(state: OrderState): boolean {
  return state !== 'completed' && state !== 'cancelled' && state !== 'lapsed';
}

/** How an order was paid, or whether it is to be paid; null if there is nothing to pay. */
export function paymentWords({ state, payment, payments = [], paid = 0 }: Order): MessageKey | null {
  if (!payment) return null;
  if (!payment.paid && (state === 'cancelled' || state === 'lapsed')) return 'account.order.notPaid';
  if (!payment.paid) return paid > 0 ? 'account.order.paidPart' : 'account.order.unpaid';
  if (payments.length > 1) return 'account.order.paidSum';
  if (payment.method === 'payAtStore') return 'account.order.paidAtStore';
  return paidMessages(payment.method).account;
}

const counterWords = {
  cash: 'account.order.paidCash',
  terminal: 'account.order.paidTerminal',
  other: 'account.order.paidAtStore',
} as const;

/** How one of several payments was made. */
export function paidWords({ provider, kind }: Pick<NonNullable<Order['payments']>[number], 'provider' | 'kind'>): MessageKey {
  return kind ? counterWords[kind] : paidMessages(provider).account;
}
