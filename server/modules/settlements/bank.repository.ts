/** Queries lines of bank statements, the days that statements cover, and which line a payout is. */
import type { Reader, Trx } from '#db/database.ts';

export interface BankLine {
  id: string;
  /** YYYY-MM-DD. */
  day: string;
  amount: number;
  currency: string;
  description: string;
}

export interface Arrival {
  provider: string;
  payout: string;
  line: string;
}

/** Returns how many were not there yet. */
export async function insertLines(
  trx: Trx,
  lines: readonly BankLine[],
  { actor, at }: { actor: string; at: number },
): Promise<number> {
  let added = 0;
  for (const { id, day, amount, currency, description } of lines) {
    const result = await trx
      .insertInto('bank_lines')
      .values({ id, day, amount_cents: amount, currency, description, actor, kept_at: at })
      .onConflict((c) => c.column('id').doNothing())
      .executeTakeFirst();
    added += Number(result.numInsertedOrUpdatedRows ?? 0n);
  }
  return added;
}

export async function knownLines(db: Reader, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await db.selectFrom('bank_lines').select('id').where('id', 'in', ids).execute();
  return rows.length;
}

/** Lines from one day to another that are no payout yet, the oldest first. */
export async function freeLines(db: Reader, from: string, to: string): Promise<BankLine[]> {
  const rows = await db
    .selectFrom('bank_lines')
    .leftJoin('payout_arrivals', 'payout_arrivals.bank_line_id', 'bank_lines.id')
    .selectAll('bank_lines')
    .where('payout_arrivals.bank_line_id', 'is', null)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('bank_lines.id')
    .execute();
  return rows.map(({ amount_cents: amount, ...row }) => ({ ...row, amount }));
}

export async function findLine(db: Reader, id: string): Promise<BankLine | null> {
  const row = await db.selectFrom('bank_lines').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? { ...row, amount: row.amount_cents } : null;
}

/** The lines of payouts, by `provider payout`. */
export async function arrivalsOf(
  db: Reader,
  payouts: readonly { provider: string; payout: string }[],
): Promise<Map<string, BankLine>> {
  if (payouts.length === 0) return new Map();
  const rows = await db
    .selectFrom('payout_arrivals')
    .innerJoin('bank_lines', 'bank_lines.id', 'payout_arrivals.bank_line_id')
    .select(['provider', 'payout_id', 'bank_lines.id', 'day', 'amount_cents', 'currency', 'description'])
    .where(
      'payout_id',
      'in',
      payouts.map(({ payout }) => payout),
    )
    .execute();
  return new Map(
    rows.map(({ provider, payout_id: payout, amount_cents: amount, ...line }) => [
      `${provider} ${payout}`,
      { ...line, amount },
    ]),
  );
}

/** How many of these lines are payouts. */
export async function arrivedBy(db: Reader, lines: readonly string[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const row = await db
      .selectFrom('payout_arrivals')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('bank_line_id', 'in', lines.slice(from, from + linesAtOnce))
      .executeTakeFirstOrThrow();
    count += Number(row.count);
  }
  return count;
}
/** In one statement: databases limit its parameters. */
const linesAtOnce = 500;

/** Returns false if the payout or the line has another already. */
export async function insertArrival(
  trx: Trx,
  { provider, payout, line }: Arrival,
  { actor, at }: { actor: string; at: number },
): Promise<boolean> {
  const result = await trx
    .insertInto('payout_arrivals')
    .values({ provider, payout_id: payout, bank_line_id: line, actor, at })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export interface Covered {
  firstDay: string;
  lastDay: string;
  currency: string;
}

export async function insertStatement(
  trx: Trx,
  { firstDay, lastDay, currency }: Covered,
  { actor, at }: { actor: string; at: number },
): Promise<void> {
  await trx
    .insertInto('bank_statements')
    .values({
      id: `${firstDay}:${lastDay}:${currency}`,
      first_day: firstDay,
      last_day: lastDay,
      currency,
      actor,
      kept_at: at,
    })
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

/** The days that statements cover since a day. */
export async function coveredSince(db: Reader, day: string): Promise<Covered[]> {
  const rows = await db.selectFrom('bank_statements').selectAll().where('last_day', '>=', day).execute();
  return rows.map(({ first_day: firstDay, last_day: lastDay, currency }) => ({
    firstDay,
    lastDay,
    currency,
  }));
}
