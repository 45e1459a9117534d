/**
 * Maps Braintree's refusals to the failures of SPEC §8.
 * Processor codes: https://developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses
 * Gateway rejections: https://developer.paypal.com/braintree/articles/control-panel/transactions/gateway-rejections
 * Validation codes: https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all
 */
import { attemptEnded, type PaymentFailure, type PaymentOutcome } from '#server/modules/payments/providers/provider.ts';
import type { BraintreeTransaction } from './client.ts';

/** Names of the SDK's errors for requests that Braintree has not processed. */
export const notProcessed = [
  'authenticationError',
  'authorizationError',
  'upgradeRequired',
  'tooManyRequestsError',
  'invalidKeysError',
];

const transaction = (errorKey: PaymentFailure['errorKey']): PaymentFailure => ({ errorType: 'TRANSACTION_ERROR', errorKey });
const validation = (errorKey: PaymentFailure['errorKey']): PaymentFailure => ({ errorType: 'VALIDATION_ERROR', errorKey });

const declined = transaction('payment.declined');
const notVerified = transaction('payment.notVerified');
const expired = validation('rule.cardExpired');
const numberInvalid = validation('rule.cardNumberInvalid');
const codeInvalid = validation('rule.cardCodeInvalid');
/** The nonce was used, has expired or is unknown. */
export const cardAgain = validation('payment.cardAgain');
/** A fault of the shop's account or of Braintree, which the customer cannot fix. */
export const unavailable: PaymentFailure = { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' };

const byProcessorCode: Readonly<Record<string, PaymentFailure>> = {
  '2004': expired,
  '2005': numberInvalid,
  '2006': expired,
  '2010': codeInvalid,
  '2099': notVerified,
};

const byRejection: Readonly<Record<string, PaymentFailure>> = {
  application_incomplete: unavailable,
  avs: validation('payment.addressMismatch'),
  avs_and_cvv: validation('payment.addressMismatch'),
  cvv: codeInvalid,
  // The same order id, amount and card: this very sale, whose first answer was lost.
  duplicate: transaction('payment.duplicate'),
  three_d_secure: notVerified,
};

/** Named as in the SDK's validation_error_codes.js, with their meaning for a sale. */
export const saleErrors: readonly { codes: Readonly<Record<string, string>>; failure: PaymentFailure }[] = [
  {
    codes: { PaymentMethodNonceConsumed: '91564', PaymentMethodNonceUnknown: '91565', PaymentMethodNonceLocked: '91566' },
    failure: cardAgain,
  },
  {
    codes: {
      NumberIsRequired: '81714',
      NumberIsInvalid: '81715',
      NumberLengthIsInvalid: '81716',
      NumberMustBeTestNumber: '81717',
      CreditCardTypeIsNotAccepted: '81703',
      PaymentMethodNonceCardTypeIsNotAccepted: '91567',
    },
    failure: numberInvalid,
  },
  { codes: { CvvIsRequired: '81706', CvvIsInvalid: '81707' }, failure: codeInvalid },
  {
    codes: {
      ExpirationDateIsRequired: '81709',
      ExpirationDateIsInvalid: '81710',
      ExpirationDateYearIsInvalid: '81711',
      ExpirationMonthIsInvalid: '81712',
      ExpirationYearIsInvalid: '81713',
    },
    failure: expired,
  },
  {
    codes: {
      ThreeDSecureAuthenticationFailed: '81571',
      ThreeDSecureTokenIsInvalid: '91568',
      ThreeDSecureTransactionDataDoesntMatchVerify: '91570',
      MerchantAccountDoesNotMatch3DSecureMerchantAccount: '91584',
      AmountDoesNotMatch3DSecureAmount: '91585',
      ThreeDSecureEciFlagIsRequired: '915113',
      ThreeDSecureEciFlagIsInvalid: '915114',
      ThreeDSecureXidIsRequired: '915115',
      ThreeDSecureCavvIsRequired: '915116',
      ThreeDSecureMerchantAccountDoesNotSupportCardType: '915131',
      ThreeDSecureAuthenticationIdIsInvalid: '915196',
    },
    failure: notVerified,
  },
  { codes: { AmountFormatIsInvalid: '81503', AmountIsTooLarge: '81528' }, failure: declined },
];

/** A nonce is valid for one sale; this code means that it was used. */
export const nonceConsumed = '91564';

export function validationFailure(codes: readonly string[]): PaymentFailure {
  const means = saleErrors.find((each) => Object.values(each.codes).some((code) => codes.includes(code)));
  return means?.failure ?? unavailable;
}

/** The outcome of a sale by its status. 'authorized' alone is not paid yet: it waits for a review, or was never submitted. */
export function outcomeOfSale({
  status,
  processorResponseCode = '',
  gatewayRejectionReason = '',
}: BraintreeTransaction): PaymentOutcome {
  const failed = (failure: PaymentFailure): PaymentOutcome => ({ state: 'failed', failure });
  switch (status) {
    case 'submitted_for_settlement':
    case 'settling':
    case 'settlement_confirmed':
    case 'settled':
      return { state: 'succeeded' };
    case 'processor_declined':
    case 'settlement_declined':
      // 3000 and above: the network to the bank was down.
      return failed(byProcessorCode[processorResponseCode] ?? (processorResponseCode >= '3000' ? unavailable : declined));
    case 'gateway_rejected':
      return failed(byRejection[gatewayRejectionReason] ?? declined);
    case 'failed':
      return failed(unavailable);
    case 'authorization_expired':
    case 'voided':
      return failed(attemptEnded);
    default:
      return { state: 'undecided' };
  }
}

/** Moved no money and never will. Braintree lists a refund that the bank declines among the refunds of its sale. */
export function cameToNothing({ status }: BraintreeTransaction): boolean {
  return ['processor_declined', 'gateway_rejected', 'settlement_declined', 'failed', 'voided', 'authorization_expired'].includes(
    status,
  );
}

export const finalRefundErrors: Readonly<Record<string, string>> = {
  CannotRefundCredit: '91505',
  HasAlreadyBeenRefunded: '91512',
  RefundAmountIsTooLarge: '91521',
  CannotRefundWithSuspendedMerchantAccount: '91538',
  ProcessorDoesNotSupportCredits: '91546',
  MerchantAccountDoesNotSupportRefunds: '91547',
  RefundAuthHardDeclined: '915200',
};

/** Refusals of a refund until the sale is settled, or its merchant account is approved. */
export const earlyRefundErrors: Readonly<Record<string, string>> = {
  CannotRefundUnlessSettled: '91506',
  CannotRefundWithPendingMerchantAccount: '91559',
  CannotRefundSettlingTransaction: '91574',
};
