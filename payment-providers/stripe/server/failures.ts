/** https://docs.stripe.com/error-codes and https://docs.stripe.com/declines/codes */
import type { MessageKey } from '#contract/locales.ts';
import type { PaymentFailure } from '#server/modules/payments/providers/provider.ts';

/** The browser's input cannot be used: a confirmation token that is unknown, used or too old. */
export const detailsAgain: PaymentFailure = { errorType: 'VALIDATION_ERROR', errorKey: 'payment.detailsAgain' };
export const unavailable: PaymentFailure = { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' };

export const tooSmall: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.tooSmall' };

/** `decline_code` is the bank's reason if `code` is 'card_declined'. */
export interface Refusal {
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
}

const invalid = (errorKey: MessageKey): PaymentFailure => ({ errorType: 'VALIDATION_ERROR', errorKey });
const declined = (errorKey: MessageKey): PaymentFailure => ({ errorType: 'TRANSACTION_ERROR', errorKey });

const numberInvalid = invalid('rule.cardNumberInvalid');
const codeInvalid = invalid('rule.cardCodeInvalid');
const expired = invalid('rule.cardExpired');
const monthInvalid = invalid('rule.cardMonthInvalid');
const yearInvalid = invalid('rule.cardYearInvalid');
const postCode: PaymentFailure = {
  ...invalid('payment.postCodeMismatch'),
  errors: { 'billingAddress.postCode': 'payment.postCodeMismatch' },
};
const notAuthenticated = declined('payment.authenticationFailed');
const elsewhere = declined('payment.declinedElsewhere');
const overLimit = declined('payment.cardLimit');
const notSupported = declined('payment.cardNotSupported');

/** All others are a plain decline: the holder of a card must not learn that it counts as lost, stolen or fraudulent. */
const reasons: Readonly<Record<string, PaymentFailure>> = {
  incorrect_number: numberInvalid,
  invalid_number: numberInvalid,
  incorrect_cvc: codeInvalid,
  invalid_cvc: codeInvalid,
  expired_card: expired,
  invalid_expiry_month: monthInvalid,
  invalid_expiry_year: yearInvalid,
  incorrect_zip: postCode,
  incorrect_postal_code: postCode,
  postal_code_invalid: postCode,

  authentication_required: notAuthenticated,
  authentication_not_handled: notAuthenticated,
  payment_intent_authentication_failure: notAuthenticated,
  payment_intent_payment_attempt_expired: notAuthenticated,
  mobile_device_authentication_required: notAuthenticated,
  payment_method_customer_decline: elsewhere,
  payment_method_provider_decline: elsewhere,
  payment_intent_payment_attempt_failed: elsewhere,

  insufficient_funds: declined('payment.insufficientFunds'),
  card_velocity_exceeded: overLimit,
  withdrawal_count_limit_exceeded: overLimit,
  card_decline_rate_limit_exceeded: overLimit,
  card_not_supported: notSupported,
  currency_not_supported: notSupported,
  invalid_card_type: notSupported,
  not_permitted: notSupported,
  service_not_allowed: notSupported,
  transaction_not_allowed: notSupported,

  processing_error: unavailable,
  issuer_not_available: unavailable,
  reenter_transaction: unavailable,
  try_again_later: unavailable,
  payment_method_provider_timeout: unavailable,
};

/** `other` is for reasons that are not listed. */
export function failureOf({ code, decline_code }: Refusal, other = declined('payment.declined')): PaymentFailure {
  return (decline_code && reasons[decline_code]) || (code && reasons[code]) || other;
}
