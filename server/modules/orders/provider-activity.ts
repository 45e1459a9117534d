/** What payment providers report of payments after they were made: refunds and disputes that the shop did not begin. */
import type { Database, Reader } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import { FulfilmentError } from './fulfilment/fulfilment-error.ts';
import { orderByNumber } from './fulfilment/order-by-number.ts';
import { takeSoldLocations } from './order/order-lines.repository.ts';
import type { Payment } from './payment.ts';
import type { ProviderActivity } from './payment-vocabulary.ts';
import { findPaymentById } from './payments.repository.ts';
import {
  answerAboutStock,
  type Dispute,
  disputesOf,
  openDisputes,
  paymentsToCheck,
  planCheck,
  stockQuestions,
} from './provider-activity.repository.ts';
import { type ActivityRecordDeps, recordActivity } from './record-provider-activity.ts';
import { type Refund, refundsOf } from './refunds.repository.ts';

export type { Dispute } from './provider-activity.repository.ts';

/** Providers refund for up to 180 days, and banks open disputes within 120. */
const watchedMs = 180 * dayMs;

export type ProviderActivityRecords = ReturnType<typeof createProviderActivity>;

/** The questions for the merchant: needs only the database. */
export function createActivityQuestions({ read }: Database) {
  return {
    openDisputes: (): Promise<(Dispute & { orderNumber: string })[]> => openDisputes(read),
    /** Numbers of orders whose items may have to go back to stock. */
    stockQuestions: (): Promise<string[]> => stockQuestions(read),
  };
}

export interface ProviderActivityDeps extends ActivityRecordDeps {
  stock: StockService;
}

export function createProviderActivity(deps: ProviderActivityDeps) {
  const { db, now, stock } = deps;
  return {
    ...createActivityQuestions(db),

    /** Records a provider's report on a payment. Idempotent. */
    record: (payment: Payment, activity: ProviderActivity): Promise<void> => recordActivity(deps, payment, activity),

    /** Events of an order that began at the provider: refunds that the shop did not request, and disputes. */
    async of(reader: Reader, orderId: string): Promise<{ refunds: Refund[]; disputes: Dispute[] }> {
      const [refunds, disputes] = await Promise.all([refundsOf(reader, orderId), disputesOf(reader, orderId)]);
      // Ids of the shop's own refunds lack the provider's name.
      return { refunds: refunds.filter(({ id }) => id.includes(':')), disputes };
    },

    /**
     * Answers whether items have to go back to stock. With `restock` they return to the locations they were sold from; returns how
     * many units.
     * @throws {FulfilmentError} if there is no such order, or nothing was asked about it
     */
    answerAboutStock: (number: string, restock: boolean): Promise<number> =>
      db.transaction(async (trx) => {
        const order = await orderByNumber(trx, number);
        if (!(await stockQuestions(trx)).includes(order.number ?? ''))
          throw new FulfilmentError(`Order ${number} has no refund or lost dispute to restock.`);
        await answerAboutStock(trx, order.id);
        if (!restock) return 0;
        const sold = await takeSoldLocations(trx, order.id);
        await stock.restock(trx, sold);
        return sold.reduce((sum, { quantity }) => sum + quantity, 0);
      }),

    /** At most `limit` payments that are due for a check with the provider. */
    async toCheck(limit: number): Promise<Payment[]> {
      const ids = await paymentsToCheck(db.read, now() - watchedMs, now(), limit);
      const found = await Promise.all(ids.map((id) => findPaymentById(db.read, id)));
      return found.filter((payment) => payment !== null);
    },

    /** Schedules the next check of a payment: hourly on its first day, then less and less often, at least weekly, for 180 days. */
    async checked({ id, createdAt }: Payment): Promise<void> {
      const pause = Math.min(7 * dayMs, Math.max(60 * 60_000, (now() - createdAt) / 8));
      await db.transaction((trx) => planCheck(trx, id, Math.round(now() + pause)));
    },
  };
}
