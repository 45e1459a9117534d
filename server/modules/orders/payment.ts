/** An attempt to pay an order. */
import { randomUUID } from 'node:crypto';
import type { Locale, MessageKey } from '#contract/locales.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { OrderHead } from './order.ts';
import type { PaymentFailure, ShipTo } from './payment-vocabulary.ts';

/**
 * - `pending`: the provider has been or is being asked, or waits for the shopper; nobody knows the end yet.
 * - `lapsed`: the order's hold ran out first; money may still arrive.
 * - `refundDue`: money came for an order that can no longer be had, and is to go back.
 */
export type PaymentState = 'pending' | 'succeeded' | 'failed' | 'lapsed' | 'refundDue' | 'refunded';

export interface Payment {
  id: string;
  orderId: string;
  provider: string;
  /** By which the provider knows the attempt; unique with the provider's name. */
  reference: string;
  /** By what the provider itself knows it; null while it never said. */
  providerId: string | null;
  /** Cents, `tip` included. */
  amount: number;
  tip: number;
  currency: string;
  /** The order's language. */
  locale: Locale;
  state: PaymentState;
  /** Why it failed; null where it did not. */
  failure: Pick<PaymentFailure, 'errorType' | 'errorKey'> | null;
  /** Since when the provider waits for the shopper to do something; null while it does not. */
  waitsSince: number | null;
  /** Cents given back or about to be, `refundedTip` included. */
  refunded: number;
  refundedTip: number;
  createdAt: number;
  /** The order's number, which it gets when payment begins; null for attempts from before that was so. */
  orderNumber: string | null;
  /** Null where nothing is shipped. */
  shipTo: ShipTo | null;
}

/** Who an order is shipped to, as providers are told; null where it is not shipped. */
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

/** The failure kept in a row; one whose kind was not kept is told as a declined payment. */
export function failureOf(errorType: string | null, errorKey: string | null): Payment['failure'] {
  if (errorKey === null) return null;
  // Written from `PaymentFailure` only.
  return {
    errorType: (errorType ?? 'TRANSACTION_ERROR') as PaymentFailure['errorType'],
    errorKey: errorKey as MessageKey,
  };
}
