/**
 * What PayPal's refusals mean to the shopper, in the words of SPEC §8.
 * The names: https://developer.paypal.com/api/rest/reference/orders/v2/errors/ and
 * https://developer.paypal.com/api/handle-payment-failures
 */
import type { PaymentFailure } from '../provider.ts';
import type { PayPalRefusal } from './client.ts';

/** The shop's account cannot take this payment: nothing the shopper could mend. */
export const settingsInvalid: PaymentFailure = { errorType: 'SYSTEM_ERROR', errorKey: 'payment.paypal.invalid' };
export const declined: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.paypal.declined' };
const cardExpired: PaymentFailure = { errorType: 'VALIDATION_ERROR', errorKey: 'rule.cardExpired' };
const gone: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.attemptEnded' };

const byIssue: Readonly<Record<string, PaymentFailure>> = {
  INSTRUMENT_DECLINED: declined,
  TRANSACTION_REFUSED: declined,
  PAYER_CANNOT_PAY: declined,
  PAYER_ACCOUNT_RESTRICTED: declined,
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: declined,
  PAYER_COUNTRY_NOT_SUPPORTED: declined,
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: declined,
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: declined,
  COMPLIANCE_VIOLATION: declined,
  CARD_EXPIRED: cardExpired,
  PAYEE_ACCOUNT_RESTRICTED: settingsInvalid,
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: settingsInvalid,
  PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING: settingsInvalid,
  CURRENCY_NOT_SUPPORTED: settingsInvalid,
  TRANSACTION_LIMIT_EXCEEDED: declined,
  ORDER_EXPIRED: gone,
  RESOURCE_NOT_FOUND: gone,
  INVALID_RESOURCE_ID: gone,
};

/** Of a capture that was refused; null where the refusal is not final or not known. */
export function captureFailure({ issues }: PayPalRefusal): PaymentFailure | null {
  for (const issue of issues) {
    const failure = byIssue[issue];
    if (failure) return failure;
  }
  return null;
}

/** Refusals of a capture that say to look again: the shopper has yet to agree, or it was captured already. */
export const lookAgain = ['ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED', 'ORDER_ALREADY_CAPTURED'];

/** Refusals of a refund that stay as they are however often one asks. */
export const refundIsFinal = [
  'CAPTURE_FULLY_REFUNDED',
  'REFUND_AMOUNT_EXCEEDED',
  'REFUND_CAPTURE_CURRENCY_MISMATCH',
  'REFUND_TIME_LIMIT_EXCEEDED',
  'REFUND_NOT_ALLOWED',
  'TRANSACTION_DISPUTED',
  'RESOURCE_NOT_FOUND',
];
