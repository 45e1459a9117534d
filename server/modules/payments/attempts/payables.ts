import type { Trx } from '#db/database.ts';
import type { AppError } from '#server/platform/errors.ts';
import type { Refund } from '../refunds/refunds.repository.ts';
import type { Payment } from './payment.ts';
import type { PaymentReference } from './payments.repository.ts';

/** What a payment that succeeded has led to. */
export interface Paid {
  /** The order that it placed, or of which it paid what was due; null if it came too late. */
  orderID: string | null;
  /** The payment that has to be refunded, or a part of it, since it came too late; its refund is written. */
  refund: Payment | null;
  /** Whether this call has settled it, and not an earlier one. */
  isNew: boolean;
}

/** The port of payments: what becomes of the thing that is paid. Checkout implements it for orders (`settlement.ts`). */
export interface Payables {
  /**
   * Holds the stock of an attempt to which the customer has agreed, just before it is charged. Returns null, or the error that
   * names the sold-out items. Does nothing for an attempt that is over, or whose stock is held.
   */
  hold(payment: Payment): Promise<AppError | null>;
  /** Releases what `hold` has held for an attempt that was not charged and goes on. */
  release(payment: Payment): Promise<void>;
  /** The provider waits for the customer: what is held for the attempt ends at `until` (epoch ms), if that is sooner. */
  waits(trx: Trx, payment: Payment, until: number): Promise<void>;
  /** Places the order of a payment that succeeded, in one transaction with the payment's state. Null for an unknown reference. */
  paid(payment: PaymentReference): Promise<Paid | null>;
  /** An attempt has failed: what it paid for can be changed again. */
  failed(trx: Trx, payment: Payment): Promise<void>;
  /** Ends an unpaid order whose hold has expired. Returns false if it has ended already. */
  expire(orderId: string): Promise<boolean>;
  /** Ends all of them except those in `except`. Returns how many. */
  expireAll(except: ReadonlySet<string>): Promise<number>;
  /** A refund was sent: by the shop, in the provider's dashboard, or handed out at the counter. */
  refunded(trx: Trx, refund: Refund, by: 'shop' | 'provider' | 'counter'): Promise<void>;
  /** Money went back without the shop: the merchant is asked whether the items did, too. */
  askAboutStock(trx: Trx, orderId: string): Promise<void>;
}
