/** Attempts to pay on record, for the service that asks their providers. */
import type { Database } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { Buyer } from './order.ts';
import type { Payment } from './payment.ts';
import { attemptUnknown } from './payment-vocabulary.ts';
import {
  findAttempt,
  findPayment,
  findPaymentByProviderId,
  findPaymentOf,
  paymentsFailedBy,
  paymentsIn,
  paymentsOf,
  saveProviderId,
  saveWaitingSince,
} from './payments.repository.ts';

export type OrderPayments = ReturnType<typeof createOrderPayments>;

/** A hold for a payment that waits for its shopper lasts so long from then on. */
export const waitingHoldMs = 12 * 60_000;

export interface OrderPaymentsDeps {
  db: Database;
  now: () => number;
  stock: StockService;
}

/** Attempts of the last 30 days that were ended because their provider no longer knew them, the oldest first. */
export function attemptsGivenUp({ read }: Database, now: number): Promise<Payment[]> {
  return paymentsFailedBy(read, attemptUnknown.errorKey, now - givenUpShownMs);
}

/** What is older has been seen to, or never will be. */
const givenUpShownMs = 30 * 24 * 60 * 60_000;

export function createOrderPayments({ db, now, stock }: OrderPaymentsDeps) {
  return {
    /** By the provider's name and the shop's own reference; null for an unknown one. */
    find: (provider: string, reference: string): Promise<Payment | null> => findPayment(db.read, provider, reference),
    /** By the provider's own id. */
    findByProviderId: (provider: string, providerId: string): Promise<Payment | null> =>
      findPaymentByProviderId(db.read, provider, providerId),
    /** The payment by which an order was paid; null if it was not paid online. */
    succeededOf: (orderId: string): Promise<Payment | null> => findPaymentOf(db.read, orderId, 'succeeded'),
    /** A buyer's latest attempt by a provider; with `providerId`, the one that the provider knows by it. */
    latest: (buyer: Buyer, provider: string, providerId: string | null): Promise<Payment | null> =>
      findAttempt(db.read, buyer, provider, providerId),
    /** The attempt by which an order is being paid; null if none is pending. */
    pendingOf: (orderId: string): Promise<Payment | null> => findPaymentOf(db.read, orderId, 'pending'),
    /** Attempts whose outcome is not known yet, those of expired orders too, the oldest first. */
    undecided: (): Promise<Payment[]> => paymentsIn(db.read, 'pending', 'lapsed'),
    /** All attempts to pay an order, the oldest first. */
    of: (orderId: string): Promise<Payment[]> => paymentsOf(db.read, orderId),
    /** Stores the provider's own id of an attempt. */
    async keepProviderId({ id }: Payment, providerId: string): Promise<void> {
      await db.transaction((trx) => saveProviderId(trx, id, providerId));
    },
    /**
     * Records that the provider waits for the shopper. Another request to pay then starts a new attempt instead of joining this
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
