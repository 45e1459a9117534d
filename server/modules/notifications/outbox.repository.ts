/** Queries the `mails` table. */
import { type Selectable, sql } from 'kysely';
import type { MailsTable } from '#db/account-tables.ts';
import type { EngineName, Reader, Trx } from '#db/database.ts';
import { select } from '#db/select.ts';
import { statement, statementByColumns } from '#db/statement.ts';

export type MailRow = Selectable<MailsTable>;

/** An email to be sent from `at` on (epoch ms). */
export type NewMailRow = Pick<MailRow, 'id' | 'kind' | 'reference' | 'recipient' | 'language' | 'data'> & { at: number };

/** Queues emails, except those whose reference exists. Returns how many were queued. */
export async function insertMails(trx: Trx, engine: EngineName, rows: readonly NewMailRow[]): Promise<number> {
  const values = rows.map(() => `(?, ?, ?, ?, ?, ?, 'waiting', 0, ?, ?)`).join(', ');
  const text = `
    insert into mails (id, kind, reference, recipient, language, data, state, attempts, due_at, created_at)
    values ${values} on conflict do nothing returning id`;
  const parameters = rows.flatMap(({ id, kind, reference, recipient, language, data, at }) => [
    ...[id, kind, reference, recipient, language, data],
    ...[at, at],
  ]);
  return (await select(trx, engine, text, parameters)).length;
}

const due = statement((db, { now, most }: { now: number; most: number }) =>
  db
    .selectFrom('mails')
    .select('id')
    .where('state', 'in', ['waiting', 'sending'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(most),
);

/** Emails that are due by `now`, or whose claim has expired; longest due first. */
export async function dueMails(db: Reader, now: number, most: number): Promise<string[]> {
  return (await due.rows(db, { now, most })).map(({ id }) => id);
}

const claim = statement((db, { id, now, until }: { id: string; now: number; until: number }) =>
  db
    .updateTable('mails')
    .set((eb) => ({ state: 'sending', attempts: eb('attempts', '+', 1), due_at: until }))
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'sending'])
    .where('due_at', '<=', now)
    .returningAll(),
);

/** Claims a due email until `until`. Returns null if another process has claimed it. */
export function claimMail(trx: Trx, id: string, now: number, until: number): Promise<MailRow | null> {
  return claim.first(trx, { id, now, until });
}

type ClaimEnd = { state: 'sent' | 'waiting' | 'failed'; due_at?: number; sent_at?: number; error?: string | null };

const endings = statementByColumns((names) =>
  statement((db, values: Readonly<Record<string, unknown>> & { id: string; attempts: number }) =>
    db
      .updateTable('mails')
      .set(Object.fromEntries(names.map((name) => [name, values[name]])))
      .where('id', '=', values.id)
      .where('state', '=', 'sending')
      .where('attempts', '=', values.attempts),
  ),
);

/** Ends a claim if the caller still holds it, which the number of the attempt shows. */
export async function updateClaimedMail(
  trx: Trx,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  change: ClaimEnd,
): Promise<void> {
  await endings(change).change(trx, { ...change, id, attempts });
}

export async function deleteMail(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('mails').where('id', '=', id).execute();
}

/** Matches an address regardless of case, at checkout and for a forgotten password. */
const isTo = (email: string) => sql<boolean>`lower(trim(recipient)) = lower(${email})`;

export function mailsTo(db: Reader, email: string): Promise<MailRow[]> {
  return db.selectFrom('mails').selectAll().where(isTo(email)).orderBy('created_at').execute();
}

/** Deletes emails to an address, except `unsent` kinds that have not been sent yet. */
export async function deleteMailsTo(trx: Trx, email: string, unsent: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('mails')
    .where(isTo(email))
    .where((eb) => eb.or([eb('state', 'in', ['sent', 'failed']), eb('kind', 'not in', unsent)]))
    .execute();
}

/** Deletes sent and failed emails that were queued before `before`. */
export async function deleteOldMails(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('mails').where('state', 'in', ['sent', 'failed']).where('created_at', '<', before).execute();
}

export interface MailCounts {
  /** Not sent yet, those being sent included. */
  waiting: number;
  failed: number;
  /** When the oldest of the waiting emails was queued, epoch ms; null if none waits. */
  oldestAt: number | null;
}

/** Counts the emails that have not been sent. */
export async function countMails(db: Reader): Promise<MailCounts> {
  const rows = await db
    .selectFrom('mails')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count'), ({ fn }) => fn.min('created_at').as('oldest')])
    .where('state', 'in', ['waiting', 'sending', 'failed'])
    .groupBy('state')
    .execute();
  const failed = rows.find(({ state }) => state === 'failed')?.count ?? 0;
  const unsent = rows.filter(({ state }) => state !== 'failed');
  return {
    waiting: unsent.reduce((sum, { count }) => sum + count, 0),
    failed,
    oldestAt: unsent.length === 0 ? null : Math.min(...unsent.map(({ oldest }) => oldest)),
  };
}
