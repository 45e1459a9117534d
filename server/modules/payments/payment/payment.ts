/** An attempt to pay something, or a payment that staff took. */
import { randomUUID } from 'node:crypto';
import type { CounterKind } from '#contract/limits.ts';
import type { Locale, MessageKey } from '#contract/locales.ts';
import type { Contact } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import type { AppError } from '#server/platform/errors.ts';
import type { Attempt, PaymentFailure, ShipTo } from '../providers/provider.ts';
import type { PaymentReference } from './payments.repository.ts';
import type { Refund } from './refunds.repository.ts';

/** How the reference of a payment begins that was brought along with its order: no provider but the demo's lists it by that. */
export const importedReference = 'imported-';

/** How long the stock of an attempt is held, and how long it may take, ms. */
export const holdMs = 15 * 60_000;
/** How long the hold lasts once the provider waits for the customer, ms. */
export const waitingHoldMs = 12 * 60_000;

/**
 * The state of an attempt.
 * - `pending`: the provider has been or is being asked, or waits for the customer; the outcome is not known yet.
 * - `lapsed`: the order's hold expired first; money may still arrive.
 * - `refundDue`: money arrived for an order that can no longer be placed, and has to be refunded.
 */
export type PaymentState = 'pending' | 'succeeded' | 'failed' | 'lapsed' | 'refundDue' | 'refunded';

/** What is paid: payments know nothing else of an order. */
export interface Payable {
  orderId: string;
  /** Assigned when payment begins; null for attempts from versions before that. */
  orderNumber: string | null;
  /** Cents, `tip` included. */
  amount: number;
  tip: number;
  currency: string;
  locale: Locale;
  /** Null if nothing is shipped. */
  shipTo: ShipTo | null;
  /** The payer, whom the merchant asks about a refund that cannot be sent. */
  contact: Contact | null;
}

/** The provider of money that staff took: it is recorded, and nobody is asked about it. */
export const counter = 'counter';

/** How money came, as takings and files name it: `cash`, `terminal` or `other` at the counter, else the provider. */
export const wayOf = ({ provider, kind }: { provider: string; kind: string | null }): string =>
  provider === counter ? (kind ?? 'other') : provider;

export interface Payment extends Payable {
  id: string;
  provider: string;
  /** How staff took it; null for an online payment. */
  kind: CounterKind | null;
  /** Cents by which cash differs from `amount`, see `contract/cash-rounding.ts`. */
  rounding: number;
  /** Who took it, as `actorText` says; null for an online payment, and where that was not kept. */
  takenBy: string | null;
  /** The shop's own id of the attempt, sent to the provider; unique with the provider's name. */
  reference: string;
  /** The number that the provider is told; null for the order's. It never changes: one key says the same words each time. */
  number: string | null;
  /** The provider's own id; null until the provider has given one. */
  providerId: string | null;
  state: PaymentState;
  /** Why it failed; null if it did not. */
  failure: Pick<PaymentFailure, 'errorType' | 'errorKey'> | null;
  /** Since when the provider waits for the customer, epoch ms; null while it does not. */
  waitsSince: number | null;
  /** Cents that were or will be refunded, `refundedTip` included. */
  refunded: number;
  refundedTip: number;
  createdAt: number;
}

/** The recipient of an order for providers; null if it is not shipped. */
export function shipToOf({
  method,
  shippingAddress: address,
  shippingContact,
  contact,
}: {
  method: string | null;
  shippingAddress: ResolvedAddress | null;
  shippingContact: Contact | null;
  contact: Contact | null;
}): ShipTo | null {
  if (method !== 'shipping' || !address) return null;
  const who = shippingContact ?? contact;
  return {
    name: `${who?.firstName ?? ''} ${who?.lastName ?? ''}`.trim(),
    phone: address.contactPhone || who?.phoneNumber || '',
    line1: address.streetNumberAndNameDetails,
    line2: address.addressDescription,
    city: address.city,
    province: address.provinceCode ?? address.province,
    postCode: address.postCode,
    country: address.countryISOCode,
  };
}

/** A new attempt begun `at` (epoch ms), with a new reference. */
export function newAttempt(payable: Payable, provider: string, at: number): Payment {
  const id = randomUUID();
  return {
    ...payable,
    id,
    provider,
    kind: null,
    rounding: 0,
    takenBy: null,
    reference: id,
    number: null,
    providerId: null,
    state: 'pending',
    failure: null,
    waitsSince: null,
    refunded: 0,
    refundedTip: 0,
    createdAt: at,
  };
}

/** The attempt of a stored payment, for asking its provider. */
export function attemptOf({ orderNumber, number, shipTo, ...payment }: Payment): Attempt {
  const { reference, orderId, amount, currency, locale, providerId } = payment;
  const known = { reference, orderId, amount, currency, locale, providerId };
  return { ...known, orderNumber: number ?? orderNumber, ...(shipTo ? { shipTo } : {}) };
}

/** The failure in a row; without a type it counts as a declined payment. */
export function failureOf(errorType: string | null, errorKey: string | null): Payment['failure'] {
  if (errorKey === null) return null;
  // Written only from `PaymentFailure`.
  return {
    errorType: (errorType ?? 'TRANSACTION_ERROR') as PaymentFailure['errorType'],
    errorKey: errorKey as MessageKey,
  };
}

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
  /** A refund that the shop had sent, with its receipt, has failed: its money is still, or again, here. */
  refundFailed(trx: Trx, refund: Refund): Promise<void>;
  /** The money of a payment that succeeded does not come after all: what it paid is due again. */
  uncollected(trx: Trx, payment: Payment): Promise<void>;
  /** Money went back without the shop: the merchant is asked whether the items did, too. */
  askAboutStock(trx: Trx, orderId: string): Promise<void>;
}
