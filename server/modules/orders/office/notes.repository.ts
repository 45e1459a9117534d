/** Queries `order_notes`: what staff write about an order for each other. */
import { randomUUID } from 'node:crypto';
import type { Reader, Trx } from '#db/database.ts';

interface OrderNote {
  id: string;
  text: string;
  /** '' once the person is gone. */
  by: string;
  /** Epoch ms. */
  at: number;
}

/** Oldest first. */
export async function notesOf(db: Reader, orderId: string): Promise<OrderNote[]> {
  const rows = await db
    .selectFrom('order_notes')
    .leftJoin('staff', 'staff.id', 'order_notes.staff_id')
    .select(['order_notes.id', 'order_notes.text', 'order_notes.at', 'staff.name'])
    .where('order_id', '=', orderId)
    .orderBy('at')
    .orderBy('order_notes.id')
    .execute();
  return rows.map(({ name, ...note }) => ({ ...note, by: name ?? '' }));
}

export async function addNote(
  trx: Trx,
  note: { orderId: string; staffId: string | null; text: string; at: number },
): Promise<void> {
  const { orderId: order_id, staffId: staff_id, text, at } = note;
  await trx.insertInto('order_notes').values({ id: randomUUID(), order_id, staff_id, text, at }).execute();
}

export async function deleteNotes(trx: Trx, orderId: string): Promise<void> {
  await trx.deleteFrom('order_notes').where('order_id', '=', orderId).execute();
}
