/**
 * Refunds as the books have them. The money is set aside first, in one transaction with the refund's row,
 * so that however many ask at once no more is given back than was paid; then the provider is asked, by
 * whoever has the provider (`payments/payments.service.ts`), until it has answered.
 */

import { randomUUID } from 'node:crypto';
import { formatMerchantMoney } from '#contract/money.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { AlertsService, OutboxService } from '#server/modules/notifications/index.ts';
import { FulfilmentError } from './fulfilment-error.ts';
import { findOrder } from './orders.repository.ts';
import type { Payment } from './payment.ts';
import { findPaymentById, findPaymentOf, releaseFromRefund, reserveForRefund, transitionPayment } from './payments.repository.ts';
import { disputedCents } from './provider-activity.repository.ts';
import {
  claimRefund,
  endRefund,
  findRefund,
  insertRefund,
  latestRefundOf,
  noteRefund,
  type Refund,
  type RefundState,
  refundsDue,
  refundsOf,
  releaseRefund,
} from './refunds.repository.ts';

export type { Refund, RefundState } from './refunds.repository.ts';

export interface RefundRequest {
  /** Cents; left out: all that is left of the tip, or of the whole payment. */
  amount?: number | undefined;
  /** Of the tip; otherwise of everything but the tip, unless `amount` is left out. */
  tip?: boolean | undefined;
  reason: string;
}

export interface DueRefund {
  refund: Refund;
  payment: Payment;
}

export interface Refunds {
  /**
   * Sets money of an order's payment aside to be given back.
   * @throws DeskProblem where it was not paid online, or not so much is left
   */
  open(trx: Trx, orderId: string, wish: RefundRequest): Promise<DueRefund>;
  /** As `open` for all that is left; null where nothing is, or nothing was paid online. */
  openRest(trx: Trx, orderId: string, reason: string): Promise<DueRefund | null>;
  /** For money that came too late for its goods. The same payment is given back but once. */
  openLate(trx: Trx, payment: Payment): Promise<void>;
  due(): Promise<DueRefund[]>;
  /** The refund of money that came too late; null where it has been given back, or refused. */
  late(payment: Payment): Promise<DueRefund | null>;
  /**
   * Runs `ask`, which has the provider give a refund back, with nobody else asking at the same time, in any
   * process. Null where somebody else is, or it is not due any more.
   */
  alone<T>(refund: Refund, ask: () => Promise<T>): Promise<T | null>;
  /** The provider has given it back: the buyer is told. */
  done(refund: Refund): Promise<void>;
  /**
   * The provider never will, or has taken back what it gave: the money counts as paid again. Unless the
   * merchant who asked for it is `attending`, it needs a person, and the merchant is alerted.
   */
  refused(due: DueRefund, reason: string, options?: { attending?: boolean }): Promise<void>;
  /** Records what a refund that is due waits for, in the provider's words. */
  waits(refund: Refund, reason: string): Promise<void>;
  find(id: string): Promise<Refund | null>;
  /** What became of the refund of money that came too late; null where nothing of it was to go back. */
  lateState(payment: Payment): Promise<RefundState | null>;
  /** Of an order, but those refused, the oldest first. */
  of(db: Reader, orderId: string): Promise<Refund[]>;
}

export interface RefundsDeps {
  db: Database;
  now: () => number;
  mail: OutboxService;
  alerts: AlertsService;
}

/**
 * Who asks a provider has so long to do so; a process that died meanwhile is taken over from afterwards. Far
 * more than a provider's few calls of 10 s take, and than the clocks of two machines differ.
 */
const claimMs = 10 * 60_000;

const lateId = (payment: Payment) => `late-${payment.id}`;

export function createRefunds({ db, now, mail, alerts }: RefundsDeps): Refunds {
  function refundOf(payment: Payment, id: string, amount: number, tip: number, reason: string): Refund {
    const { id: paymentId, orderId, currency } = payment;
    const fresh = { state: 'due', providerNote: null, needsAttention: false, createdAt: now() } as const;
    return { id, paymentId, orderId, amount, tip, currency, reason, ...fresh };
  }

  async function setAside(trx: Trx, payment: Payment, amount: number, tip: number, reason: string): Promise<DueRefund> {
    const left = refundableAmount(payment);
    const wrong = () =>
      new FulfilmentError(
        `Not so much is left to refund: ${formatMerchantMoney(left.goods, payment.currency)} and ${formatMerchantMoney(left.tip, payment.currency)} of the tip.`,
      );
    const disputed = await disputedCents(trx, payment.id);
    if (disputed > 0 && amount > left.goods + left.tip - disputed)
      throw new FulfilmentError(
        `${formatMerchantMoney(disputed, payment.currency)} of it is disputed at ${payment.provider} and cannot be refunded as well.`,
      );
    if (amount <= 0 || !(await reserveForRefund(trx, payment.id, amount, tip))) throw wrong();
    const refund = refundOf(payment, randomUUID(), amount, tip, reason);
    await insertRefund(trx, refund);
    return { refund, payment };
  }

  return {
    async open(trx, orderId, { amount, tip = false, reason }) {
      const payment = await findPaymentOf(trx, orderId, 'succeeded');
      if (!payment) throw new FulfilmentError('It was not paid online: there is nothing to refund from here.');
      const left = refundableAmount(payment);
      if (tip) {
        const wanted = amount ?? left.tip;
        return setAside(trx, payment, wanted, wanted, reason);
      }
      if (amount === undefined) return setAside(trx, payment, left.goods + left.tip, left.tip, reason);
      return setAside(trx, payment, amount, 0, reason);
    },

    async openRest(trx, orderId, reason) {
      const payment = await findPaymentOf(trx, orderId, 'succeeded');
      if (!payment) return null;
      const { goods, tip } = refundableAmount(payment);
      // The bank returns what is disputed.
      const rest = goods + tip - (await disputedCents(trx, payment.id));
      return rest <= 0 ? null : setAside(trx, payment, rest, Math.max(rest - goods, Math.min(tip, rest)), reason);
    },

    async openLate(trx, payment) {
      const refund = refundOf(payment, lateId(payment), payment.amount, payment.tip, 'paid too late');
      if (await insertRefund(trx, refund)) await reserveForRefund(trx, payment.id, payment.amount, payment.tip);
    },

    async due() {
      const all: DueRefund[] = [];
      for (const refund of await refundsDue(db.read)) {
        const payment = await findPaymentById(db.read, refund.paymentId);
        if (payment) all.push({ refund, payment });
      }
      return all;
    },

    async late(payment) {
      const refund = await findRefund(db.read, lateId(payment));
      return refund?.state === 'due' ? { refund, payment } : null;
    },

    async alone({ id }, ask) {
      const at = now();
      const until = at + claimMs;
      if (!(await db.transaction((trx) => claimRefund(trx, id, at, until)))) return null;
      try {
        return await ask();
      } finally {
        await db.transaction((trx) => releaseRefund(trx, id, until));
      }
    },

    async done({ id, paymentId, orderId }) {
      await db.transaction(async (trx) => {
        const at = now();
        if (!(await endRefund(trx, id, ['due'], { state: 'done', note: null, attention: false }, at))) return;
        await transitionPayment(trx, paymentId, ['refundDue'], 'refunded', at);
        const order = await findOrder(trx, orderId);
        if (!order?.contact?.email) return;
        await mail.enqueue(trx, {
          kind: 'refund',
          recipient: order.contact.email,
          locale: order.language,
          data: { orderId, refundId: id },
          reference: `refund:${id}`,
        });
      });
    },

    async refused({ refund: { id, amount, tip, currency }, payment }, reason, { attending = false } = {}) {
      await db.transaction(async (trx) => {
        const at = now();
        const end = { state: 'refused', note: reason, attention: !attending } as const;
        if (!(await endRefund(trx, id, ['due', 'done'], end, at))) return;
        await releaseFromRefund(trx, payment.id, amount, tip);
        await transitionPayment(trx, payment.id, ['refunded'], 'refundDue', at);
        if (attending) return;
        const values = { provider: payment.provider, amount: formatMerchantMoney(amount, currency), refund: id, reason };
        await alerts.raise(trx, { kind: 'refundRefused', values, reference: id });
      });
    },

    waits: ({ id }, reason) => db.transaction((trx) => noteRefund(trx, id, reason)),
    find: (id) => findRefund(db.read, id),
    lateState: async ({ id }) => (await latestRefundOf(db.read, id))?.state ?? null,

    of: refundsOf,
  };
}

/** Cents that could still be given back. */
function refundableAmount({ amount, tip, refunded, refundedTip }: Payment): { goods: number; tip: number } {
  return { goods: amount - tip - (refunded - refundedTip), tip: tip - refundedTip };
}
