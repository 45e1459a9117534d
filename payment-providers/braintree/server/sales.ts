import { type Decisions, failedWith } from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  AttemptUnknown,
  type Charge,
  type PaymentFailure,
  type PaymentOutcome,
} from '#server/modules/payments/providers/provider.ts';
import type { BraintreeAnswer, BraintreeClient, BraintreeConfig, BraintreeTransaction, Sale } from './client.ts';
import { cameToNothing, nonceConsumed, notProcessed, outcomeOfSale, unavailable, validationFailure } from './failures.ts';

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

type SaleOf = [charge: Charge, sale: Omit<Sale, 'orderId' | 'threeDSecureRequired'>, keep: (id: string) => Promise<void>];

async function sell(context: BraintreeContext, ...[{ reference, orderNumber }, sale, keep]: SaleOf): Promise<PaymentOutcome> {
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
async function settled(context: BraintreeContext, reference: string, sale: BraintreeTransaction): Promise<PaymentOutcome> {
  // A sale that was voided for a refund had succeeded before.
  if (sale.status === 'voided' && (await context.decisions.find(voidKey(reference)))) return { state: 'succeeded' };
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
      throw new AttemptUnknown(`Braintree has no transaction ${providerId}: its keys are of another account or environment`);
    });
  const sales = (await braintree.salesOf(reference)).filter((sale) => !isDuplicate(sale));
  return sales.find((sale) => !cameToNothing(sale)) ?? sales[0] ?? null;
}

const isDuplicate = ({ gatewayRejectionReason }: BraintreeTransaction) => gatewayRejectionReason === 'duplicate';

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
