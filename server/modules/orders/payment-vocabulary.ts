/** What orders store about payments: the terms that payment providers share, declared here so that payments import orders only. */
import type { ErrorType, FieldErrors } from '#contract/errors.ts';
import type { MessageKey } from '#contract/locales.ts';

/** Who an order is shipped to, in the terms that providers share. */
export interface ShipTo {
  name: string;
  /** '' if none was given. */
  phone: string;
  line1: string;
  /** Apartment, floor and the like; '' if none. */
  line2: string;
  city: string;
  /** The province's own code such as 'ON', or its name if it has none. */
  province: string;
  postCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** Why a payment failed, as SPEC §8 names it. Nothing was charged. */
export interface PaymentFailure {
  errorType: Extract<ErrorType, 'AUTHORIZATION_ERROR' | 'VALIDATION_ERROR' | 'TRANSACTION_ERROR' | 'SYSTEM_ERROR'>;
  errorKey: MessageKey;
  errors?: FieldErrors;
}

/** The failure of an attempt that ended before any money moved. */
export const attemptEnded = {
  errorType: 'TRANSACTION_ERROR',
  errorKey: 'payment.attemptEnded',
} as const satisfies PaymentFailure;

/** The failure of an attempt that its provider does not know. Whether money was taken is unknown. */
export const attemptUnknown = {
  errorType: 'SYSTEM_ERROR',
  errorKey: 'payment.attemptUnknown',
} as const satisfies PaymentFailure;

// Refunds and disputes of a payment as its provider reports them, whoever began them: the shop, or somebody in its dashboard.

export interface ProviderRefund {
  /** The provider's id. */
  id: string;
  /** The id of the shop's own refund that asked for it; null for one that the shop did not ask for. */
  key: string | null;
  /** Cents. */
  amount: number;
  /** `given` also while it is on its way: the money has left the account. */
  state: 'given' | 'failed';
  /** Epoch ms. */
  at: number;
  /** Of the provider; '' if it gave none. */
  reason: string;
}

export interface ProviderDispute {
  /** The provider's id. */
  id: string;
  /** Cents. */
  amount: number;
  /** `open` until the bank or the provider has decided; `won`: the merchant keeps the money. */
  state: 'open' | 'won' | 'lost';
  /** Of the provider; '' if it gave none. */
  reason: string;
  /** Epoch ms. */
  at: number;
  /** Until when the merchant can answer, epoch ms; null if there is nothing to answer. */
  respondBy: number | null;
}

export interface ProviderActivity {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}
