/** https://github.com/paypal/paypal-rest-api-specifications · https://developer.paypal.com/api/handle-payment-failures */
import {
  attemptEnded,
  attemptUnknown,
  type PaymentFailure,
  type PaymentOutcome,
} from '#server/modules/payments/providers/provider.ts';
import type { PayPalRefusal } from './client.ts';

/** The shop's account or its request is at fault, which the customer cannot change. */
export const settingsInvalid: PaymentFailure = {
  errorType: 'SYSTEM_ERROR',
  errorKey: 'payment.paypal.invalid',
};
export const declined: PaymentFailure = {
  errorType: 'TRANSACTION_ERROR',
  errorKey: 'payment.paypal.declined',
};
const addressRefused: PaymentFailure = { errorType: 'VALIDATION_ERROR', errorKey: 'payment.paypal.address' };
const cardExpired: PaymentFailure = { errorType: 'VALIDATION_ERROR', errorKey: 'rule.cardExpired' };

/**
 * A failure is final. 'chooseAgain': the same order can be paid with another funding. 'look': it was captured already, or is
 * about to be. 'unknown': the order is read once, and the attempt has failed if nothing was captured.
 */
export type CaptureRefusal = PaymentFailure | 'chooseAgain' | 'look' | 'unknown';

const captureIssues: ReadonlyMap<string, CaptureRefusal> = new Map<string, CaptureRefusal>([
  ...listed('look', 'ORDER_ALREADY_CAPTURED ORDER_COMPLETION_IN_PROGRESS'),
  ...listed(
    'chooseAgain',
    'INSTRUMENT_DECLINED ORDER_NOT_APPROVED PAYER_ACTION_REQUIRED REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  ),
  // Refused by the payer's side, their bank, or the fraud settings.
  ...listed(
    declined,
    `AGREEMENT_ALREADY_CANCELLED APPLE_PAY_AMOUNT_MISMATCH BANK_NOT_SUPPORTED_FOR_VERIFICATION
    BILLING_AGREEMENT_ID_MISMATCH BILLING_AGREEMENT_NOT_FOUND CARD_BRAND_NOT_SUPPORTED CARD_EXPIRY_REQUIRED
    CARD_NUMBER_REQUIRED COMPLIANCE_VIOLATION CURRENCY_NOT_SUPPORTED_FOR_BANK DECLINED_DUE_TO_RELATED_TXN
    DOMESTIC_TRANSACTION_REQUIRED IBAN_COUNTRY_NOT_SUPPORTED INVALID_IBAN INVALID_SECURITY_CODE_LENGTH
    MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED ONLY_ONE_BANK_SOURCE_ALLOWED PAYEE_BLOCKED_TRANSACTION
    PAYER_ACCOUNT_LOCKED_OR_CLOSED PAYER_ACCOUNT_RESTRICTED PAYER_CANNOT_PAY PAYER_COUNTRY_NOT_SUPPORTED
    PAYMENT_SOURCE_MISMATCH PAYMENT_SOURCE_NOT_SUPPORTED PREFERRED_PAYMENT_SOURCE_MISMATCH TOKEN_ID_NOT_FOUND
    TRANSACTION_BLOCKED_BY_PAYEE TRANSACTION_LIMIT_EXCEEDED TRANSACTION_REFUSED`,
  ),
  ...listed(cardExpired, 'CARD_EXPIRED REFERENCED_CARD_EXPIRED'),
  ...listed(addressRefused, 'SHIPPING_ADDRESS_INVALID'),
  // The shop's account is not set up for this payment, or the shop's request was wrong.
  ...listed(
    settingsInvalid,
    `AUTH_CAPTURE_NOT_ENABLED CANCEL_URL_REQUIRED CURRENCY_NOT_SUPPORTED DUPLICATE_INVOICE_ID IDENTIFIER_NOT_FOUND
    INCOMPATIBLE_PARAMETER_VALUE INVALID_PICKUP_ADDRESS INVALID_PREVIOUS_TRANSACTION_REFERENCE
    MERCHANT_INITIATED_WITH_AUTHENTICATION_RESULTS MERCHANT_INITIATED_WITH_MULTIPLE_PURCHASE_UNITS
    MERCHANT_INITIATED_WITH_SECURITY_CODE MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE MISSING_CRYPTOGRAM
    MISSING_PREVIOUS_REFERENCE NOT_ELIGIBLE_FOR_PAYPAL_TRANSACTION_ID_PROCESSING NOT_ELIGIBLE_FOR_PNREF_PROCESSING
    NOT_ENABLED_FOR_BANK_PROCESSING NOT_ENABLED_FOR_CARD_PROCESSING PAYEE_ACCOUNT_LOCKED_OR_CLOSED
    PAYEE_ACCOUNT_RESTRICTED PAYEE_FX_RATE_ID_EXPIRED PAYEE_NOT_ENABLED_FOR_BANK_PROCESSING
    PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING PAYPAL_TRANSACTION_ID_EXPIRED PAYPAL_TRANSACTION_ID_NOT_FOUND
    PERMISSION_DENIED PLATFORM_FEE_PAYEE_CANNOT_BE_SAME_AS_PAYER PNREF_EXPIRED PNREF_NOT_FOUND
    PREVIOUS_TRANSACTION_REFERENCE_HAS_CHARGEBACK PREVIOUS_TRANSACTION_REFERENCE_VOIDED
    REQUIRED_PARAMETER_FOR_CUSTOMER_INITIATED_PAYMENT RETURN_URL_REQUIRED SETUP_ERROR_FOR_BANK
    TRANSACTION_RECEIVING_LIMIT_EXCEEDED VAULT_INSTRUCTION_REQUIRED`,
  ),
  ...listed(attemptEnded, 'ORDER_EXPIRED'),
  // The account or its mode was changed, or PayPal has deleted the order.
  ...listed(attemptUnknown, 'INVALID_RESOURCE_ID RESOURCE_NOT_FOUND'),
]);

/** Issues of a new order that are about its delivery address. */
const addressIssues = [
  'CITY_REQUIRED',
  'INVALID_COUNTRY_CODE',
  'POSTAL_CODE_REQUIRED',
  'SHIPPING_ADDRESS_INVALID',
];

/**
 * All others are temporary: a balance that is too low, an account that is locked or restricted, a capture that is still pending.
 */
const finalRefundIssues: ReadonlySet<string> = new Set(
  `CANNOT_BE_NEGATIVE CANNOT_BE_ZERO_OR_NEGATIVE CAPTURE_FULLY_REFUNDED CURRENCY_MISMATCH DECIMALS_NOT_SUPPORTED
  DECIMAL_PRECISION DUPLICATE_INVOICE_ID INVALID_CURRENCY_CODE MAX_NUMBER_OF_REFUNDS_EXCEEDED PARTIAL_REFUND_NOT_ALLOWED
  PLATFORM_FEE_EXCEEDED PLATFORM_FEE_NOT_ENABLED REFUND_AMOUNT_EXCEEDED REFUND_AMOUNT_TOO_LOW
  REFUND_CAPTURE_CURRENCY_MISMATCH REFUND_IS_RESTRICTED REFUND_NOT_ALLOWED REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK
  REFUND_TIME_LIMIT_EXCEEDED RESOURCE_NOT_FOUND TRANSACTION_DISPUTED`.split(/\s+/),
);

/** Several issues are read in the order of PayPal's response. */
export function captureRefusal({ issues }: PayPalRefusal): CaptureRefusal {
  for (const issue of issues) {
    const known = captureIssues.get(issue);
    if (known) return known;
  }
  return 'unknown';
}

/** Nothing exists at PayPal then, so every refusal is final. */
export function createFailure({ issues }: PayPalRefusal): PaymentFailure {
  return issues.some((issue) => addressIssues.includes(issue)) ? addressRefused : settingsInvalid;
}

export function merchantNotes(
  failure: PaymentFailure,
  { message }: PayPalRefusal,
): Pick<Extract<PaymentOutcome, { state: 'failed' }>, 'merchantProblem' | 'unknownAttempt'> {
  if (failure === settingsInvalid) return { merchantProblem: message };
  return failure === attemptUnknown ? { unknownAttempt: message } : {};
}

export function isFinalRefund({ issues }: PayPalRefusal): boolean {
  return issues.some((issue) => finalRefundIssues.has(issue));
}

function listed(refusal: CaptureRefusal, issues: string): [string, CaptureRefusal][] {
  return issues.split(/\s+/).map((issue) => [issue, refusal]);
}
