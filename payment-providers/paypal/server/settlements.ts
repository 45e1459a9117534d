/**
 * PayPal's transactions as the books of the account. https://developer.paypal.com/docs/api/transaction-search/v1/ ·
 * https://developer.paypal.com/docs/reports/reference/tcodes/
 */
import { amountOf } from '#server/modules/payments/providers/amounts.ts';
import type { RightMissing } from '#server/modules/payments/providers/provider.ts';
import {
  patiently,
  type SettlementEntry,
  type SettlementKind,
  type SettlementPiece,
  type SettlementState,
} from '#server/modules/payments/providers/settlement.ts';
import { PayPalBusy, type PayPalClient, PayPalRefusal, type PayPalTransaction } from './client.ts';

/** By the code of an event, else by its group. What is not here is `other`: it counts, under PayPal's own code. */
const kinds: Readonly<Record<string, SettlementKind>> = {
  T00: 'payment',
  T01: 'fee',
  T03: 'other',
  T04: 'payout',
  T11: 'refund',
  /** A withdrawal that the bank sent back. */
  T1101: 'payoutReversed',
  /** Of a debit card, points and money that was put in: nothing of a sale. */
  T1102: 'other',
  T1103: 'other',
  T1104: 'other',
  /** Holds of the account that end. */
  T1105: 'hold',
  /** PayPal takes a payment back for the buyer. */
  T1106: 'dispute',
  T1108: 'fee',
  T1109: 'fee',
  /** What is disputed, held until it is decided, and let go. */
  T1110: 'dispute',
  T1111: 'disputeReversed',
  T12: 'other',
  T1201: 'dispute',
  T1202: 'disputeReversed',
  T1205: 'disputeReversed',
  T15: 'hold',
  T21: 'hold',
};

/** https://developer.paypal.com/docs/api/transaction-search/v1/#definition-transaction_info */
const states: Readonly<Record<string, SettlementState>> = {
  S: 'settled',
  V: 'settled',
  P: 'pending',
  D: 'denied',
};

/**
 * Everything from one time to another. Returns until when PayPal lists everything.
 * @throws {RightMissing} as `missing` makes it
 */
export async function* readTransactions(
  paypal: PayPalClient,
  from: number,
  to: number,
  missing: () => RightMissing,
): AsyncGenerator<SettlementPiece, number> {
  let until = to;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const listed = await patiently(() => paypal.transactionPage(from, to, page), isTooOften).catch(
      (error: unknown) => {
        if (isTooMany(error)) return null;
        throw error instanceof PayPalRefusal && error.status === 403 ? missing() : error;
      },
    );
    if (listed === null) return yield* readHalves(paypal, from, to, missing);
    const refreshed = Date.parse(listed.last_refreshed_datetime ?? '');
    if (!Number.isNaN(refreshed)) until = Math.min(until, refreshed);
    yield { entries: (listed.transaction_details ?? []).map((each) => entryOf(each.transaction_info)) };
    pages = listed.total_pages ?? 1;
  }
  return until;
}

/** PayPal lists 10,000 transactions at most. */
async function* readHalves(
  paypal: PayPalClient,
  from: number,
  to: number,
  missing: () => RightMissing,
): AsyncGenerator<SettlementPiece, number> {
  const middle = Math.floor((from + to) / 2000) * 1000;
  if (middle <= from || middle >= to)
    throw new Error('PayPal lists more transactions of a second than it can');
  const first = yield* readTransactions(paypal, from, middle, missing);
  const second = yield* readTransactions(paypal, middle, to, missing);
  return first < middle ? first : second;
}

const isTooOften = (error: unknown) => error instanceof PayPalBusy;
const isTooMany = (error: unknown) =>
  error instanceof PayPalRefusal && error.issues.includes('RESULTSET_TOO_LARGE');

function entryOf(from: PayPalTransaction): SettlementEntry {
  const {
    transaction_id: id,
    transaction_event_code: code,
    transaction_amount: money,
    fee_amount: fee,
  } = from;
  const { currency_code: currency } = money;
  const gross = amountOf(money.value, currency);
  const kind = kindOf(code, gross);
  const isMoney = kind === 'payment' || kind === 'refund';
  const state = stateOf(from);
  return {
    id,
    kind,
    type: code,
    state:
      kind === 'payout' && state === 'settled'
        ? 'arrived'
        : kind === 'payout' && state === 'pending'
          ? 'sent'
          : state,
    at: Date.parse(from.transaction_initiation_date),
    availableAt: null,
    currency,
    gross,
    // PayPal writes what it took below zero, and leaves it out where it took nothing.
    fee: fee ? 0 - amountOf(fee.value, fee.currency_code) : 0,
    charged: isMoney ? { amount: gross, currency } : null,
    payout: kind === 'payout' ? id : null,
    complete: false,
    about: aboutOf(from, kind),
  };
}

function kindOf(code: string, gross: number): SettlementKind {
  const kind = kinds[code] ?? kinds[code.slice(0, 3)] ?? 'other';
  // What the account paid to somebody else is no payment that it took.
  return kind === 'payment' && gross < 0 ? 'other' : kind;
}

/** @throws {Error} for a status that PayPal has added since: what it means must not be guessed */
function stateOf({ transaction_id: id, transaction_status: status }: PayPalTransaction): SettlementState {
  const state = states[status];
  if (!state) throw new Error(`PayPal reports a status of ${id} that the shop does not know: ${status}`);
  return state;
}

/** The custom field of a payment is the shop's reference; that of a refund may have the refund's key behind it. */
function aboutOf(from: PayPalTransaction, kind: SettlementKind): SettlementEntry['about'] {
  const { transaction_id: id, paypal_reference_id: parent, custom_field: custom } = from;
  const [reference, refundKey] = custom?.split(':') ?? [];
  if (kind === 'payment') return { dashboard: id, reference };
  const entry = { dashboard: parent ?? id, entry: parent, reference };
  return kind === 'refund' || kind === 'refundFailed' ? { ...entry, refundKey, refundId: id } : entry;
}
