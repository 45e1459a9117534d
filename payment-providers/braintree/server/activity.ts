/**
 * Converts refunds and disputes of a sale from Braintree.
 * https://developer.paypal.com/braintree/docs/reference/response/transaction · /response/dispute
 */
import type { ProviderActivity, ProviderDispute, ProviderRefund } from '#server/modules/payments/provider.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { BraintreeDispute, BraintreeTransaction } from './client.ts';
import { cameToNothing } from './failures.ts';

const lost: readonly string[] = ['lost', 'accepted', 'auto_accepted', 'expired'];

/** `voidedThere`: the sale was voided, and not by the shop. */
export function activityOf(
  sale: BraintreeTransaction,
  refunds: readonly BraintreeTransaction[],
  voidedThere: boolean,
): ProviderActivity {
  const given = refunds.map(refundOf);
  // A void has no transaction of its own.
  if (voidedThere) given.push({ ...refundOf(sale), id: `${sale.id}-void`, key: null, state: 'given', reason: 'voided' });
  return { refunds: given, disputes: (sale.disputes ?? []).map(disputeOf) };
}

function refundOf(refund: BraintreeTransaction): ProviderRefund {
  return {
    id: refund.id,
    key: refund.orderId ?? null,
    amount: hundredths(refund.amount),
    state: cameToNothing(refund) ? 'failed' : 'given',
    at: Date.parse(refund.createdAt ?? ''),
    reason: '',
  };
}

function disputeOf({ id, amountDisputed, status, reason, createdAt, replyByDate }: BraintreeDispute): ProviderDispute {
  const state = status.toLowerCase();
  const respondBy = state === 'open' && replyByDate ? Date.parse(replyByDate) + dayMs : null;
  return {
    id,
    amount: hundredths(amountDisputed),
    state: state === 'won' ? 'won' : lost.includes(state) ? 'lost' : 'open',
    reason: reason ?? '',
    at: Date.parse(createdAt),
    respondBy,
  };
}

/** Converts decimal text to cents. */
function hundredths(amount: string): number {
  return Math.round(Number(amount) * 100);
}
