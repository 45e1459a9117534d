import { sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';

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
