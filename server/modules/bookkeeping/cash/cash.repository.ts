/** Queries the drawers of stores: what the books say is in them, and what staff recorded. */
import { sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { CashMovesTable } from '#db/ledger-tables.ts';

export interface Drawer {
  store: string;
  currency: string;
}

/** As the index on cash is declared: a parameter in place of a value would not find it. */
const isCash = sql.raw("account = 'money' and way = 'cash'");

/** What the books say was in a drawer just before a moment, epoch ms. */
export async function cashBefore(reader: Reader, { store, currency }: Drawer, at: number): Promise<number> {
  const { rows } = await sql<{ amount: number | null }>`select sum(amount_cents) as amount from ledger_entries
    where ${isCash} and store_id = ${store} and booked_at < ${at} and currency = ${currency}`.execute(reader);
  return Number(rows[0]?.amount ?? 0);
}

/** What came and went in a span, by what it was for. */
export async function cashIn(
  reader: Reader,
  { store, currency }: Drawer,
  { from, to }: { from: number; to: number },
): Promise<{ kind: string; amount: number }[]> {
  const { rows } = await sql<{
    kind: string;
    amount: number;
  }>`select kind, sum(amount_cents) as amount from ledger_entries
    where ${isCash} and store_id = ${store} and booked_at >= ${from} and booked_at < ${to} and currency = ${currency}
    group by kind`.execute(reader);
  return rows.map(({ kind, amount }) => ({ kind, amount: Number(amount) }));
}

export type CashRow = Awaited<ReturnType<typeof movesIn>>[number];

export const movesIn = (
  reader: Reader,
  { store, currency }: Drawer,
  { from, to }: { from: number; to: number },
) =>
  reader
    .selectFrom('cash_moves')
    .leftJoin('cash_moves as later', 'later.corrects', 'cash_moves.id')
    .selectAll('cash_moves')
    .select('later.id as taken_back_by')
    .where('cash_moves.store_id', '=', store)
    .where('cash_moves.currency', '=', currency)
    .where('cash_moves.at', '>=', from)
    .where('cash_moves.at', '<', to)
    .orderBy('cash_moves.at')
    .orderBy('cash_moves.entered_at')
    .orderBy('cash_moves.id')
    .execute();

export const moveOf = (reader: Reader, id: string) =>
  reader
    .selectFrom('cash_moves')
    .leftJoin('cash_moves as later', 'later.corrects', 'cash_moves.id')
    .selectAll('cash_moves')
    .select('later.id as taken_back_by')
    .where('cash_moves.id', '=', id)
    .executeTakeFirst();

export async function insertMove(
  trx: Trx,
  row: { [K in keyof CashMovesTable]: string | number | null },
): Promise<void> {
  await trx
    .insertInto('cash_moves')
    .values(row as never)
    .execute();
}
