/**
 * Braintree's settled transactions, what it pays out of them, and its settlement batches, by which they are counted.
 * https://developer.paypal.com/braintree/docs/reference/request/transaction/search ·
 * https://developer.paypal.com/braintree/docs/reference/response/transaction#disbursement_details ·
 * https://developer.paypal.com/braintree/docs/reference/request/settlement-batch-summary/generate
 */
import { amountOf, decimalAmount } from '#server/modules/payments/providers/amounts.ts';
import {
  patiently,
  type SettlementEntry,
  type SettlementPiece,
} from '#server/modules/payments/providers/settlement.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import type {
  BraintreeBatchRecord,
  BraintreeClient,
  BraintreeDispute,
  BraintreeTransaction,
} from './client.ts';

/** Batches of so many days are counted again. */
const countedDays = 3;

export async function* readSettlements(
  braintree: BraintreeClient,
  from: number,
  to: number,
): AsyncGenerator<SettlementPiece, number> {
  // Days are whole: a payout is one day of one merchant account.
  const [first, last] = [dayOf(from), dayOf(to)];
  const moved = await patiently(
    () => braintree.movedBetween(Date.parse(first), Date.parse(last) + dayMs),
    isTooOften,
  );
  const settled = moved.filter(({ status }) => status === 'settled');
  const entries = settled.map(entryOf);
  yield { entries };
  yield {
    entries: moved.flatMap(({ disputes = [], ...sale }) =>
      disputes.flatMap((each) => disputeEntries(each, sale)),
    ),
  };
  yield { entries: payoutsOf(entries, first) };
  for (let back = 1; back <= countedDays; back++) {
    const day = dayOf(to - back * dayMs);
    if (day <= first) break;
    const problem = differenceOf(day, await patiently(() => braintree.batchesOf(day), isTooOften), settled);
    if (problem !== null) yield { entries: [], problem };
  }
  return to;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const isTooOften = (error: unknown) => error instanceof Error && error.name === 'tooManyRequestsError';

function entryOf(from: BraintreeTransaction): SettlementEntry {
  const {
    id,
    type,
    amount,
    currencyIsoCode: own = '',
    createdAt = '',
    orderId,
    refundedTransactionId: sale,
  } = from;
  const isSale = type === 'sale';
  const sign = isSale ? 1 : -1;
  const paid = from.disbursementDetails;
  const day = paid?.disbursementDate;
  const currency = (day && paid?.settlementCurrencyIsoCode) || own;
  const gross = sign * amountOf((day && paid?.settlementAmount) || amount, currency);
  const isPaidOut = Boolean(day) && paid?.success !== false && paid?.fundsHeld !== true;
  return {
    id,
    kind: isSale ? 'payment' : 'refund',
    type,
    state: 'settled',
    at: Date.parse(createdAt),
    availableAt: day ? Date.parse(day) : null,
    currency,
    gross,
    // The fees of a merchant account are on its statement, and in no answer.
    fee: null,
    charged: { amount: sign * amountOf(amount, own), currency: own },
    payout: isPaidOut ? `${from.merchantAccountId}/${day}` : null,
    complete: false,
    about: isSale
      ? { dashboard: id, providerId: id, reference: referenceIn(orderId) }
      : { dashboard: sale ?? id, providerId: sale ?? undefined, refundKey: orderId, refundId: id },
  };
}

/** 'MC-2026-000204/<reference>' or the reference alone. */
const referenceIn = (orderId: string | undefined) => orderId?.split('/').at(-1);

/** What a chargeback takes, and gives back if it is won. An inquiry takes nothing. */
function disputeEntries(
  dispute: BraintreeDispute,
  sale: Omit<BraintreeTransaction, 'disputes'>,
): SettlementEntry[] {
  const { id, amountDisputed, status, kind, createdAt } = dispute;
  if (kind?.toLowerCase() === 'retrieval') return [];
  const { currencyIsoCode: currency = '' } = sale;
  const amount = amountOf(amountDisputed, currency);
  const taken: SettlementEntry = {
    id,
    kind: 'dispute',
    type: kind ?? 'chargeback',
    state: 'settled',
    at: Date.parse(createdAt),
    availableAt: null,
    currency,
    gross: -amount,
    fee: null,
    charged: null,
    payout: null,
    complete: false,
    about: { dashboard: sale.id, providerId: sale.id, disputeId: id },
  };
  return status.toLowerCase() === 'won'
    ? [taken, { ...taken, id: `${id}-won`, kind: 'disputeReversed', type: 'won', gross: amount }]
    : [taken];
}

/** A payout for each day and merchant account, since a day. */
function payoutsOf(entries: readonly SettlementEntry[], since: string): SettlementEntry[] {
  return [...Map.groupBy(entries, ({ payout }) => payout)].flatMap(
    ([payout, [first, ...others]]): SettlementEntry[] => {
      const at = first?.availableAt;
      if (payout === null || !first || at === null || at === undefined || dayOf(at) < since) return [];
      const sent = [first, ...others].reduce((sum, { gross }) => sum + gross, 0);
      return [
        {
          id: payout,
          kind: 'payout',
          type: 'disbursement',
          state: 'sent',
          at,
          availableAt: at,
          currency: first.currency,
          gross: -sent,
          fee: null,
          charged: null,
          payout,
          complete: true,
          about: { dashboard: '' },
        },
      ];
    },
  );
}

/** What the batches of a day count, and what was listed of them; null if they agree. */
function differenceOf(
  day: string,
  records: readonly BraintreeBatchRecord[],
  settled: readonly BraintreeTransaction[],
): string | null {
  const listed = settled.filter(({ settlementBatchId: batch }) => batch?.startsWith(day));
  const words = (account: string, kind: string): [string, string] => {
    const mine = listed.filter(
      ({ merchantAccountId, type }) => merchantAccountId === account && type === kind,
    );
    const counted = records.filter((each) => each.merchantAccountId === account && each.kind === kind);
    const currency = mine[0]?.currencyIsoCode ?? 'CAD';
    const sum = (amounts: readonly string[]) =>
      decimalAmount(
        amounts.reduce((total, each) => total + amountOf(each, currency), 0),
        currency,
      );
    return [
      `${counted.reduce((total, { count }) => total + Number(count), 0)} of ${sum(counted.map((each) => each.amountSettled))}`,
      `${mine.length} of ${sum(mine.map(({ amount }) => amount))}`,
    ];
  };
  const accounts = new Set([...records, ...listed].map(({ merchantAccountId }) => merchantAccountId ?? ''));
  for (const account of accounts)
    for (const kind of ['sale', 'credit']) {
      const [counted, found] = words(account, kind);
      if (counted !== found)
        return `The batches of ${day} at ${account} count ${kind}s: ${counted}, and Braintree lists ${found}`;
    }
  return null;
}
