/** The calls that close periods of the books, and what they carry. */
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
import { accounts } from './accounts-of-books.ts';
import { EntryFields } from './books.ts';
import type { StaffEndpoint } from './endpoint.ts';

/** Days of a period at most: a first one may hold years from before the books were closed. */
export const longestPeriod = 3660;
/** So long that it is kept in the journal, which keeps no long texts. */
export const longestWhy = 160;

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);
const Amount = Type.Integer({ unit: 'cents' });

/** What the entries of a period sum to that agree in all but event, line and person. */
export const FiledSum = Type.Object({
  currency: described('ISO 4217.', Type.String()),
  store: described('Null for orders that are shipped from the warehouse.', Nullable(Id)),
  account: Type.Enum(accounts),
  ...EntryFields,
  amount: described('Debits are above zero.', Amount),
  base: described('Of a tax: what it is on, above zero for a sale.', Amount),
  units: Type.Integer(),
});
export type FiledSum = Static<typeof FiledSum>;

export const Figures = Type.Object({
  entries: described('Entries that they sum.', Count),
  sums: Type.Array(FiledSum),
});
export type Figures = Static<typeof Figures>;

export const Period = Type.Object({
  id: Id,
  from: Day,
  to: Day,
  closedAt: EpochMs,
  by: described("The person's name; empty for the terminal, or for somebody who is gone.", Type.String()),
  reopened: Nullable(Type.Object({ at: EpochMs, by: Type.String(), why: Type.String() })),
  canReopen: described('Whether it is the last one that is closed.', Flag),
});
export type Period = Static<typeof Period>;

/** A sum that differs from what was filed. */
export const FiledDifference = Type.Object({
  sum: FiledSum,
  filed: described(
    'As the period was closed; smallest units, or units and bases where only they differ.',
    Amount,
  ),
  now: Amount,
});
export type FiledDifference = Static<typeof FiledDifference>;

const places = described(
  'Where sales belong to, by their names in the language asked for.',
  Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
);

export const OpenFigures = Type.Object({ ...Figures.properties, places });
export type OpenFigures = Static<typeof OpenFigures>;

export const PeriodProof = Type.Object({
  places,
  figures: described(
    'As they were filed; null if their row is damaged, so that nothing is proved.',
    Nullable(Figures),
  ),
  differences: described(
    'Empty: its entries sum to what was filed, if that is known.',
    Type.Array(FiledDifference),
  ),
});
export type PeriodProof = Static<typeof PeriodProof>;

export const Periods = Type.Object({
  next: described(
    'The period that is open; null while the books are empty.',
    Nullable(
      Type.Object({
        from: Day,
        to: described('The end of the month in which it begins.', Day),
        isOver: Flag,
      }),
    ),
  ),
  periods: described('The newest first, reopened ones included.', Type.Array(Period)),
});
export type Periods = Static<typeof Periods>;

const period = Strict({ period: Id });
const Span = Strict({
  from: described(
    'The day after the last closed period, or the first of the month in which the books begin.',
    Day,
  ),
  to: Day,
});

export const closingEndpoints = {
  periods: {
    route: 'GET books/periods',
    summary: 'The periods that were closed, and the one that is open.',
    needs: 'books.read',
    response: Periods,
  },
  periodProof: {
    route: 'GET books/periods/:period',
    summary: 'The figures of a period as they were filed, and what its entries sum to otherwise.',
    needs: 'books.read',
    params: period,
    query: Strict(LangQuery),
    response: PeriodProof,
  },
  openFigures: {
    route: 'POST books/figures',
    reads: true,
    summary: 'What the entries of days that are not closed sum to.',
    needs: 'books.close',
    query: Strict(LangQuery),
    body: Span,
    response: OpenFigures,
  },
  closePeriod: {
    route: 'POST books/periods',
    summary:
      'Closes a period with its figures as they are filed: what happens in it later counts in the next one.',
    needs: 'books.close',
    fresh: true,
    repeat: 'seen',
    body: Strict({
      ...Span.properties,
      entries: described('How many entries the figures sum that were looked at.', Count),
    }),
    response: Periods,
  },
  reopenPeriod: {
    route: 'POST books/periods/:period/reopen',
    summary: 'Opens the last closed period again, with a reason for the journal.',
    needs: 'books.reopen',
    fresh: true,
    repeat: 'same',
    params: period,
    body: Strict({
      why: Type.String({ minLength: 1, maxLength: longestWhy, pattern: '\\S', problem: 'problem.required' }),
    }),
    response: Periods,
  },
} as const satisfies Record<string, StaffEndpoint>;
