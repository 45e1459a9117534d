/** Rows of `form_messages`. */
import type { Selectable } from 'kysely';
import type { FormMessagesTable } from '#db/content-tables.ts';
import type { Reader, Trx } from '#db/database.ts';

export type MessageRow = Selectable<FormMessagesTable>;

/** False where one with this fingerprint is there already. */
export async function insertMessage(trx: Trx, row: MessageRow): Promise<boolean> {
  const result = await trx
    .insertInto('form_messages')
    .values(row)
    .onConflict((c) => c.column('fingerprint').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export function messageById(db: Reader, id: string): Promise<MessageRow | undefined> {
  return db.selectFrom('form_messages').selectAll().where('id', '=', id).executeTakeFirst();
}

export function latestMessages(db: Reader, suspected: boolean, most: number): Promise<MessageRow[]> {
  return db
    .selectFrom('form_messages')
    .selectAll()
    .where('suspected', '=', suspected ? 1 : 0)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
}

export async function deleteMessagesBefore(trx: Trx, suspected: boolean, before: number): Promise<void> {
  await trx
    .deleteFrom('form_messages')
    .where('suspected', '=', suspected ? 1 : 0)
    .where('created_at', '<', before)
    .execute();
}
