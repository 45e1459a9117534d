/**
 * Records refunds and disputes that begin at a payment provider: in its dashboard, or at the customer's bank. Each of the
 * provider's ids is recorded once, and the merchant is asked about the stock.
 */

import { formatMerchantMoney } from '#contract/money.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { FulfilmentError } from './fulfilment-error.ts';
import { takeSoldLocations } from './order-lines.repository.ts';
import { recordRefundEvent } from './order-webhooks.ts';
import { findOrder, findOrderByNumber } from './orders.repository.ts';
import type { Payment } from './payment.ts';
import type { ProviderActivity, ProviderDispute, ProviderRefund } from './payment-vocabulary.ts';
import { findPaymentById } from './payments.repository.ts';
import {
  answerAboutStock,
  askAboutStock,
  type Dispute,
  disputesOf,
  type KnownRefund,
  lockPayment,
  markProviderRefund,
  openDisputes,
  paymentsToCheck,
  planCheck,
  putDispute,
  recountRefunds,
  refundsOfPayment,
  refuseGivenRefund,
  stockQuestions,
} from './provider-activity.repository.ts';
import { insertRefund, type Refund, refundsOf } from './refunds.repository.ts';

export type { Dispute } from './provider-activity.repository.ts';

const dayMs = 24 * 60 * 60_000;
/** Providers refund for up to 180 days, and banks open disputes within 120. */
const watchedMs = 180 * dayMs;

export interface ProviderActivityRecords {
  /** Records a provider's report on a payment. Idempotent. */
  record(payment: Payment, activity: ProviderActivity): Promise<void>;
  /** Events of an order that began at the provider: refunds that the shop did not request, and disputes. */
  of(db: Reader, orderId: string): Promise<{ refunds: Refund[]; disputes: Dispute[] }>;
  openDisputes(): Promise<(Dispute & { orderNumber: string })[]>;
  /** Numbers of orders whose items may have to go back to stock. */
  stockQuestions(): Promise<string[]>;
  /**
   * Answers that question. With `restock` the items return to the locations they were sold from; returns how many units.
   * @throws {FulfilmentError} if there is no such order, or nothing was asked about it
   */
  answerAboutStock(number: string, restock: boolean): Promise<number>;
  /** At most `limit` payments that are due for a check with the provider. */
  toCheck(limit: number): Promise<Payment[]>;
  /** Schedules the next check of a payment: hourly on its first day, then less and less often, at least weekly, for 180 days. */
  checked(payment: Payment): Promise<void>;
}

/** The questions for the merchant: needs only the database. */
export function createActivityQuestions({ read }: Database): Pick<ProviderActivityRecords, 'openDisputes' | 'stockQuestions'> {
  return { openDisputes: () => openDisputes(read), stockQuestions: () => stockQuestions(read) };
}

export interface ProviderActivityDeps {
  db: Database;
  now: () => number;
  stock: StockService;
  alerts: AlertsService;
  webhookEvents: WebhookEvents;
}

export function createProviderActivity({ db, now, stock, alerts, webhookEvents }: ProviderActivityDeps): ProviderActivityRecords {
  async function tellMerchant(trx: Trx, payment: Payment, { id, amount, reason }: ProviderDispute): Promise<void> {
    const order = await findOrder(trx, payment.orderId);
    await alerts.raise(trx, {
      kind: 'disputeOpened',
      values: {
        provider: payment.provider,
        amount: formatMerchantMoney(amount, payment.currency),
        order: order?.number ?? payment.orderId,
        dispute: id,
        reason: reason || '–',
      },
      reference: idOf(payment, id),
    });
  }

  return {
    record: (asked, activity) =>
      db.transaction(async (trx) => {
        await lockPayment(trx, asked.id);
        const payment = await findPaymentById(trx, asked.id);
        if (!payment) return;
        const known = await refundsOfPayment(trx, payment.id);
        const given: Refund[] = [];
        let paysBack = false;
        let { refunded, refundedTip } = payment;
        for (const refund of activity.refunds) {
          const own = ownRefund(known, refund, activity.refunds);
          if (own) {
            own.providerRefundId = refund.id;
            await markProviderRefund(trx, own.id, refund.id);
            if (refund.state === 'failed' && own.id === idOf(payment, refund.id)) await refuseGivenRefund(trx, own.id, now());
          } else if (refund.state === 'given') {
            const tip = tipIn(refund, payment, refunded, refundedTip);
            const row = rowOf(refund, payment, tip);
            if (await insertRefund(trx, row)) given.push(row);
            await markProviderRefund(trx, idOf(payment, refund.id), refund.id);
            refunded += refund.amount;
            refundedTip += tip;
            paysBack = true;
          }
        }
        if (activity.refunds.length > 0) await recountRefunds(trx, payment);
        for (const refund of given) await recordRefundEvent(trx, webhookEvents, refund);
        for (const dispute of activity.disputes) {
          const row = { ...dispute, orderId: payment.orderId, paymentId: payment.id, currency: payment.currency };
          const before = await putDispute(trx, idOf(payment, dispute.id), row, now());
          if (before === null && dispute.state === 'open') await tellMerchant(trx, payment, dispute);
          if (before !== dispute.state && dispute.state === 'lost') paysBack = true;
        }
        if (paysBack) await askAboutStock(trx, payment.orderId, now());
      }),

    async of(reader, orderId) {
      const [refunds, disputes] = await Promise.all([refundsOf(reader, orderId), disputesOf(reader, orderId)]);
      // Ids of the shop's own refunds lack the provider's name.
      return { refunds: refunds.filter(({ id }) => id.includes(':')), disputes };
    },
    ...createActivityQuestions(db),

    answerAboutStock: (number, restock) =>
      db.transaction(async (trx) => {
        const order = await findOrderByNumber(trx, number.trim().toUpperCase());
        if (!order) throw new FulfilmentError(`There is no order ${number}.`);
        if (!(await stockQuestions(trx)).includes(order.number ?? ''))
          throw new FulfilmentError(`Order ${number} has no refund or lost dispute to restock.`);
        await answerAboutStock(trx, order.id);
        if (!restock) return 0;
        const sold = await takeSoldLocations(trx, order.id);
        await stock.restock(trx, sold);
        return sold.reduce((sum, { quantity }) => sum + quantity, 0);
      }),

    async toCheck(limit) {
      const ids = await paymentsToCheck(db.read, now() - watchedMs, now(), limit);
      const found = await Promise.all(ids.map((id) => findPaymentById(db.read, id)));
      return found.filter((payment) => payment !== null);
    },

    async checked({ id, createdAt }) {
      const pause = Math.min(7 * dayMs, Math.max(60 * 60_000, (now() - createdAt) / 8));
      await db.transaction((trx) => planCheck(trx, id, Math.round(now() + pause)));
    },
  };
}

const idOf = ({ provider }: Payment, id: string) => `${provider}:${id}`;

/**
 * Finds the recorded refund that matches a reported one. One without the shop's key may be from a version that sent the provider
 * none: then it matches one of the same amount that was sent and that no reported refund names.
 */
function ownRefund(
  known: readonly KnownRefund[],
  refund: ProviderRefund,
  listed: readonly ProviderRefund[],
): KnownRefund | undefined {
  const named = known.find(({ id, providerRefundId }) => id === refund.key || providerRefundId === refund.id);
  if (named || refund.key !== null) return named;
  return known.find(
    ({ id, state, amount, providerRefundId }) =>
      state === 'done' && amount === refund.amount && providerRefundId === null && !listed.some(({ key }) => key === id),
  );
}

function rowOf(refund: ProviderRefund, payment: Payment, tip: number) {
  const { id: paymentId, orderId, currency } = payment;
  const { amount, reason, at: createdAt } = refund;
  const done = { state: 'done', providerNote: null, needsAttention: false } as const;
  return { id: idOf(payment, refund.id), paymentId, orderId, amount, tip, currency, reason, createdAt, ...done };
}

/** The part of a refund that exceeds the rest of the items, and so is tip, cents. */
function tipIn({ amount }: ProviderRefund, payment: Payment, refunded: number, refundedTip: number): number {
  const items = payment.amount - payment.tip - (refunded - refundedTip);
  return Math.max(0, Math.min(amount - Math.max(0, items), payment.tip - refundedTip));
}
