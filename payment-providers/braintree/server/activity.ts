/** https://developer.paypal.com/braintree/docs/reference/response/transaction · /response/dispute */
import { amountOf } from '#server/modules/payments/providers/amounts.ts';
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
  const { currencyIsoCode: currency = '' } = sale;
  const given = refunds.map((each) => refundOf(each, currency));
  // A void has no transaction of its own.
  if (voidedThere)
    given.push({
      ...refundOf(sale, currency),
      id: `${sale.id}-void`,
      key: null,
      state: 'given',
      reason: 'voided',
    });
  return {
    uncollected: uncollectedOf(sale),
    refunds: given,
    disputes: (sale.disputes ?? []).map((each) => disputeOf(each, currency)),
  };
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
    const { currencyIsoCode: currency = '' } = sale;
    return [
      {
        reference,
        id: sale.id,
        orderNumber,
        amount: amountOf(sale.amount, currency),
        currency,
        refunded: (refunds.get(sale.id) ?? []).reduce(
          (sum, { amount }) => sum + amountOf(amount, currency),
          0,
        ),
        at: Date.parse(sale.createdAt ?? ''),
      },
    ];
  });
}

function refundOf(refund: BraintreeTransaction, currency: string): ProviderRefund {
  const failed = cameToNothing(refund);
  return {
    id: refund.id,
    key: refund.orderId ?? null,
    amount: amountOf(refund.amount, currency),
    state: failed ? 'failed' : 'given',
    at: Date.parse(refund.createdAt ?? ''),
    reason: failed ? refund.status : '',
  };
}

/** @throws {Error} for a status that Braintree has added since: what it means must not be guessed */
function disputeOf(dispute: BraintreeDispute, currency: string): ProviderDispute {
  const { id, amountDisputed, status, kind, reason, createdAt, replyByDate } = dispute;
  const known = disputeStatuses[status.toLowerCase()];
  if (!known) throw new Error(`Braintree reports a status of ${id} that the shop does not know: ${status}`);
  const isInquiry = kind?.toLowerCase() === 'retrieval';
  return {
    id,
    amount: amountOf(amountDisputed, currency),
    // However an inquiry ends, the money stays.
    state: isInquiry && known === 'lost' ? 'won' : known,
    reason: reason ?? '',
    at: Date.parse(createdAt),
    respondBy: status.toLowerCase() === 'open' && replyByDate ? Date.parse(replyByDate) + dayMs : null,
    refundable: isInquiry && known === 'open',
  };
}
