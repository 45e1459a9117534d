/** https://developer.paypal.com/braintree/docs/reference/response/transaction · /response/dispute */
import type {
  ListedPayment,
  ProviderActivity,
  ProviderDispute,
  ProviderRefund,
} from '#server/modules/payments/providers/provider.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import type { BraintreeDispute, BraintreeTransaction } from './client.ts';
import { acceptedStatus, cameToNothing, outcomeOfSale } from './sales.ts';

/** https://developer.paypal.com/braintree/docs/reference/response/dispute#status */
export const disputeStatuses: Readonly<Record<string, ProviderDispute['state']>> = {
  open: 'open',
  disputed: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
  auto_accepted: 'lost',
  expired: 'lost',
};

/** `voidedThere`: the sale was voided, and not by the shop. */
export function activityOf(
  sale: BraintreeTransaction,
  refunds: readonly BraintreeTransaction[],
  voidedThere: boolean,
): ProviderActivity {
  const given = refunds.map(refundOf);
  // A void has no transaction of its own.
  if (voidedThere) given.push({ ...refundOf(sale), id: `${sale.id}-void`, key: null, state: 'given', reason: 'voided' });
  return { uncollected: uncollectedOf(sale), refunds: given, disputes: (sale.disputes ?? []).map(disputeOf) };
}

/** Such as 'settlement_declined (4001: Settlement Declined)'. */
function uncollectedOf(sale: BraintreeTransaction): string | null {
  if (acceptedStatus(sale) !== 'nothing') return null;
  const { status, processorSettlementResponseCode: code, processorSettlementResponseText: text } = sale;
  const answer = [code, text].filter(Boolean).join(': ');
  return answer ? `${status} (${answer})` : status;
}

export function takenOf(transactions: readonly BraintreeTransaction[]): ListedPayment[] {
  const refunds = Map.groupBy(
    transactions.filter((each) => each.type === 'credit' && !cameToNothing(each)),
    ({ refundedTransactionId }) => refundedTransactionId,
  );
  return transactions.flatMap((sale): ListedPayment[] => {
    // 'MC-2026-000204/<reference>' or the reference alone; other order ids belong to another system of the account.
    const [, orderNumber = '', reference] =
      /^(?:(.*)\/)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(sale.orderId ?? '') ?? [];
    if (sale.type !== 'sale' || !reference || outcomeOfSale(sale).state !== 'succeeded') return [];
    return [
      {
        reference,
        id: sale.id,
        orderNumber,
        amount: hundredths(sale.amount),
        currency: sale.currencyIsoCode ?? '',
        refunded: (refunds.get(sale.id) ?? []).reduce((sum, { amount }) => sum + hundredths(amount), 0),
        at: Date.parse(sale.createdAt ?? ''),
      },
    ];
  });
}

function refundOf(refund: BraintreeTransaction): ProviderRefund {
  const failed = cameToNothing(refund);
  return {
    id: refund.id,
    key: refund.orderId ?? null,
    amount: hundredths(refund.amount),
    state: failed ? 'failed' : 'given',
    at: Date.parse(refund.createdAt ?? ''),
    reason: failed ? refund.status : '',
  };
}

/** @throws {Error} for a status that Braintree has added since: what it means must not be guessed */
function disputeOf({ id, amountDisputed, status, kind, reason, createdAt, replyByDate }: BraintreeDispute): ProviderDispute {
  const known = disputeStatuses[status.toLowerCase()];
  if (!known) throw new Error(`Braintree reports a status of ${id} that the shop does not know: ${status}`);
  const isInquiry = kind?.toLowerCase() === 'retrieval';
  return {
    id,
    amount: hundredths(amountDisputed),
    // However an inquiry ends, the money stays.
    state: isInquiry && known === 'lost' ? 'won' : known,
    reason: reason ?? '',
    at: Date.parse(createdAt),
    respondBy: status.toLowerCase() === 'open' && replyByDate ? Date.parse(replyByDate) + dayMs : null,
    refundable: isInquiry && known === 'open',
  };
}

function hundredths(amount: string): number {
  return Math.round(Number(amount) * 100);
}
