/** Reads and updates payment attempts for the service that asks their providers. */
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { Buyer } from './order/order.ts';
import type { Payment } from './payment.ts';
import { attemptUnknown } from './payment-vocabulary.ts';
import {
  deleteFailedPayments,
  findAttempt,
  findPayment,
  findPaymentByProviderId,
  findPaymentOf,
  type PaymentReference,
  paymentsFailedBy,
  paymentsIn,
  paymentsOf,
  saveProviderId,
  saveWaitingSince,
} from './payments.repository.ts';
import { planCheck } from './provider-activity.repository.ts';

/** How long the hold of a payment lasts once the provider waits for the customer, ms. */
export const waitingHoldMs = 12 * 60_000;

export interface OrderPaymentsDeps {
  db: Database;
  now: () => number;
  stock: StockService;
}

/** Attempts of the last 30 days that were ended because their provider no longer knew them, oldest first. */
export function attemptsGivenUp({ read }: Database, now: number): Promise<Payment[]> {
  return paymentsFailedBy(read, attemptUnknown.errorKey, now - givenUpShownMs);
}

/** Older ones have been handled, or never will be. */
const givenUpShownMs = 30 * dayMs;
/** How long a failed attempt is stored, so that support can look it up, ms. */
const failedKeptMs = 30 * dayMs;

export function createOrderPayments({ db, now, stock }: OrderPaymentsDeps) {
  return {
    /** Finds an attempt by the provider's name and the shop's own reference; null if it is unknown. */
    find: (provider: string, reference: string): Promise<Payment | null> => findPayment(db.read, provider, reference),
    /** Finds an attempt by the provider's own id. */
    findByProviderId: (provider: string, providerId: string): Promise<Payment | null> =>
      findPaymentByProviderId(db.read, provider, providerId),
    /** The payment by which an order was paid; null if it was not paid online. */
    succeededOf: (orderId: string): Promise<Payment | null> => findPaymentOf(db.read, orderId, 'succeeded'),
    /** A buyer's latest attempt with a provider; with `providerId`, the one with that id at the provider. */
    latest: (buyer: Buyer, provider: string, providerId: string | null): Promise<Payment | null> =>
      findAttempt(db.read, buyer, provider, providerId),
    /** The pending attempt of an order; null if there is none. */
    pendingOf: (orderId: string): Promise<Payment | null> => findPaymentOf(db.read, orderId, 'pending'),
    /** Attempts with an unknown outcome, including those of expired orders, oldest first. */
    undecided: (): Promise<Payment[]> => paymentsIn(db.read, 'pending', 'lapsed'),
    /** All attempts to pay an order, oldest first. */
    of: (orderId: string): Promise<Payment[]> => paymentsOf(db.read, orderId),
    /** Deletes at most `limit` old attempts that failed and took nothing, and returns their references. */
    deleteFailed: (trx: Trx, limit: number): Promise<PaymentReference[]> =>
      deleteFailedPayments(trx, now() - failedKeptMs, limit),
    /** Stores the provider's own id of an attempt. */
    async keepProviderId({ id }: Payment, providerId: string): Promise<void> {
      await db.transaction((trx) => saveProviderId(trx, id, providerId));
    },
    /** Has the provider of a failed attempt asked once more a day later. */
    askAgain: (trx: Trx, { id }: Payment): Promise<void> => planCheck(trx, id, now() + dayMs),
    askedAgain: ({ id }: Payment): Promise<void> => db.transaction((trx) => planCheck(trx, id, null)),
    /**
     * Records that the provider waits for the customer. Another request to pay then starts a new attempt instead of joining this
     * one, and the hold ends sooner.
     */
    async keepWaiting({ id, orderId }: Payment): Promise<void> {
      await db.transaction(async (trx) => {
        await saveWaitingSince(trx, id, now());
        await stock.shorten(trx, orderId, now() + waitingHoldMs);
      });
    },
  };
}
