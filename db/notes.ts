/** Rows of tables `order_notes` and `customer_notes`: what staff write about orders and customers for each other. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Reader, Trx } from './database.ts';

export type About = 'order' | 'customer';

export interface StaffNote {
  id: string;
  text: string;
  /** '' once the person is gone. */
  by: string;
  /** Epoch ms. */
  at: number;
}

const tableOf = (about: About) => sql.table(`${about}_notes`);
const idOf = (about: About) => sql.ref(`${about}_id`);

/** Oldest first. */
export async function notesOf(db: Reader, about: About, id: string): Promise<StaffNote[]> {
  const { rows } = await sql<StaffNote>`select notes.id, notes.text, notes.at, coalesce(staff.name, '') as by
    from ${tableOf(about)} as notes left join staff on staff.id = notes.staff_id where ${idOf(about)} = ${id}
    order by notes.at, notes.id`.execute(db);
  return rows;
}

export async function countNotes(db: Reader, about: About, id: string): Promise<number> {
  const found = sql<{
    count: number;
  }>`select count(*) as count from ${tableOf(about)} where ${idOf(about)} = ${id}`;
  const { rows } = await found.execute(db);
  return Number(rows[0]?.count);
}

/** `actor` is null for a note that came with an import. */
export async function addNote(
  trx: Trx,
  about: About,
  id: string,
  { text, at, actor }: { text: string; at: number; actor: { kind: string; id?: string } | null },
): Promise<void> {
  const staffId = actor?.kind === 'staff' ? (actor.id ?? null) : null;
  await sql`insert into ${tableOf(about)} (id, ${idOf(about)}, staff_id, text, at)
    values (${randomUUID()}, ${id}, ${staffId}, ${text}, ${at})`.execute(trx);
}

export async function deleteNotes(trx: Trx, about: About, id: string): Promise<void> {
  if (about === 'order') await trx.deleteFrom('order_notes').where('order_id', '=', id).execute();
  else await trx.deleteFrom('customer_notes').where('customer_id', '=', id).execute();
}
