/**
 * Stripe's balance transactions and payouts. https://docs.stripe.com/api/balance_transactions · /payouts ·
 * https://docs.stripe.com/reports/reporting-categories · https://docs.stripe.com/payouts/reconciliation
 */
import Stripe from 'stripe';
import {
  patiently,
  type SettlementEntry,
  type SettlementKind,
  type SettlementPiece,
  type SettlementState,
  type Settlements,
} from '#server/modules/payments/providers/settlement.ts';
import { amountOfStripe } from '../intent-values.ts';
import { readable } from './errors.ts';

/** The largest page. https://docs.stripe.com/api/pagination */
const pageSize = 100;

/**
 * By Stripe's categories for accounting, which separate disputes and refunds that failed from other adjustments. A category that is not
 * here is `other`: it counts, under Stripe's own word.
 */
export const reportingCategories: Readonly<Record<string, SettlementKind>> = {
  charge: 'payment',
  charge_failure: 'payment',
  partial_capture_reversal: 'payment',
  refund: 'refund',
  refund_failure: 'refundFailed',
  dispute: 'dispute',
  dispute_reversal: 'disputeReversed',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  risk_reserved_funds: 'hold',
  payout_minimum_balance_hold: 'hold',
  payout_minimum_balance_release: 'hold',
  payout: 'payout',
  payout_reversal: 'payoutReversed',
};

/** https://docs.stripe.com/api/payouts/object#payout_object-status */
const payoutStates: Readonly<Record<string, SettlementState>> = {
  pending: 'sent',
  in_transit: 'sent',
  paid: 'arrived',
  failed: 'failed',
  canceled: 'failed',
};

export function createSettlements(stripe: Stripe): Settlements {
  return {
    says: { rowsOfPayouts: true, fees: true },
    async *read(from, to, isListed) {
      const created = { gte: Math.floor(from / 1000), lt: Math.ceil(to / 1000) };
      const payouts = new Map<string, Stripe.Payout>();
      for await (const page of pagesOf(stripe, { created })) {
        for (const { source } of page) if (isPayout(source)) payouts.set(source.id, source);
        yield { entries: page.map((each) => entryOf(each, payoutOf(each))) };
      }
      // Only of automatic payouts does Stripe say what they consist of, and of those once it has worked that out.
      for (const { id, automatic, reconciliation_status } of payouts.values())
        if (automatic && reconciliation_status === 'completed' && !isListed(id))
          yield* rowsOfPayout(stripe, id);
      return to;
    },
  };
}

async function* rowsOfPayout(stripe: Stripe, payout: string): AsyncGenerator<SettlementPiece> {
  for await (const page of pagesOf(stripe, { payout }))
    yield { entries: page.map((each) => entryOf(each, payout)) };
}

/** The newest first, as Stripe lists them. */
async function* pagesOf(
  stripe: Stripe,
  query: Stripe.BalanceTransactionListParams,
): AsyncGenerator<Stripe.BalanceTransaction[]> {
  for (let after: string | undefined; ; ) {
    const asked = {
      ...query,
      limit: pageSize,
      expand: ['data.source'],
      ...(after ? { starting_after: after } : {}),
    };
    const ask = () => stripe.balanceTransactions.list(asked);
    const { data, has_more: more } = await patiently(ask, isTooOften).catch((error: unknown) => {
      throw readable(error);
    });
    if (data.length > 0) yield data;
    after = data.at(-1)?.id;
    if (!more || after === undefined) return;
  }
}

const isTooOften = (error: unknown) => error instanceof Stripe.errors.StripeRateLimitError;

type Source = Stripe.BalanceTransaction['source'];
const isPayout = (source: Source): source is Stripe.Payout =>
  typeof source === 'object' && source?.object === 'payout';

/** Both a payout and what reverses it are told with the payout itself. */
const payoutOf = ({ source }: Stripe.BalanceTransaction) => (isPayout(source) ? source.id : null);

function entryOf(from: Stripe.BalanceTransaction, payout: string | null): SettlementEntry {
  const { id, reporting_category: category, created, available_on, currency, amount, fee, source } = from;
  const kind = reportingCategories[category] ?? 'other';
  const isSent = kind === 'payout' && isPayout(source);
  return {
    id,
    kind,
    type: category,
    state: isSent ? payoutState(source) : 'settled',
    at: created * 1000,
    availableAt: (isSent ? source.arrival_date : available_on) * 1000,
    currency: currency.toUpperCase(),
    gross: amountOfStripe(amount, currency),
    fee: amountOfStripe(fee, currency),
    ...aboutOf(source, kind),
    payout,
    complete: isSent && source.automatic && source.reconciliation_status === 'completed',
  };
}

/** @throws {Error} for a status that Stripe has added since: what it means must not be guessed */
function payoutState({ id, status }: Stripe.Payout): SettlementState {
  const state = payoutStates[status];
  if (!state) throw new Error(`Stripe reports a status of ${id} that the shop does not know: ${status}`);
  return state;
}

/** What a transaction is about: a charge, which copies the reference of its intent, a refund or a dispute. */
function aboutOf(source: Source, kind: SettlementKind): Pick<SettlementEntry, 'about' | 'charged'> {
  if (source === null || typeof source === 'string')
    return { about: { dashboard: source ?? '' }, charged: null };
  if (source.object === 'charge') {
    const intent = idOf(source.payment_intent);
    const { reference } = source.metadata;
    return {
      about: { dashboard: intent ?? source.id, reference, providerId: intent },
      charged: kind === 'payment' ? moneyOf(source) : null,
    };
  }
  if (source.object === 'refund') {
    const intent = idOf(source.payment_intent);
    const { reference, key } = source.metadata ?? {};
    return {
      about: {
        dashboard: intent ?? source.id,
        reference,
        providerId: intent,
        refundKey: key,
        refundId: source.id,
      },
      charged: moneyOf(source, kind === 'refundFailed' ? 1 : -1),
    };
  }
  if (source.object === 'dispute') {
    const intent = idOf(source.payment_intent);
    return {
      about: { dashboard: intent ?? source.id, providerId: intent, disputeId: source.id },
      charged: null,
    };
  }
  return { about: { dashboard: source.id }, charged: null };
}

const moneyOf = ({ amount, currency }: { amount: number; currency: string }, sign = 1) => ({
  amount: sign * amountOfStripe(amount, currency),
  currency: currency.toUpperCase(),
});

const idOf = (of: string | { id: string } | null | undefined): string | undefined =>
  (typeof of === 'string' ? of : of?.id) ?? undefined;
