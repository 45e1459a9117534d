/** https://docs.stripe.com/api/refunds · /disputes · /payment_intents/list */
import Stripe from 'stripe';
import type {
  ListedPayment,
  ProviderActivity,
  ProviderDispute,
  ProviderRefund,
} from '#server/modules/payments/providers/provider.ts';
import { AttemptUnknown } from '#server/modules/payments/providers/provider.ts';
import { amountOfStripe } from '../intent-values.ts';
import { readable } from './errors.ts';

interface DisputeStatus {
  state: ProviderDispute['state'];
  /** Whether Stripe waits for the merchant. */
  waits?: true;
}

/**
 * Inquiries ('warning_…') take no money, and are over when closed; 'prevented' ones never began. A lost one may be appealed.
 * https://docs.stripe.com/api/disputes/object#dispute_object-status
 */
export const disputeStatuses: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: { state: 'open', waits: true },
  warning_under_review: { state: 'open' },
  warning_closed: { state: 'won' },
  needs_response: { state: 'open', waits: true },
  under_review: { state: 'open' },
  appeal_needs_response: { state: 'open', waits: true },
  appeal_under_review: { state: 'open' },
  won: { state: 'won' },
  lost: { state: 'lost' },
  prevented: { state: 'won' },
};

/** @throws {AttemptUnknown} if the intent belongs to another account or mode than the key */
export async function activityOf(stripe: Stripe, intent: string): Promise<ProviderActivity> {
  try {
    return await list(stripe, intent);
  } catch (error) {
    throw isMissing(error) && error instanceof Error ? new AttemptUnknown(`Stripe: ${error.message}`) : error;
  }
}

async function list(stripe: Stripe, intent: string): Promise<ProviderActivity> {
  const query = { payment_intent: intent, limit: 100 };
  return {
    uncollected: null,
    refunds: await listed(stripe.refunds.list(query), refundOf),
    disputes: await listed(stripe.disputes.list(query), disputeOf),
  };
}

/** @throws for an intent that is not there; any other error is the answer */
async function listed<T, R>(all: AsyncIterable<T>, view: (each: T) => R): Promise<R[] | Error> {
  const found: R[] = [];
  try {
    for await (const each of all) found.push(view(each));
    return found;
  } catch (error) {
    const problem = readable(error);
    if (isMissing(error) || !(problem instanceof Error)) throw error;
    return problem;
  }
}

const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

/** Intents without a reference belong to another system of the account. */
export async function takenSince(stripe: Stripe, since: number): Promise<ListedPayment[]> {
  const taken: ListedPayment[] = [];
  const created = { gte: Math.floor(since / 1000) };
  for await (const intent of stripe.paymentIntents.list({
    created,
    limit: 100,
    expand: ['data.latest_charge'],
  })) {
    const { id, status, metadata, currency, amount_received, latest_charge: charge, description } = intent;
    if (status !== 'succeeded' || !metadata.reference) continue;
    const refunded = charge && typeof charge === 'object' ? charge.amount_refunded : 0;
    taken.push({
      reference: metadata.reference,
      id,
      orderNumber: (description ?? '').replace(/^Order /, ''),
      amount: amountOfStripe(amount_received, currency),
      currency: currency.toUpperCase(),
      refunded: amountOfStripe(refunded, currency),
      at: intent.created * 1000,
    });
  }
  return taken;
}

function refundOf({
  id,
  metadata,
  amount,
  currency,
  status,
  created,
  reason,
  failure_reason,
}: Stripe.Refund): ProviderRefund {
  const state = refundState(id, status);
  return {
    id,
    key: metadata?.key ?? null,
    amount: amountOfStripe(amount, currency),
    state,
    at: created * 1000,
    reason: (state === 'failed' ? (failure_reason ?? status) : reason) ?? '',
  };
}

/** https://docs.stripe.com/api/refunds/object#refund_object-status. The SDK types it as any text. */
export const refundStatuses: Readonly<Record<string, ProviderRefund['state']>> = {
  pending: 'given',
  requires_action: 'given',
  succeeded: 'given',
  failed: 'failed',
  canceled: 'failed',
};

/** @throws {Error} for a status that Stripe has added since: what it means must not be guessed */
function refundState(id: string, status: string | null): ProviderRefund['state'] {
  // Of some old refunds there is none.
  const state = refundStatuses[status ?? 'succeeded'];
  if (!state) throw new Error(`Stripe reports a status of ${id} that the shop does not know: ${status}`);
  return state;
}

/** @throws {Error} for a status that Stripe has added since: what it means must not be guessed */
function disputeOf(dispute: Stripe.Dispute): ProviderDispute {
  const {
    id,
    amount,
    currency,
    status,
    reason,
    created,
    evidence_details: evidence,
    is_charge_refundable,
  } = dispute;
  const known = disputeStatuses[status];
  if (!known) throw new Error(`Stripe reports a status of ${id} that the shop does not know: ${status}`);
  return {
    id,
    amount: amountOfStripe(amount, currency),
    state: known.state,
    reason,
    at: created * 1000,
    // 0: the bank takes no answer.
    respondBy: known.waits && evidence.due_by ? evidence.due_by * 1000 : null,
    refundable: is_charge_refundable,
  };
}
