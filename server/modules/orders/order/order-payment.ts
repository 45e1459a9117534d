/** What an order shows of its money. */
import type { Order } from '#contract/schemas/order.ts';
import type { Reader } from '#db/database.ts';
import { type Balance, balanceOf, counter } from '#server/modules/payments/index.ts';
import type { OrderHead } from './order.ts';

/** Cents. */
export type OrderMoney = Pick<Order, 'payment' | 'payments' | 'paid' | 'due'>;

/** `payments` only if there are several. */
export async function moneyOf(db: Reader, order: OrderHead): Promise<OrderMoney> {
  if (order.placedAt === null) return { payment: null };
  const balance = await balanceOf(db, order.id);
  const { paid, due } = balance;
  return { payment: paymentOf(order, balance), paid, due, ...(balance.payments.length > 1 ? receivedOf(balance) : {}) };
}

export const receivedOf = ({ payments }: Balance): Required<Pick<Order, 'payments'>> => ({
  payments: payments.map(({ provider, kind, amount, refunded, at }) => ({ provider, kind, amount, refunded, at })),
});

/** The first payment stands for all of them. */
export function paymentOf({ payAtStore }: OrderHead, { due, refunded, payments: [first] }: Balance): Order['payment'] {
  if (!first) return payAtStore ? { method: 'payAtStore', paid: false, refunded: 0 } : null;
  return { method: first.provider === counter ? 'payAtStore' : first.provider, paid: due === 0, refunded };
}
