/** Reads the lines of a bank's statement: which column is what, days in the forms that banks write, and amounts in one column or two. */
import { createHash } from 'node:crypto';
import { parseAmount } from '#contract/money.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';
import type { BankLine } from './bank.repository.ts';

/** A table as it was read from a file. */
export interface Table {
  columns: readonly string[];
  delimiter: string;
  rows: readonly { line: number; cells: readonly string[] }[];
}

/** Headings that somebody chose; those that are left out are guessed. */
export interface Chosen {
  day?: string | undefined;
  amount?: string | undefined;
  description?: string | undefined;
}

export interface ReadStatement {
  day: string | null;
  amount: string | null;
  description: string | null;
  lines: BankLine[];
  /** What cannot be read, by its line in the file. */
  problems: StatementProblem[];
}

type NamedColumn = 'day' | 'amount' | 'description';

/** `line` 0: of the whole file. */
export type StatementProblem =
  | { kind: 'column'; line: 0; value: NamedColumn }
  | { kind: 'day' | 'amount' | 'dayOrMonth'; line: number; value: string }
  | { kind: 'tooMany'; line: 0; value: string };

/** The problem for whoever reads it: a column has the name that the form gives it. */
export function statementProblemText(problem: StatementProblem, t: StaffTranslate): string {
  const { kind, line } = problem;
  const value = problem.kind === 'column' ? t(`office.payouts.column.${problem.value}`) : problem.value;
  return t(`office.payouts.bank.${kind}`, { line, value });
}

/** Headings of Canadian and other banks, in the order in which they are preferred. */
const headings = {
  day: [
    'date',
    'transaction date',
    'date posted',
    'posting date',
    'posted date',
    'booking date',
    'value date',
    '日期',
    '交易日期',
  ],
  amount: ['amount', 'transaction amount', 'net amount', '金额', '交易金额'],
  in: ['credit', 'credits', 'deposit', 'deposits', 'credit amount', 'money in', 'paid in', '收入', '贷方'],
  out: [
    'debit',
    'debits',
    'withdrawal',
    'withdrawals',
    'debit amount',
    'money out',
    'paid out',
    '支出',
    '借方',
  ],
  description: [
    'description',
    'description 1',
    'transaction details',
    'details',
    'memo',
    'payee',
    'narrative',
    'name',
    'reference',
    '摘要',
    '说明',
    '交易说明',
  ],
} as const;

const plain = (text: string) => text.replace('\ufeff', '').trim().toLowerCase().replace(/\s+/g, ' ');

/** Of one statement: years of a busy account. Each line is compared with every payout near it. */
const mostLines = 10_000;

export function readStatement(
  { columns, rows, delimiter }: Table,
  chosen: Chosen,
  currency: string,
): ReadStatement {
  const known = columns.map(plain);
  const column = (names: readonly string[]) =>
    names.map((name) => known.indexOf(name)).find((at) => at >= 0) ?? -1;
  const find = (name: NamedColumn) => {
    const own = name === 'amount' ? [plain(`${currency}$`), plain(`amount (${currency})`)] : [];
    return column(chosen[name] === undefined ? [...headings[name], ...own] : [plain(chosen[name])]);
  };
  const [day, amount, description] = [find('day'), find('amount'), find('description')];
  const [income, outgo] =
    amount < 0 && chosen.amount === undefined ? [column(headings.in), column(headings.out)] : [-1, -1];
  const named = {
    day: columns[day] ?? null,
    amount: columns[amount] ?? columns[income] ?? null,
    description: columns[description] ?? null,
  };
  const missing = (Object.keys(named) as (keyof typeof named)[]).filter((name) => named[name] === null);
  if (missing.length > 0)
    return { ...named, lines: [], problems: missing.map((value) => ({ kind: 'column', line: 0, value })) };
  if (rows.length > mostLines)
    return {
      ...named,
      lines: [],
      problems: [{ kind: 'tooMany', line: 0, value: mostLines.toLocaleString('en') }],
    };
  const order = orderOf(rows.map(({ cells }) => cells[day] ?? ''));
  if (order === null)
    return {
      ...named,
      lines: [],
      problems: [{ kind: 'dayOrMonth', line: 0, value: rows[0]?.cells[day] ?? '' }],
    };
  const problems: StatementProblem[] = [];
  const counts = new Map<string, number>();
  const lines = rows.flatMap(({ line, cells }): BankLine[] => {
    const on = dayOf(cells[day] ?? '', order);
    const money =
      amount >= 0
        ? amountIn(cells[amount] ?? '', currency, delimiter)
        : difference(cells[income], cells[outgo], currency, delimiter);
    if (on === null) problems.push({ kind: 'day', line, value: cells[day] ?? '' });
    else if (money === null)
      problems.push({ kind: 'amount', line, value: cells[amount >= 0 ? amount : income] ?? '' });
    if (on === null || money === null || money === 0) return [];
    const words = (cells[description] ?? '').trim().replace(/\s+/g, ' ').slice(0, 200);
    // Two equal lines of a day are two: the second of the same statement is the second of the next one too.
    const same = `${on}|${money}|${currency}|${words}`;
    const count = (counts.get(same) ?? 0) + 1;
    counts.set(same, count);
    const id = createHash('sha256').update(`${same}|${count}`).digest('hex').slice(0, 32);
    return [{ id, day: on, amount: money, currency, description: words }];
  });
  return { ...named, lines, problems };
}

/** `(12.50)`, `12.50-` and `-12.50` went out. Null for what is no amount. */
function amountIn(text: string, currency: string, delimiter: string): number | null {
  const bare = text.trim();
  if (bare === '') return 0;
  const [, inside] = /^\((.+)\)$/.exec(bare) ?? /^(.+)-$/.exec(bare) ?? [];
  const amount = parseAmount(inside ?? bare.replace(/^\+/, ''), currency, { negative: true, delimiter });
  return amount === null || inside === undefined ? amount : -amount;
}

function difference(
  income: string | undefined,
  outgo: string | undefined,
  currency: string,
  delimiter: string,
): number | null {
  const [came, went] = [
    amountIn(income ?? '', currency, delimiter),
    amountIn(outgo ?? '', currency, delimiter),
  ];
  // Some banks write what went out below zero already.
  return came === null || went === null ? null : came - Math.abs(went);
}

type Order = 'year' | 'month' | 'day';
const slashed = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** Whether days begin with the year, the month or the day, by all days of the file; null if that cannot be told. */
function orderOf(days: readonly string[]): Order | null {
  const parts = days.flatMap((day) => {
    const [, first, second] = slashed.exec(day.trim()) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  if (parts.length === 0) return 'year';
  if (parts.some(([first]) => first > 12)) return 'day';
  if (parts.some(([, second]) => second > 12)) return 'month';
  // Whichever it is, all of them say the same.
  return parts.every(([first, second]) => first === second) ? 'month' : null;
}

function dayOf(text: string, order: Order): string | null {
  const bare = text.trim();
  const [, year, month, day] = /^(\d{4})[/.-]?(\d{1,2})[/.-]?(\d{1,2})(?:[T ].*)?$/.exec(bare) ?? [];
  const [, first, second, last] = slashed.exec(bare) ?? [];
  const two = (part: string) => part.padStart(2, '0');
  const written =
    year && month && day
      ? `${year}-${two(month)}-${two(day)}`
      : first && second && last
        ? `${last}-${order === 'day' ? `${two(second)}-${two(first)}` : `${two(first)}-${two(second)}`}`
        : '';
  return isCalendarDay(written) ? written : null;
}
