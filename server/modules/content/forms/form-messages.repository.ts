import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { FormMessagesTable } from '#db/content-tables.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';

export type MessageRow = Selectable<FormMessagesTable>;

/** Returns false if a message with this fingerprint exists. */
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

/** Newest first, from the one that follows `after`. */
export function messagePage(
  db: Reader,
  state: 'any' | 'open' | 'done' | 'spam',
  after: MessageRow | null,
  most: number,
): Promise<MessageRow[]> {
  return db
    .selectFrom('form_messages')
    .selectAll()
    .where('suspected', '=', state === 'spam' ? 1 : 0)
    .$if(state === 'open', (q) => q.where('done_at', 'is', null))
    .$if(state === 'done', (q) => q.where('done_at', 'is not', null))
    .$if(after !== null, (q) =>
      q.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(after?.created_at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Null: it is open again. Returns false if nothing changes. */
export async function markMessage(
  trx: Trx,
  id: string,
  done: Pick<MessageRow, 'done_at' | 'done_by'> | null,
): Promise<boolean> {
  const result = await trx
    .updateTable('form_messages')
    .set(done ?? { done_at: null, done_by: null })
    .where('id', '=', id)
    .where('done_at', done ? 'is' : 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Selects the messages of the customer with this id and, if given, those with this reply address. */
export interface MessagesFrom {
  customerId: string | null;
  email: string | null;
}

function isFrom({ customerId, email }: MessagesFrom) {
  return ({ or, eb }: ExpressionBuilder<Tables, 'form_messages'>) =>
    or([
      ...(customerId === null ? [] : [eb('customer_id', '=', customerId)]),
      ...(email === null ? [] : [sql<boolean>`lower(trim(reply_to)) = lower(${email.trim()})`]),
    ]);
}

/** Earliest first; empty if neither is given. */
export function messagesFrom(db: Reader, from: MessagesFrom): Promise<MessageRow[]> {
  return db
    .selectFrom('form_messages')
    .selectAll()
    .where(isFrom(from))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function deleteMessagesFrom(trx: Trx, from: MessagesFrom): Promise<number> {
  const result = await trx.deleteFrom('form_messages').where(isFrom(from)).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function deleteMessagesBefore(trx: Trx, suspected: boolean, before: number): Promise<void> {
  await trx
    .deleteFrom('form_messages')
    .where('suspected', '=', suspected ? 1 : 0)
    .where('created_at', '<', before)
    .execute();
}
