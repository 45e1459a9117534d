/** Sums the books by steps of time. */
import { sql } from 'kysely';
import type { Account, BookEvent } from '#contract/staff/accounts-of-books.ts';
import type { Reader } from '#db/database.ts';
import { type CountedRow, countedAtOnce, elsewhere, within } from './books.repository.ts';

export interface Span {
  /** The starts of the steps, epoch ms, ascending. */
  steps: readonly number[];
  /** The end of the last, not included. */
  end: number;
  /** Only what is of these stores; null for all. */
  stores: ReadonlySet<string> | null;
}

interface Cell {
  /** The start of the step. */
  at: number;
  store: string | null;
  currency: string;
}

export interface TakenSum extends Cell {
  kind: BookEvent;
  account: Account;
  part: string;
  tax: string;
  rate: number;
  way: string;
  amount: number;
}

export interface OrderCount extends CountedRow {
  /** The start of the step. */
  at: number;
}

/** What was booked in each step, store and currency, by what happened and account. */
export async function takenIn(reader: Reader, span: Span): Promise<TakenSum[]> {
  const keys = sql.raw('kind, account, part, tax, rate, way');
  return inSteps<TakenSum>(span, (from, to) =>
    sql<TakenSum>`select store_id as store, currency, ${keys}, sum(amount_cents) as amount from ledger_entries
      where ${within(span, from, to)} and account not in (${elsewhere}) group by store_id, currency, ${keys}`
      .execute(reader)
      .then(({ rows }) => rows),
  );
}

/** How many orders were placed, cancelled and lapsed in each step. */
export async function countedIn(reader: Reader, span: Span): Promise<OrderCount[]> {
  return inSteps(span, (from, to) => countedAtOnce(reader, { from, to, stores: span.stores }));
}

/** A query for each step, so that none holds the thread for long. */
async function inSteps<R>(
  { steps, end }: Span,
  query: (from: number, to: number) => Promise<R[]>,
): Promise<(R & { at: number })[]> {
  const all: (R & { at: number })[] = [];
  for (const [index, from] of steps.entries()) {
    const rows = await query(from, steps[index + 1] ?? end);
    all.push(...rows.map((row) => ({ ...row, at: from })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}
