/**
 * What Braintree's refusals mean to the shopper, in the words of SPEC §8.
 * Processor codes: https://developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses
 * Gateway rejections: https://developer.paypal.com/braintree/articles/control-panel/transactions/gateway-rejections
 * Validation codes: https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all
 */
import type { PaymentFailure, PaymentOutcome } from '../provider.ts';
import type { BraintreeTransaction } from './client.ts';

/** Errors by which Braintree says that it has not even looked at the request. `name` is theirs. */
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
/** What the form made of the card was used up, has lapsed or is unknown. */
export const cardAgain = validation('payment.cardAgain');
/** The shop's account, or Braintree itself: nothing the shopper could mend. */
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
  duplicate: transaction('payment.duplicate'),
  three_d_secure: notVerified,
};

const byValidationCode: readonly [RegExp, PaymentFailure][] = [
  [/^(91564|91565|93107|93108)$/, cardAgain],
  [/^(81714|81715|81716|81717|81703)$/, numberInvalid],
  [/^(81706|81707)$/, codeInvalid],
  [/^(81709|8171[0-3])$/, expired],
  [/^(81571|91568|91570|9151(13|14|15|16|96)|94271)$/, notVerified],
  [/^(81528|81503)$/, declined],
];

/** Of a sale that was refused without a transaction being made. */
export function validationFailure(codes: readonly string[]): PaymentFailure {
  for (const [pattern, failure] of byValidationCode) if (codes.some((code) => pattern.test(code))) return failure;
  return unavailable;
}

/** What a sale's status says. 'authorized' alone is not ours yet: it waits for a review, or was never submitted. */
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
      return failed(transaction('payment.attemptEnded'));
    default:
      return { state: 'undecided' };
  }
}

/**
 * Whether no money has moved by a transaction, nor will. A refund that the bank declines is kept by Braintree
 * among the refunds of its sale. https://developer.paypal.com/braintree/docs/reference/general/statuses
 */
export function cameToNothing({ status }: BraintreeTransaction): boolean {
  return ['processor_declined', 'gateway_rejected', 'settlement_declined', 'failed', 'voided', 'authorization_expired'].includes(
    status,
  );
}

/** Refusals of a refund that stay as they are: 91512 refunded already, 91521 too much, 91505 and 91509 no sale, 91507 too old. */
export const refundIsFinal = /^(91505|91507|91509|91512|91521|91538)$/;
