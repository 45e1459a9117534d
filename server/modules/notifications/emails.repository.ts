import { sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import { type DeliveryState, ticketKind } from '#server/platform/deliveries/delivery-queue.ts';

/** Matches an address regardless of case, at checkout and for a forgotten password. */
const isTo = (email: string) => sql<boolean>`lower(trim(recipient)) = lower(${email})`;

export function emailsTo(db: Reader, email: string) {
  return db
    .selectFrom('deliveries')
    .select(['kind', 'recipient', 'state', 'created_at', 'attempted_at'])
    .where(isTo(email))
    .orderBy('created_at')
    .execute();
}

export async function deleteEmailsTo(trx: Trx, email: string, unsent: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('deliveries')
    .where(isTo(email))
    .where((eb) => eb.or([eb('state', 'in', ['delivered', 'failed']), eb('kind', 'not in', unsent)]))
    .execute();
}

export interface OrderEmail {
  id: string;
  orderId: string;
  kind: string;
  recipient: string;
  language: string | null;
  body: string;
  state: DeliveryState;
  /** Why the last attempt failed, if it did. */
  answer: string | null;
  createdAt: number;
  attemptedAt: number | null;
}

/** Without tickets. */
export async function emailsOfOrder(db: Reader, orderId: string): Promise<OrderEmail[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'kind', 'recipient', 'language', 'body', 'state', 'answer', 'created_at', 'attempted_at'])
    .where('order_id', '=', orderId)
    .where('kind', '!=', ticketKind)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ recipient, state, created_at: createdAt, attempted_at: attemptedAt, ...row }) => ({
    ...row,
    orderId,
    createdAt,
    attemptedAt,
    recipient: recipient ?? '',
    // Written only from `DeliveryState`.
    state: state as DeliveryState,
  }));
}

export async function redirectEmails(trx: Trx, orderId: string, from: string, to: string): Promise<void> {
  const waiting = trx.updateTable('deliveries').set({ recipient: to }).where('order_id', '=', orderId);
  await waiting.where('state', '=', 'waiting').where(isTo(from)).execute();
}
