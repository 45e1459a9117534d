/** Queries what is booked of one order. */
import { sql } from 'kysely';
import type { Account, BookEvent, EntryFields } from '#contract/staff/accounts-of-books.ts';
import type { Reader } from '#db/database.ts';
import { fieldsOf, selectedFields } from '#server/modules/ledger/index.ts';

export interface OrderEntryRow extends EntryFields {
  event_id: string;
  kind: BookEvent;
  at: number;
  booked_at: number;
  actor: string | null;
  rebuilt: number;
  account: Account;
  sku: string | null;
  amount_cents: number;
  base_cents: number;
  units: number;
}

/** In the order of the books; those of an event stand together. */
export async function entriesOfOrder(reader: Reader, orderId: string): Promise<OrderEntryRow[]> {
  const { rows } =
    await sql<OrderEntryRow>`select event_id, kind, at, booked_at, actor, rebuilt, account, sku,
    ${sql.raw(selectedFields)}, amount_cents, base_cents, units from ledger_entries
    where order_id = ${orderId} order by booked_at, at, event_id, no`.execute(reader);
  return rows.map((row) => ({
    ...row,
    ...fieldsOf(row),
    at: Number(row.at),
    booked_at: Number(row.booked_at),
    rebuilt: Number(row.rebuilt),
    amount_cents: Number(row.amount_cents),
    base_cents: Number(row.base_cents),
    units: Number(row.units),
  }));
}
