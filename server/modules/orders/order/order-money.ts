/** An order's money: what it shows, what may be paid, and what staff take at the counter. */
import { createHash } from 'node:crypto';
import { cashDueOf, cashStep } from '#contract/cash-rounding.ts';
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { CounterKind } from '#contract/limits.ts';
import type { Bill, Order } from '#contract/schemas/order.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import {
  type Balance,
  balanceOf,
  counter,
  insertPayment,
  newAttempt,
  type Payable,
  shipToOf,
} from '#server/modules/payments/index.ts';
import { type Store, storesIn } from '#server/modules/stores/index.ts';
import { type Actor, actorText } from '#server/platform/actors.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { OrderHead } from './order.ts';
import type { OrderEvents } from './order-webhooks.ts';
import { feedOrder, findOrder } from './orders.repository.ts';

/** Cents. */
export type OrderMoney = Pick<Order, 'payment' | 'payments' | 'paid' | 'due' | 'dueVersion'>;

/** `payments` only if there are several. */
export function moneyOf(order: OrderHead, balance: Balance): OrderMoney {
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

export const isDueVersion = (version?: string): version is string =>
  version !== undefined && dueVersionForm.test(version);

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
  payments: payments.map(({ provider, kind, amount, rounding, refunded, at }) => ({
    provider,
    kind,
    amount,
    refunded,
    at,
    ...(rounding === 0 ? {} : { rounding }),
  })),
});

/** The first payment stands for all of them. */
export function paymentOf(
  { payAtStore }: OrderHead,
  { due, refunded, payments: [first] }: Balance,
): Order['payment'] {
  if (!first) return payAtStore ? { method: 'payAtStore', paid: false, refunded: 0 } : null;
  return { method: first.provider === counter ? 'payAtStore' : first.provider, paid: due === 0, refunded };
}

/** What is paid of an order: all of a bill, or `total` of it. */
export function payableOf(
  order: OrderHead,
  { total: amount, tip, currency }: Pick<Bill, 'total' | 'tip' | 'currency'>,
): Payable {
  const { id: orderId, number: orderNumber, language: locale, contact } = order;
  return { orderId, orderNumber, amount, tip, currency, locale, contact, shipTo: shipToOf(order) };
}

/** A part of an order's bill, in cents. The tip is what is paid last. */
export function partOf(order: OrderHead, amount: number, { due, tip: paidTip }: Balance): Payable {
  const tipDue = Math.min(due, Math.max(0, (order.bill?.tip ?? 0) - paidTip));
  return payableOf(order, {
    total: amount,
    tip: Math.min(tipDue, Math.max(0, amount - (due - tipDue))),
    currency: order.currency,
  });
}

/** Cents; cash that was handed over is `amount` and `rounding`. */
export interface TakenPayment {
  id: string;
  amount: number;
  rounding: number;
}

/** What cash for an order is a multiple of: by its currency, and the country of its store, or of the main one. */
export function cashStepOf(
  { currency, storeId }: Pick<OrderHead, 'currency' | 'storeId'>,
  stores: readonly Pick<Store, 'id' | 'mainStore' | 'address'>[],
): number {
  const store = stores.find(({ id }) => id === storeId) ?? stores.find(({ mainStore }) => mainStore);
  return cashStep(currency, store?.address.countryISOCode ?? '');
}

/**
 * Writes a payment that staff took for an order whose row the caller has locked: `amount` cents, all that is due if it is left out.
 * Cash for all that is due is what its coins allow; the difference is kept beside the payment, and nothing stays due. `cash` is what was
 * handed over in coins and notes, null if it was paid another way.
 * @throws {OperationError} if that much is not due
 */
export async function takePayment(
  trx: Trx,
  order: OrderHead,
  { kind, amount, actor }: { kind: CounterKind; amount?: number | undefined; actor: Actor },
  at: number,
): Promise<{ taken: number; cash: number | null; due: number; payment: TakenPayment }> {
  const before = await balanceOf(trx, order.id);
  const { due } = before;
  const taken = amount ?? due;
  const number = order.number ?? '';
  if (order.placedAt === null || due === 0) throw new OperationError('error.order.nothingDue', { number });
  if (taken > due)
    throw new OperationError('error.order.lessDue', {
      amount: formatMerchantMoney(due, order.currency),
      number,
    });
  const attempt = newAttempt(partOf(order, taken, before), counter, at);
  const isRounded = kind === 'cash' && taken === due;
  const rounding = isRounded ? cashDueOf(due, cashStepOf(order, await storesIn(trx))) - due : 0;
  await insertPayment(trx, { ...attempt, kind, rounding, takenBy: actorText(actor), state: 'succeeded' });
  const cash = kind === 'cash' ? taken + rounding : null;
  return { taken, cash, due: due - taken, payment: { id: attempt.id, amount: taken, rounding } };
}

const paidBy = {
  cash: 'error.order.by.cash',
  terminal: 'error.order.by.terminal',
  other: 'error.order.by.other',
  online: 'error.order.by.online',
} as const satisfies Record<CounterKind | 'online', StaffMessageKey>;

/**
 * Staff took money for an order that somebody else took in another way meanwhile, such as a device without a network: nobody else
 * would notice that it was paid twice.
 * @throws {OperationError} if all of it is paid, and none of that as `kind` says
 */
export function rejectPaid({ number }: OrderHead, { due, payments }: Balance, kind: CounterKind): void {
  if (due > 0 || payments.length === 0 || payments.some((each) => each.kind === kind)) return;
  const words = { before: paidBy[payments.at(-1)?.kind ?? 'online'], now: paidBy[kind] };
  throw new OperationError('error.order.paidBefore', { number: number ?? '' }, words);
}

/** More of an order was paid: a reservation no longer expires, and receivers of events hear when nothing is due any more. */
export async function recordReceived(
  { stock, orderEvents }: { stock: StockService; orderEvents: OrderEvents },
  trx: Trx,
  order: OrderHead,
): Promise<void> {
  await stock.holdUntil(trx, order.id, null);
  await feedOrder(trx, order, order.updatedAt);
  if ((await balanceOf(trx, order.id)).due === 0) await orderEvents.record(trx, 'order.paid', order);
}
