/** An attempt to pay an order. */
import type { Locale, MessageKey } from '#contract/locales.ts';
import type { Attempt, PaymentFailure, ShipTo } from '#server/payments/provider.ts';
import type { OrderHead } from './order.ts';

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
}

/** As its provider is asked about it. */
export function attemptOf({ reference, orderId, amount, currency, locale, providerId }: Payment): Attempt {
  return { reference, orderId, amount, currency, locale, providerId };
}

/** Who an order is shipped to; null where it is picked up or eaten in. */
export function shipToOf({ method, shippingAddress, shippingContact, contact }: OrderHead): ShipTo | null {
  if (method !== 'shipping' || !shippingAddress) return null;
  const person = shippingContact ?? contact;
  const { streetNumberAndNameDetails, addressDescription, city, province, provinceCode, postCode, countryISOCode } =
    shippingAddress;
  return {
    name: person ? `${person.firstName} ${person.lastName}`.trim() : '',
    phone: person?.phoneNumber ?? '',
    line1: streetNumberAndNameDetails,
    line2: addressDescription,
    city,
    province: provinceCode ?? province,
    postCode,
    country: countryISOCode,
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
