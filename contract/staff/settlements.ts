/** The calls of the room "Payouts": what payment providers say of the shop's money with them, and how it agrees with orders and the bank. */
import Type, { type Static } from 'typebox';
import { CalendarDay, Count, described, EpochMs, Flag, Nullable, Strict } from '../schemas/common.ts';
import { Done, lang, type StaffEndpoint } from './endpoint.ts';

/** Days of a range at most. */
export const longestSettlementRange = 366;
/** Of a bank statement, bytes. */
export const mostStatementBytes = 5 * 1024 * 1024;

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);
const Provider = Type.String({ minLength: 1, maxLength: 40 });
/** In the words of a provider. */
const ProviderId = Type.String({ minLength: 1, maxLength: 200 });
const Currency = described('ISO 4217.', Type.String());
const Amount = described(
  'In the smallest unit of the currency; below zero for what the balance lost.',
  Type.Integer(),
);

export const settlementRowKinds = [
  'payment',
  'refund',
  'refundFailed',
  'dispute',
  'disputeReversed',
  'fee',
  'hold',
  'payout',
  'payoutReversed',
  'other',
] as const;
const rowStates = ['settled', 'pending', 'denied', 'sent', 'arrived', 'failed'] as const;

const range = {
  from: Type.Optional(described('The first day; 90 days before the last if it is left out.', Day)),
  to: Type.Optional(
    described(`The last day; today if it is left out. At most ${longestSettlementRange} days in all.`, Day),
  ),
};

/** One movement of the balance with a provider. */
export const SettlementRow = Type.Object({
  provider: Provider,
  id: described("The provider's own id.", ProviderId),
  kind: Type.Enum(settlementRowKinds),
  type: described("The provider's own word.", Type.String()),
  state: Type.Enum(rowStates),
  at: EpochMs,
  availableAt: described(
    'When it may be paid out; of a payout, when the bank should have it. Null: not said.',
    Nullable(EpochMs),
  ),
  currency: Currency,
  gross: Amount,
  fee: described('What the provider took; null where it does not say.', Nullable(Type.Integer())),
  net: described('gross − fee.', Nullable(Type.Integer())),
  payout: described('Null: in none yet, or the provider does not say.', Nullable(ProviderId)),
  order: described(
    'The number of the order; null: none of this shop is known for it.',
    Nullable(Type.String()),
  ),
  payment: Nullable(Type.String()),
  refund: Nullable(Type.String()),
  dispute: Nullable(Type.String()),
  url: described("In the provider's dashboard.", Nullable(Type.String())),
});
export type SettlementRow = Static<typeof SettlementRow>;

const Sums = {
  rows: Count,
  gross: Amount,
  fee: described('Null where the provider does not say.', Nullable(Type.Integer())),
  net: Nullable(Type.Integer()),
};

export const Payout = Type.Object({
  provider: Provider,
  payout: ProviderId,
  state: Type.Enum(rowStates),
  at: EpochMs,
  arrives: Nullable(EpochMs),
  currency: Currency,
  amount: described('What is sent to the bank.', Type.Integer()),
  complete: described('Whether the provider lists all that is in it.', Flag),
  ...Sums,
  bank: described(
    'The line of the bank that it is; null: none is known.',
    Nullable(Type.Object({ day: Day, amount: Type.Integer(), description: Type.String() })),
  ),
});
export type Payout = Static<typeof Payout>;

const ProviderState = Type.Object({
  provider: Provider,
  readUntil: described('Everything before is here; null: nothing was read yet.', Nullable(EpochMs)),
  readAt: Nullable(EpochMs),
  reading: Flag,
  problem: described('Why the last reading failed; null if it did not.', Nullable(Type.String())),
  rowsOfPayouts: described('Whether it says what a payout consists of.', Flag),
  fees: described('Whether it says what it takes for each payment.', Flag),
});

export const Settlements = Type.Object({
  from: Day,
  to: Day,
  providers: Type.Array(ProviderState),
  unlisted: described('Providers that are set up and give no books.', Type.Array(Provider)),
  payouts: described('The latest first.', Type.Array(Payout)),
  more: described('Whether there are older ones in the range than these.', Flag),
  waiting: described(
    'What was not paid out yet, or is in no payout that the provider names.',
    Type.Array(Type.Object({ provider: Provider, currency: Currency, ...Sums })),
  ),
});
export type Settlements = Static<typeof Settlements>;

const RowsPage = Type.Object({
  rows: Type.Array(SettlementRow),
  after: described('To go on after them; null: there are no more.', Nullable(Type.String())),
});

/**
 * - `noOrder`: taken at the provider, and no order here.
 * - `unknownRefund`, `unknownDispute`: of a payment here, and not known here.
 * - `amount`: another amount than the shop has.
 * - `notThere`, `refundNotThere`: here, and after days not at the provider.
 * - `payoutSum`: a payout is not the sum of what is in it.
 * - `payoutFailed`: the bank did not take it.
 * - `notArrived`: the statement of the bank covers its day, and does not have it.
 * - `otherAmount`: the bank has another amount for it.
 */
export const findingKinds = [
  'noOrder',
  'unknownRefund',
  'unknownDispute',
  'amount',
  'notThere',
  'refundNotThere',
  'payoutSum',
  'payoutFailed',
  'notArrived',
  'otherAmount',
] as const;
export type FindingKind = (typeof findingKinds)[number];

const FindingId = described('Of the difference.', Type.String({ minLength: 1, maxLength: 400 }));

export const Finding = Type.Object({
  id: FindingId,
  kind: Type.Enum(findingKinds),
  provider: Provider,
  at: EpochMs,
  currency: Currency,
  there: described('At the provider; null: nothing.', Nullable(Type.Integer())),
  here: described('In the shop, or at the bank; null: nothing.', Nullable(Type.Integer())),
  order: Nullable(Type.String()),
  subject: described("The provider's id of it, or the shop's.", Type.String()),
  payout: Nullable(ProviderId),
  line: described('A line of the bank that it may be.', Nullable(Type.String())),
  url: Nullable(Type.String()),
  canAsk: described('Whether the provider can be asked about it again.', Flag),
});
export type Finding = Static<typeof Finding>;

const Findings = Type.Object({
  findings: described('The latest first.', Type.Array(Finding)),
  more: described('Whether there are more than these.', Flag),
  accepted: described('Differences in the range that somebody accepted.', Count),
});

const Column = Type.Optional(
  described('The heading of a column; left out: guessed.', Type.String({ maxLength: 200 })),
);

const Statement = Type.Object({
  columns: described("In the file's own words.", Type.Array(Type.String())),
  day: Nullable(Type.String()),
  amount: Nullable(Type.String()),
  description: Nullable(Type.String()),
  lines: described('Of the file.', Count),
  kept: described('Lines that may be payouts. Others are not kept.', Count),
  known: described('Of those, lines that were here already.', Count),
  matched: described('Payouts that arrived by them.', Count),
  examples: Type.Array(Type.Object({ day: Day, amount: Type.Integer(), description: Type.String() })),
  problems: Type.Array(Type.String()),
  applied: Flag,
});
export type Statement = Static<typeof Statement>;

export const settlementEndpoints = {
  settlements: {
    route: 'GET settlements',
    summary: 'The payouts of payment providers, what waits to be paid out, and when each provider was read.',
    needs: 'books.payouts',
    query: Strict({ ...range, ...lang.properties, provider: Type.Optional(Provider) }),
    response: Settlements,
  },
  settlementRows: {
    route: 'GET settlements/rows',
    summary: 'What a payout consists of, or all that a provider says of a range.',
    needs: 'books.payouts',
    query: Strict({
      ...range,
      ...lang.properties,
      provider: Type.Optional(Provider),
      payout: Type.Optional(described('Only what is in it; `-` for what is in none.', ProviderId)),
      after: Type.Optional(Type.String({ maxLength: 400 })),
    }),
    response: RowsPage,
  },
  settlementFindings: {
    route: 'GET settlements/findings',
    summary: 'What does not agree between providers, orders and the bank.',
    needs: 'books.payouts',
    query: Strict({ ...range, ...lang.properties, provider: Type.Optional(Provider) }),
    response: Findings,
  },
  readSettlements: {
    tool: false,
    route: 'POST settlements/read',
    repeat: 'same',
    summary: 'Begins to read what the providers have listed since they were read last.',
    needs: 'books.payouts',
    response: Type.Object({ providers: Type.Array(ProviderState) }),
  },
  askAboutFinding: {
    tool: false,
    route: 'POST settlements/findings/ask',
    repeat: 'same',
    summary: 'Asks the provider about the payment of a difference again, and records what it says.',
    needs: 'books.payouts',
    body: Strict({ finding: FindingId }),
    response: Type.Object({ solved: Flag }),
  },
  acceptFinding: {
    route: 'POST settlements/findings/accept',
    repeat: 'same',
    summary: 'Accepts a difference, with the reason: it is not listed any more.',
    needs: 'books.close',
    body: Strict({ finding: FindingId, note: Type.String({ minLength: 1, maxLength: 500 }) }),
    response: Done,
  },
  readStatement: {
    tool: false,
    route: 'POST settlements/bank',
    repeat: 'same',
    summary:
      'Reads a CSV or XLSX statement of the bank, which is the body, and finds payouts in it. Without `apply`, it only says what it finds.',
    needs: 'books.close',
    query: Strict({
      ...lang.properties,
      day: Column,
      amount: Column,
      description: Column,
      currency: Type.Optional(Currency),
      apply: Type.Optional(Type.Enum(['yes', 'no'])),
    }),
    response: Statement,
  },
  linkPayout: {
    route: 'POST settlements/link',
    repeat: 'same',
    summary: 'Says which line of the bank a payout is, although their amounts differ.',
    needs: 'books.close',
    body: Strict({
      provider: Provider,
      payout: ProviderId,
      line: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
