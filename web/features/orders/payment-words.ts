/** The message about the payment of an order. */
import type { MessageKey } from '#contract/locales.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { Order } from '#contract/schemas/order.ts';

export function paymentWords(state: Order['state'], { method, paid }: NonNullable<Order['payment']>): MessageKey {
  if (!paid) return state === 'cancelled' || state === 'lapsed' ? 'account.order.notPaid' : 'account.order.unpaid';
  if (method === 'payAtStore') return 'account.order.paidAtStore';
  return paidMessages(method).account;
}
