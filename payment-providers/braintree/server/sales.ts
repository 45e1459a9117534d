/**
 * Maps Braintree's refusals to the failures of SPEC §8.
 * Processor codes: https://developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses
 * Gateway rejections: https://developer.paypal.com/braintree/articles/control-panel/transactions/gateway-rejections
 * Validation codes: https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all
 */
import type { TransactionStatus } from 'braintree';
import { type Decisions, failedWith } from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  AttemptUnknown,
  attemptEnded,
  type Charge,
  type PaymentFailure,
  type PaymentOutcome,
} from '#server/modules/payments/providers/provider.ts';
import type { BraintreeAnswer, BraintreeClient, BraintreeTransaction, Sale } from './client.ts';
import type { BraintreeConfig } from './config.ts';

/** Names of the SDK's errors for requests that Braintree has not processed. */
const notProcessed = [
  'authenticationError',
  'authorizationError',
  'upgradeRequired',
  'tooManyRequestsError',
  'invalidKeysError',
];

const transaction = (errorKey: PaymentFailure['errorKey']): PaymentFailure => ({
  errorType: 'TRANSACTION_ERROR',
  errorKey,
});
const validation = (errorKey: PaymentFailure['errorKey']): PaymentFailure => ({
  errorType: 'VALIDATION_ERROR',
  errorKey,
});

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
    codes: {
      PaymentMethodNonceConsumed: '91564',
      PaymentMethodNonceUnknown: '91565',
      PaymentMethodNonceLocked: '91566',
    },
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
const nonceConsumed = '91564';

function validationFailure(codes: readonly string[]): PaymentFailure {
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
      return failed(
        byProcessorCode[processorResponseCode] ?? (processorResponseCode >= '3000' ? unavailable : declined),
      );
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

/**
 * What a status means for a transaction that Braintree had accepted: its money is there or on its way, the transaction was voided,
 * or no money ever moves although it was accepted, as when the bank declines to settle it days later.
 * https://developer.paypal.com/braintree/docs/reference/general/statuses
 */
export const acceptedStatuses: Readonly<Record<TransactionStatus, 'moves' | 'voided' | 'nothing'>> = {
  authorizing: 'moves',
  authorized: 'moves',
  submitted_for_settlement: 'moves',
  settlement_pending: 'moves',
  settling: 'moves',
  settlement_confirmed: 'moves',
  settled: 'moves',
  voided: 'voided',
  settlement_declined: 'nothing',
  processor_declined: 'nothing',
  gateway_rejected: 'nothing',
  authorization_expired: 'nothing',
  failed: 'nothing',
};

/** @throws {Error} for a status that Braintree has added since: what it means must not be guessed */
export function acceptedStatus({ id, status }: BraintreeTransaction): 'moves' | 'voided' | 'nothing' {
  const known: Readonly<Record<string, 'moves' | 'voided' | 'nothing'>> = acceptedStatuses;
  const meaning = known[status];
  if (!meaning) throw new Error(`Braintree reports a status of ${id} that the shop does not know: ${status}`);
  return meaning;
}

/** Moved no money and never will. Braintree lists a refund that the bank declines among the refunds of its sale. */
export const cameToNothing = (transaction: BraintreeTransaction) => acceptedStatus(transaction) !== 'moves';

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

export interface BraintreeContext {
  /** The SDK is loaded with the first call. */
  client(): Promise<BraintreeClient>;
  decisions: Decisions;
  config: BraintreeConfig;
}

/** Parallel requests wait for the same answer of Braintree. */
export function createSales(context: BraintreeContext) {
  const underWay = new Map<string, Promise<PaymentOutcome>>();
  return {
    /** `keep` stores Braintree's id of the sale. */
    send(...[charge, sale, keep]: SaleOf): Promise<PaymentOutcome> {
      const { reference } = charge;
      const outcome = sell(context, charge, sale, keep).finally(() => underWay.delete(reference));
      underWay.set(reference, outcome);
      return outcome;
    },

    /** The outcome of an attempt whose sale was sent, or was about to be. Null if Braintree has none. */
    async outcomeOf(attempt: Attempt): Promise<PaymentOutcome | null> {
      const waiting = underWay.get(attempt.reference);
      if (waiting) return waiting;
      const sale = await findSale(context, attempt);
      return sale && settled(context, attempt.reference, sale);
    },
  };
}

type SaleOf = [
  charge: Charge,
  sale: Omit<Sale, 'orderId' | 'threeDSecureRequired'>,
  keep: (id: string) => Promise<void>,
];

async function sell(
  context: BraintreeContext,
  ...[{ reference, orderNumber }, sale, keep]: SaleOf
): Promise<PaymentOutcome> {
  const fail = async (failure: PaymentFailure): Promise<PaymentOutcome> => {
    await context.decisions.fail(reference, failure);
    return failedWith(failure);
  };
  try {
    const threeDSecureRequired = context.config.threeDSecure === 'required';
    const answer = await (await context.client()).sale({
      ...sale,
      orderId: orderIdOf(reference, orderNumber),
      threeDSecureRequired,
    });
    if (wasSoldBefore(answer)) {
      const earlier = await findSale(context, { reference, providerId: null });
      if (earlier) {
        await keep(earlier.id);
        return await settled(context, reference, earlier);
      }
      // Braintree has charged this order id, which its search does not find yet.
      if (answer.transaction) return { state: 'undecided' };
    }
    if (!answer.transaction) return await fail(validationFailure('codes' in answer ? answer.codes : []));
    await keep(answer.transaction.id);
    return await settled(context, reference, answer.transaction);
  } catch (error) {
    // Not processed, so not charged. Any other error may have charged.
    if (error instanceof Error && notProcessed.includes(error.name)) return await fail(unavailable);
    return { state: 'undecided' };
  }
}

/** The outcome of a sale; a failure is recorded as the attempt's decision. */
async function settled(
  context: BraintreeContext,
  reference: string,
  sale: BraintreeTransaction,
): Promise<PaymentOutcome> {
  // A sale that was voided for a refund had succeeded before.
  if (sale.status === 'voided' && (await context.decisions.find(voidKey(reference))))
    return { state: 'succeeded' };
  const outcome = outcomeOfSale(sale);
  if (outcome.state === 'failed') await context.decisions.fail(reference, outcome.failure);
  return outcome;
}

/** Of several with its order id, the one that took the money: all others were rejected as its duplicates. */
export async function findSale(
  context: BraintreeContext,
  { reference, providerId }: Pick<Attempt, 'reference' | 'providerId'>,
): Promise<BraintreeTransaction | null> {
  const braintree = await context.client();
  if (providerId !== null)
    return braintree.find(providerId).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'notFoundError') throw error;
      throw new AttemptUnknown(
        `Braintree has no transaction ${providerId}: its keys are of another account or environment`,
      );
    });
  const sales = (await braintree.salesOf(reference)).filter((sale) => !isDuplicate(sale));
  return sales.find((sale) => !cameToNothing(sale)) ?? sales[0] ?? null;
}

const isDuplicate = ({ gatewayRejectionReason }: BraintreeTransaction) =>
  gatewayRejectionReason === 'duplicate';

/**
 * Such a sale may be this very request, repeated on the way: the same order id makes a duplicate, or its nonce was used.
 * https://developer.paypal.com/braintree/articles/control-panel/transactions/duplicate-checking
 */
function wasSoldBefore(answer: BraintreeAnswer): boolean {
  if (answer.success) return false;
  return answer.transaction ? isDuplicate(answer.transaction) : answer.codes.includes(nonceConsumed);
}

/** With its number the merchant finds the order. */
const orderIdOf = (reference: string, orderNumber: string | null | undefined) =>
  orderNumber ? `${orderNumber}/${reference}` : reference;

/** '' if there is none. */
export const referenceOf = (orderId: string) => orderId.slice(orderId.lastIndexOf('/') + 1);

/** The key of the decision that a sale is voided to refund all of its money; with a refund's key, for which refund. */
export const voidKey = (reference: string, refundKey?: string) =>
  `${reference}:void${refundKey === undefined ? '' : `:${refundKey}`}`;
