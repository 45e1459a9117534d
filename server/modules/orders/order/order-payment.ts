/** What an order shows of its money. */
import { createHash } from 'node:crypto';
import type { Order } from '#contract/schemas/order.ts';
import type { Reader } from '#db/database.ts';
import { type Balance, balanceOf, counter } from '#server/modules/payments/index.ts';
import type { OrderHead } from './order.ts';
import { findOrder } from './orders.repository.ts';

/** Cents. */
export type OrderMoney = Pick<Order, 'payment' | 'payments' | 'paid' | 'due' | 'dueVersion'>;

/** `payments` only if there are several. */
export async function moneyOf(db: Reader, order: OrderHead): Promise<OrderMoney> {
  if (order.placedAt === null) return { payment: null };
  const balance = await balanceOf(db, order.id);
  const { paid, due } = balance;
  const dueVersion = dueVersionOf(order, balance);
  return {
    payment: paymentOf(order, balance),
    paid,
    due,
    ...(dueVersion === null ? {} : { dueVersion }),
    ...(balance.payments.length > 1 ? receivedOf(balance) : {}),
  };
}

/**
 * Names an order and what is due of it, as `billVersion` names a bill, for calls that pay. Null if nothing is due, or all of it is to
 * be paid at the store. It cannot be guessed: whoever has it may pay.
 */
export function dueVersionOf(order: OrderHead, { due, paid }: Balance): string | null {
  return due > 0 && (!order.payAtStore || paid > 0) ? `${order.id}.${due}.${secretOf(order)}` : null;
}

const dueVersionForm = /^(.+)\.\d+\.([\w-]{22})$/;

export const isDueVersion = (version?: string): version is string => version !== undefined && dueVersionForm.test(version);

/** The order of a `dueVersion`, whatever is due of it now. Null if it names none, or its bill was changed. */
export async function findByDueVersion(db: Reader, version: string): Promise<OrderHead | null> {
  const [, id = '', secret] = dueVersionForm.exec(version) ?? [];
  const order = await findOrder(db, id);
  return order && order.placedAt !== null && secretOf(order) === secret ? order : null;
}

const secretOf = ({ id, bill, sessionHash, customerId }: OrderHead) =>
  createHash('sha256')
    .update(JSON.stringify([id, bill?.billVersion, sessionHash, customerId]))
    .digest('base64url')
    .slice(0, 22);

export const receivedOf = ({ payments }: Balance): Required<Pick<Order, 'payments'>> => ({
  payments: payments.map(({ provider, kind, amount, refunded, at }) => ({ provider, kind, amount, refunded, at })),
});

/** The first payment stands for all of them. */
export function paymentOf({ payAtStore }: OrderHead, { due, refunded, payments: [first] }: Balance): Order['payment'] {
  if (!first) return payAtStore ? { method: 'payAtStore', paid: false, refunded: 0 } : null;
  return { method: first.provider === counter ? 'payAtStore' : first.provider, paid: due === 0, refunded };
}
