/** The calls of the room "Books": its report, what is behind each figure, what is owed, and files. */
import Type, { type Static } from 'typebox';
import {
  CalendarDay,
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  LangQuery,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { accounts, bookEvents, type EntryField, type fieldLists, movements } from './accounts-of-books.ts';
import { ages, bookGroups, tableForms } from './book-figures.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { longestRange } from './takings.ts';
import { taxReturns } from './tax-returns.ts';

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);

/** Smallest units. What was earned, and what is owed to others, is above zero; so is what there is, and what it cost. */
const Amount = Type.Integer({ unit: 'cents' });
const Text = Type.String({ maxLength: 200 });

const Span = {
  from: described('The first day.', Day),
  to: described(`The last day, at most ${longestRange} days in all.`, Day),
  store: Type.Optional(
    described('Only what is of this store; `warehouse` for what is of none. Left out: of all.', Id),
  ),
};

/** What entries say besides their accounts and amounts. */
export const EntryFields = {
  part: described(
    'line, shipping, serviceCharge or tip; of what goods cost sold or lost; empty for none.',
    Type.String(),
  ),
  place: described('Where the sale belongs to, such as CA-ON or US.', Type.String()),
  taxClass: Type.String(),
  treatment: described('taxable, zeroRated, exempt, export or outOfScope.', Type.String()),
  tax: described('Of a tax: its name.', Type.String()),
  rate: described('Of a tax: thousandths of a percent.', Count),
  way: described("Of money: cash, terminal, other or the provider's name.", Type.String()),
} as const satisfies Record<EntryField, Type.TSchema>;

export const BooksRow = Type.Object({
  group: described(
    'By what was asked for: an id, an hour from 0 to 23, a weekday from 1, Monday, to 7; `*` for all others.',
    Type.String(),
  ),
  currency: described('ISO 4217.', Type.String()),
  store: described('Null for orders that are shipped from the warehouse.', Nullable(Id)),
  movement: Type.Enum([...movements]),
  account: Type.Enum(accounts),
  ...EntryFields,
  person: described('Who did it, of the staff; empty for the shop itself.', Type.String()),
  amount: Amount,
  base: described('Of a tax: what it is on, above zero for what was sold.', Amount),
  units: described('Of goods.', Type.Integer()),
});
export type BooksRow = Static<typeof BooksRow>;

export const BooksReport = Type.Object({
  from: Day,
  to: Day,
  rows: described(
    'Each sum once. Grouped rows say nothing of place, tax, way and person.',
    Type.Array(BooksRow),
  ),
  counts: described(
    'Orders that were placed, and cancelled or not picked up then.',
    Type.Array(
      Type.Object({ store: Nullable(Id), currency: Type.String(), placed: Count, cancelled: Count }),
    ),
  ),
  names: described(
    'Of the groups, places and people in the rows, in the language asked for.',
    Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  ),
});
export type BooksReport = Static<typeof BooksReport>;

const list = <T extends Type.TSchema>(of: T) => Type.Optional(Type.Array(of, { minItems: 1, maxItems: 100 }));

const fieldFilters = {
  parts: list(Text),
  places: list(Text),
  taxClasses: list(Text),
  treatments: list(Text),
  taxes: list(Text),
  rates: list(Count),
  ways: list(Text),
} as const satisfies Record<keyof typeof fieldLists, Type.TSchema>;

/** What a figure sums: entries that have one of each list. */
export const BooksFilter = Strict({
  accounts: list(Type.Enum(accounts)),
  movements: list(Type.Enum([...movements])),
  ...fieldFilters,
  persons: list(Text),
  group: Type.Optional(Strict({ by: Type.Enum([...bookGroups]), key: Text })),
});
export type BooksFilter = Static<typeof BooksFilter>;

/** Events of a page. */
export const eventsPage = 50;

export const BooksEvent = Type.Object({
  id: Type.String(),
  at: described('When it happened.', EpochMs),
  bookedAt: described('When it counts: later than `at` if the books of that day were closed.', EpochMs),
  kind: Type.Enum(bookEvents),
  order: described('Its number; null for what is no order.', Nullable(Type.String())),
  store: Nullable(Id),
  amount: Amount,
  base: Amount,
  isRebuilt: described('Booked from what was known of an order from before the books.', Flag),
});
export type BooksEvent = Static<typeof BooksEvent>;

const Cursor = Strict({ bookedAt: EpochMs, id: Type.String({ maxLength: 64 }) });
export const BooksEvents = Type.Object({
  events: described('In the order of the books.', Type.Array(BooksEvent)),
  after: described(
    'Where the next page begins; null on the last.',
    Nullable(Type.Object({ bookedAt: EpochMs, id: Type.String() })),
  ),
});
export type BooksEvents = Static<typeof BooksEvents>;

/** Orders that are listed at most, those owed longest first. */
export const mostOwed = 1000;

export const OwedOrder = Type.Object({
  order: described('Its number.', Type.String()),
  store: Nullable(Id),
  currency: Type.String(),
  since: described('The first day on which this was owed.', Day),
  days: Count,
  amount: described(
    'Above zero: the buyer owes it. Below: it is owed to the buyer, such as a deposit.',
    Amount,
  ),
});
export type OwedOrder = Static<typeof OwedOrder>;

export const BooksOwed = Type.Object({
  day: Day,
  sums: described(
    'By currency and side, of all orders.',
    Type.Array(
      Type.Object({
        currency: Type.String(),
        side: Type.Enum(['receivable', 'deposit']),
        ages: described(`From ${ages.join(', ')} days on.`, Type.Array(Amount)),
        orders: Count,
      }),
    ),
  ),
  orders: Type.Array(OwedOrder),
  more: described('Orders that are not listed.', Count),
});
export type BooksOwed = Static<typeof BooksOwed>;

const Answers = described(
  'What the shop cannot know, by the code of its line. Smallest units.',
  Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9.]{1,20}$' }),
    Type.Integer({ minimum: -1e12, maximum: 1e12, unit: 'cents' }),
  ),
);

/** A page of the books as a file. */
export const TableFile = Type.Object({ name: Type.String(), type: Type.String(), base64: Type.String() });
export type TableFile = Static<typeof TableFile>;

export const booksEndpoints = {
  books: {
    route: 'GET books/report',
    summary: 'What was sold, taxed, received and given back in a span of days, as the books say.',
    needs: 'books.read',
    query: Strict({ ...Span, by: Type.Optional(Type.Enum([...bookGroups])), ...LangQuery }),
    response: BooksReport,
  },
  booksEvents: {
    route: 'POST books/events',
    reads: true,
    summary: 'What a figure of the report sums: each event with its order and its part of the figure.',
    needs: 'books.read',
    body: Strict({
      ...Span,
      currency: Type.String({ maxLength: 3 }),
      filter: BooksFilter,
      after: Type.Optional(Cursor),
    }),
    response: BooksEvents,
  },
  booksOwed: {
    route: 'GET books/owed',
    summary: 'What buyers owed at the end of a day, and what was owed to them, by age.',
    needs: 'books.read',
    query: Strict({ day: Day, store: Span.store, ...LangQuery }),
    response: BooksOwed,
  },
  booksFile: {
    tool: false,
    route: 'POST books/file',
    repeat: 'own',
    summary: 'The report, what is owed, or a tax return, as CSV or XLSX.',
    needs: 'books.export',
    body: Strict({
      ...Span,
      what: Type.Enum(['report', 'return', 'owed']),
      by: Type.Optional(described('Of a report.', Type.Enum([...bookGroups]))),
      return: Type.Optional(Type.Enum(Object.keys(taxReturns) as (keyof typeof taxReturns)[])),
      answers: Type.Optional(Answers),
      form: Type.Enum([...tableForms]),
    }),
    response: TableFile,
  },
} as const satisfies Record<string, StaffEndpoint>;
