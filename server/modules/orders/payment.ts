/** An attempt to pay an order. */
import { randomUUID } from 'node:crypto';
import type { Locale, MessageKey } from '#contract/locales.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { OrderHead } from './order/order.ts';
import type { PaymentFailure, ShipTo } from './payment-vocabulary.ts';

/**
 * The state of an attempt.
 * - `pending`: the provider has been or is being asked, or waits for the customer; the outcome is not known yet.
 * - `lapsed`: the order's hold expired first; money may still arrive.
 * - `refundDue`: money arrived for an order that can no longer be placed, and has to be refunded.
 */
export type PaymentState = 'pending' | 'succeeded' | 'failed' | 'lapsed' | 'refundDue' | 'refunded';

export interface Payment {
  id: string;
  orderId: string;
  provider: string;
  /** The shop's own id of the attempt, sent to the provider; unique with the provider's name. */
  reference: string;
  /** The provider's own id; null until the provider has given one. */
  providerId: string | null;
  /** Cents, `tip` included. */
  amount: number;
  tip: number;
  currency: string;
  /** The order's language. */
  locale: Locale;
  state: PaymentState;
  /** Why it failed; null if it did not. */
  failure: Pick<PaymentFailure, 'errorType' | 'errorKey'> | null;
  /** Since when the provider waits for the customer, epoch ms; null while it does not. */
  waitsSince: number | null;
  /** Cents that were or will be refunded, `refundedTip` included. */
  refunded: number;
  refundedTip: number;
  createdAt: number;
  /** The order's number, assigned when payment begins; null for attempts from versions before that. */
  orderNumber: string | null;
  /** Null if nothing is shipped. */
  shipTo: ShipTo | null;
}

/** The recipient of an order for providers; null if it is not shipped. */
export function shipToOf({
  method,
  shippingAddress: address,
  shippingContact,
  contact,
}: Pick<OrderHead, 'method' | 'shippingAddress' | 'shippingContact' | 'contact'>): ShipTo | null {
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

/** A new attempt to pay `bill`, begun `at` (epoch ms), with a new reference. */
export function newAttempt(order: OrderHead, { total: amount, tip, currency }: Bill, provider: string, at: number): Payment {
  const id = randomUUID();
  return {
    id,
    orderId: order.id,
    provider,
    reference: id,
    providerId: null,
    amount,
    tip,
    currency,
    locale: order.language,
    state: 'pending',
    failure: null,
    waitsSince: null,
    refunded: 0,
    refundedTip: 0,
    createdAt: at,
    orderNumber: order.number,
    shipTo: shipToOf(order),
  };
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
