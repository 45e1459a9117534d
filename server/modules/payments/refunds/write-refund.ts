/**
 * Writes refunds: money of payments is set aside in one transaction with the refunds' rows, so that parallel requests never refund
 * more than was paid. An amount is taken from the newest payment first; each payment's part is a refund of its own, which
 * `send-refund.ts` sends. Callers lock the order.
 */
import { randomUUID } from 'node:crypto';
import { formatMerchantMoney } from '#contract/formatters.ts';
import {
  fromFirst,
  goodsTaken,
  isFrom,
  type Left,
  restOfAll,
  restTaken,
  type Taken,
  tipsTaken,
} from '#contract/rules/refund-parts.ts';
import { mostRefundIn } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import { OperationError } from '#server/platform/errors.ts';
import { disputedCents } from '../payment/activity.repository.ts';
import { balanceOf } from '../payment/balance.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { reserveForRefund, succeededOf } from '../payment/payments.repository.ts';
import { insertRefund, lateRefundId, type Refund, refundsOf } from '../payment/refunds.repository.ts';

export interface RefundRequest {
  /** Cents; left out: all that is left of the tip, or of the whole payment. */
  amount?: number | undefined;
  /** Refunds from the tip; otherwise from everything except the tip, unless `amount` is left out. */
  tip?: boolean | undefined;
  /** Only from payments of this provider or kind, or whose reference begins so; left out: from all of them. */
  from?: string | undefined;
  /** It corrects what was paid, so that the amount is due again. Otherwise the buyer owes that much less. */
  corrects?: boolean | undefined;
  /** For the merchant's records. */
  reason: string;
  /** For the buyer, in the email; '' for nothing. */
  note?: string | undefined;
  covers?: unknown;
}

export interface DueRefund {
  refund: Refund;
  payment: Payment;
}

type Words = Pick<RefundRequest, 'reason' | 'note' | 'corrects' | 'covers'>;
/** Cents, `tip` included in `amount`. */
type Money = Pick<Refund, 'amount' | 'tip'>;

/** What a refund takes of a payment. */
export interface RefundPart extends Money {
  payment: Payment;
}

/** A payment of which something may be left. */
export interface LeftOfPayment extends Left, Pick<Payment, 'provider' | 'kind' | 'reference'> {
  payment: Payment;
}

/**
 * Sets money of an order's payments aside for a refund, one for each payment that it takes from; `at` is epoch ms.
 * @throws {OperationError} if nothing was paid, or not enough is left
 */
export async function writeRefund(
  trx: Trx,
  orderId: string,
  request: RefundRequest,
  at: number,
): Promise<DueRefund[]> {
  const parts = await planRefund(trx, orderId, request);
  return setAside(trx, parts, request, at);
}

/** The parts that `writeRefund` would write. @throws {OperationError} as `writeRefund` */
export async function planRefund(
  reader: Reader,
  orderId: string,
  request: RefundRequest,
): Promise<RefundPart[]> {
  const { amount, tip = false, from = '' } = request;
  const all = await leftToRefund(reader, orderId);
  if (all.length === 0) throw new OperationError('error.refund.notPaidOnline');
  const left = all.filter((each) => isFrom(each, from));
  if (left.length === 0) throw new OperationError('error.refund.noSuchPayment', { from });
  const take = tip ? tipsTaken : amount === undefined ? restTaken : goodsTaken;
  const wanted = amount ?? left.reduce((sum, each) => sum + each.tip + (tip ? 0 : each.goods), 0);
  const taken = take(left, wanted);
  const planned = taken.reduce((sum, part) => sum + part.amount, 0);
  if (wanted <= 0 || planned < wanted) throw tooMuch(left, wanted);
  return partsOf(taken);
}

const partsOf = (taken: readonly Taken<LeftOfPayment>[]): RefundPart[] =>
  taken.map(({ each: { payment }, amount, tip }) => ({ payment, amount, tip }));

/** What is left of an order's payments and not disputed, cents, tips included. */
export const refundableRest = async (reader: Reader, orderId: string): Promise<number> =>
  restOfAll(await leftToRefund(reader, orderId));

/** Like `writeRefund` for at most so many cents of all that is left and not disputed, whose bank returns it; empty if nothing is. */
export async function writeRefundOfRest(
  trx: Trx,
  orderId: string,
  { most, ...words }: Pick<RefundRequest, 'reason' | 'note'> & { most: number },
  at: number,
): Promise<DueRefund[]> {
  return setAside(trx, partsOf(restTaken(await leftToRefund(trx, orderId), most)), words, at);
}

/**
 * Sets aside what a dispute holds of an order's payments, to be sent once the bank leaves it to the shop. Call it after the rest is
 * set aside. Returns how much that is, cents.
 */
export async function writeHeldRefunds(
  trx: Trx,
  orderId: string,
  reason: string,
  at: number,
): Promise<number> {
  const parts = (await leftToRefund(trx, orderId)).map(({ payment, goods, tip, disputed }): RefundPart => {
    const amount = Math.max(0, Math.min(disputed, goods + tip));
    return { payment, amount, tip: Math.max(0, amount - goods) };
  });
  const held = parts.filter(({ amount }) => amount > 0);
  await setAside(trx, held, { reason }, at, 'held');
  return held.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Sets aside what was paid too much since the bill fell (`Balance.excess`); empty if nothing was. Payments that `from` names give
 * first, as in `RefundRequest`.
 */
export async function writeExcess(
  trx: Trx,
  orderId: string,
  { reason, at, from = '' }: { reason: string; at: number; from?: string | undefined },
): Promise<DueRefund[]> {
  const { excess } = await balanceOf(trx, orderId);
  const left = fromFirst(await leftToRefund(trx, orderId), from);
  return setAside(trx, partsOf(restTaken(left, excess)), { reason, corrects: true }, at);
}

/** Sets aside the part of a payment, or all of it, for which it arrived too late. Idempotent. */
export async function writeLateRefund(trx: Trx, payment: Payment, amount: number, at: number): Promise<void> {
  const money = { amount, tip: Math.max(0, amount - (payment.amount - payment.tip)) };
  const refund = refundOf(payment, { id: lateRefundId(payment), at }, money, {
    reason: 'paid too late',
    corrects: true,
  });
  if (await insertRefund(trx, refund)) await reserveForRefund(trx, payment.id, money.amount, money.tip);
}

/** What can be refunded of the payments of an order, the newest first. */
export async function leftToRefund(reader: Reader, orderId: string): Promise<LeftOfPayment[]> {
  const left: LeftOfPayment[] = [];
  for (const payment of await succeededOf(reader, orderId)) {
    const { provider, kind, reference, amount, tip, refunded, refundedTip } = payment;
    const goods = amount - tip - (refunded - refundedTip);
    const disputed = await disputedCents(reader, payment.id);
    left.push({ payment, provider, kind, reference, goods, tip: tip - refundedTip, disputed });
  }
  return left;
}

function tooMuch(left: readonly LeftOfPayment[], wanted: number): OperationError {
  const sum = (of: (each: LeftOfPayment) => number) => left.reduce((total, each) => total + of(each), 0);
  const [goods, tip, disputed] = [
    sum((each) => each.goods),
    sum((each) => each.tip),
    sum((each) => each.disputed),
  ];
  const currency = left[0]?.payment.currency ?? '';
  const where = left.find((each) => each.disputed > 0)?.payment.provider;
  const money = (cents: number) => formatMerchantMoney(cents, currency);
  if (where && wanted > goods + tip - disputed)
    return new OperationError('error.refund.disputed', { amount: money(disputed), provider: where });
  return new OperationError('error.refund.tooMuch', { amount: money(goods), tip: money(tip) });
}

async function setAside(
  trx: Trx,
  parts: readonly RefundPart[],
  words: Words,
  at: number,
  state: 'due' | 'held' = 'due',
): Promise<DueRefund[]> {
  const written: DueRefund[] = [];
  for (const { payment, ...money } of parts) {
    if (!(await reserveForRefund(trx, payment.id, money.amount, money.tip)))
      throw new OperationError('error.order.changed', { number: payment.orderNumber ?? '' });
    const covers = written.length === 0 ? words.covers : null;
    const refund = { ...refundOf(payment, { id: randomUUID(), at }, money, { ...words, covers }), state };
    await insertRefund(trx, refund);
    written.push({ refund, payment });
  }
  const [first] = written;
  if (first) await checkMost(trx, first.payment);
  return written;
}

/** What a program gives back of an order is limited, however many refunds that takes. @throws {OperationError} */
async function checkMost(trx: Trx, { orderId, currency }: Payment): Promise<void> {
  const most = mostRefundIn(trx);
  if (most === null) return;
  const refunded = (await refundsOf(trx, orderId)).reduce((sum, { amount }) => sum + amount, 0);
  if (refunded > most)
    throw new OperationError('error.refund.keyLimit', { amount: formatMerchantMoney(most, currency) });
}

function refundOf(
  payment: Payment,
  { id, at }: { id: string; at: number },
  { amount, tip }: Money,
  words: Words,
): Refund {
  const { id: paymentId, orderId, currency } = payment;
  const { reason, note = '', corrects = false, covers } = words;
  const fresh = { state: 'due', providerNote: null, needsAttention: false, createdAt: at } as const;
  return {
    id,
    paymentId,
    orderId,
    amount,
    tip,
    currency,
    corrects,
    reason,
    customerNote: note,
    covers,
    ...fresh,
  };
}
