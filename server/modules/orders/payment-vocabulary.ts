/** The payment types that orders store and providers share, declared here so that payments import only orders. */
import type { ErrorType, FieldErrors } from '#contract/errors.ts';
import type { MessageKey } from '#contract/locales.ts';

/** The recipient of a shipped order, in the terms that providers share. */
export interface ShipTo {
  name: string;
  /** '' if none was given. */
  phone: string;
  line1: string;
  /** Apartment, floor and the like; '' if none. */
  line2: string;
  city: string;
  /** The province's code such as 'ON', or its name if it has none. */
  province: string;
  postCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** Why a payment failed, in the terms of SPEC §8. Nothing was charged. */
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

// Refunds and disputes of a payment as its provider reports them, whether they began in the shop or in the provider's dashboard.

export interface ProviderRefund {
  /** The provider's id. */
  id: string;
  /** The id of the shop's own refund that requested it; null if it began elsewhere. */
  key: string | null;
  /** Cents. */
  amount: number;
  /** `given` includes refunds on their way: the money has left the account. */
  state: 'given' | 'failed';
  /** Epoch ms. */
  at: number;
  /** The provider's reason; '' if it gave none. */
  reason: string;
}

export interface ProviderDispute {
  /** The provider's id. */
  id: string;
  /** Cents. */
  amount: number;
  /** `open` until the bank or the provider has decided; `won`: the merchant keeps the money. */
  state: 'open' | 'won' | 'lost';
  /** The provider's reason; '' if it gave none. */
  reason: string;
  /** Epoch ms. */
  at: number;
  /** The deadline for the merchant's response, epoch ms; null if none is needed. */
  respondBy: number | null;
}

export interface ProviderActivity {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}
