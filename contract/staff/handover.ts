/** The calls that hand the books over to bookkeepers' programs, and what they carry. */
import Type, { type Static } from 'typebox';
import {
  CalendarDay,
  Count,
  described,
  EpochMs,
  Id,
  LangQuery,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { accounts } from './accounts-of-books.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';

export const bookPrograms = ['xero', 'quickbooks', 'sage'] as const;
export type BookProgram = (typeof bookPrograms)[number];
export const programNames: Readonly<Record<BookProgram, string>> = {
  xero: 'Xero',
  quickbooks: 'QuickBooks Online',
  sage: 'Sage 50',
};

export const entryForms = ['csv', 'xlsx', 'hledger'] as const;
export type EntryForm = (typeof entryForms)[number];

/** Days that are handed over at once. */
export const mostDays = 92;

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);

/** A row of the table of accounts: what of the books stands in one line of a journal. */
export const BookLine = Type.Object({
  key: described('As the table of accounts names it: `money.cash`, `tax.HST 13%`.', Type.String()),
  account: Type.Enum(accounts),
  way: described('Of money.', Type.String()),
  tax: described('Of a tax: its name and rate, as on a bill.', Type.String()),
  place: described(
    'Of a tax that is owed to a province: its name in the language asked for; empty for others.',
    Type.String(),
  ),
  treatment: described(
    'Of income that no tax is on: zeroRated, exempt, export or outOfScope.',
    Type.String(),
  ),
});
export type BookLine = Static<typeof BookLine>;

export const HandedFile = Type.Object({
  id: Id,
  program: Type.Enum(bookPrograms),
  from: described('Null if the file only corrects days that were handed over before.', Nullable(Day)),
  to: Nullable(Day),
  at: EpochMs,
  by: described("The person's name; empty for the terminal, or for somebody who is gone.", Type.String()),
  journals: Count,
  corrections: described('Journals of these that correct a day.', Count),
  first: described('The number of its first journal.', Count),
  last: Count,
});
export type HandedFile = Static<typeof HandedFile>;

export const HandedFiles = Type.Object({
  files: described('The newest first.', Type.Array(HandedFile)),
  next: described(
    'For each program the days that are over and not handed over; null if there are none.',
    Type.Array(
      Type.Object({ program: Type.Enum(bookPrograms), span: Nullable(Type.Object({ from: Day, to: Day })) }),
    ),
  ),
});
export type HandedFiles = Static<typeof HandedFiles>;

export const BookAccounts = Type.Object({
  ...documentOf(Type.Unknown()).properties,
  lines: described('What occurs in the books of this shop.', Type.Array(BookLine)),
});
export type BookAccounts = Static<typeof BookAccounts>;

const Span = { from: Day, to: Day };

export const handoverEndpoints = {
  bookAccounts: {
    route: 'GET books/accounts',
    summary: 'The table of accounts: what accounts of the shop are in the programs of bookkeepers.',
    needs: 'books.export',
    response: BookAccounts,
  },
  saveBookAccounts: {
    route: 'POST books/accounts',
    summary: 'Changes the table of accounts.',
    needs: 'books.export',
    repeat: 'seen',
    body: Patch,
    response: BookAccounts,
  },
  handedFiles: {
    route: 'GET books/files',
    summary: 'What was handed over.',
    needs: 'books.export',
    response: HandedFiles,
  },
  handOver: {
    tool: false,
    route: 'POST books/files',
    summary:
      'Makes a journal of each day for a program of bookkeepers, and of each day handed over before that has changed since.',
    needs: 'books.export',
    repeat: 'key',
    body: Strict({
      program: Type.Enum(bookPrograms),
      days: described('Null: only corrections.', Nullable(Strict(Span))),
    }),
    response: HandedFiles,
  },
  handedFile: {
    route: 'GET books/files/:file',
    summary: 'A file that was handed over, as it was then.',
    needs: 'books.export',
    params: Strict({ file: Id }),
    response: Type.Unknown(),
  },
  bookEntries: {
    route: 'GET books/entries',
    summary: 'All entries of days, as CSV, XLSX or a journal of hledger.',
    needs: 'books.export',
    query: Strict({ ...Span, form: Type.Enum(entryForms), ...LangQuery }),
    response: Type.Unknown(),
  },
} as const satisfies Record<string, StaffEndpoint>;
