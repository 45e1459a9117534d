/** Queries the `journal`, which the database lets nobody change or delete. */
import type { Difference } from '#contract/rules/patch.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { insertMany } from '#db/bulk-writes.ts';
import { advanceCounter } from '#db/counters.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { addToFeed } from '#db/feed.ts';
import { type Actor, actorIn, actorText, keyOf } from '#server/platform/actors.ts';
import type { FieldChange } from './changes.service.ts';

export interface JournalEntry {
  /** Ascends with every entry, in the order of the commits. */
  no: number;
  /** Epoch ms. */
  at: number;
  actor: Actor;
  /** What was done: the words of the command. */
  action: string;
  kind: Kind;
  id: string;
  /** Null where a thing changed as a whole. */
  fields: FieldChange[] | null;
}

export interface JournalRow {
  kind: Kind;
  id: string;
  /** JSON. */
  fields: string | null;
  /** JSON, of documents. */
  back?: string;
}

export interface JournalQuery {
  /** Only entries about things of this kind, or about one of them. */
  kind?: Kind | undefined;
  id?: string | undefined;
  /** Only what this one did, as `actorText` says. */
  actor?: string | undefined;
  /** Only entries from then on, and before then, epoch ms. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only entries before this one. */
  before?: number | undefined;
  most: number;
}

const columns = ['no', 'at', 'actor', 'action', 'subject_kind', 'subject_id', 'fields', 'key_name'] as const;

/** Returns the numbers of the entries. */
export async function addToJournal(
  db: Database,
  trx: Trx,
  { at, actor, action }: Pick<JournalEntry, 'at' | 'actor' | 'action'>,
  rows: readonly JournalRow[],
): Promise<number[]> {
  // The counter's row is locked until the transaction ends, so that entries become visible in their order.
  const last = await advanceCounter(trx, 'journal', rows.length);
  const first = last - rows.length + 1;
  const values = rows.map(({ kind, id, fields }, index) => [
    first + index,
    at,
    actorText(actor),
    action,
    kind,
    id,
    fields,
    keyOf(actor),
  ]);
  await insertMany(db, trx, { into: 'journal', columns, rows: values });
  const backs = rows.flatMap(({ back }, index) => (back === undefined ? [] : [[first + index, back]]));
  await insertMany(db, trx, { into: 'revisions', columns: ['journal_no', 'back'], rows: backs });
  return rows.map((_, index) => first + index);
}

export async function backsOf(reader: Reader, nos: readonly number[]): Promise<Map<number, Difference[]>> {
  if (nos.length === 0) return new Map();
  const rows = await reader.selectFrom('revisions').selectAll().where('journal_no', 'in', nos).execute();
  return new Map(rows.map(({ journal_no: no, back }) => [no, JSON.parse(back) as Difference[]]));
}

/** Of more things of a kind at once, the office only learns that there were many. */
const mostOfAKind = 100;

/** Kinds whose ids begin with a store, or with the warehouse: what they tell is of it. */
export const namedByPlace: ReadonlySet<string> = new Set<Kind>(['store', 'soldOut', 'stockTake', 'cash']);

/** Tells the office what changed. Orders, and what is named by its place, belong to a store. */
export async function addChangesToFeed(trx: Trx, at: number, rows: readonly JournalRow[]): Promise<void> {
  const ofKinds = Map.groupBy(rows, ({ kind }) => kind);
  const orders = (ofKinds.get('order') ?? []).slice(0, mostOfAKind).map(({ id }) => id);
  const found =
    orders.length === 0
      ? []
      : await trx
          .selectFrom('orders')
          .select(['order_number', 'store_id'])
          .where('order_number', 'in', orders)
          .execute();
  const storeOf = ({ kind, id }: JournalRow) => {
    if (kind === 'order') return found.find(({ order_number: number }) => number === id)?.store_id ?? null;
    return namedByPlace.has(kind) ? (id.split(' ')[0] ?? null) : null;
  };
  const told = [...ofKinds].flatMap(([kind, each]) =>
    each.length > mostOfAKind
      ? [{ at, topic: kind, subject: '', store_id: null }]
      : each.map((row) => ({ at, topic: kind, subject: row.id, store_id: storeOf(row) })),
  );
  await addToFeed(trx, told);
}

export async function readJournal(
  reader: Reader,
  { kind, id, actor, since, until, before, most }: JournalQuery,
) {
  let query = reader.selectFrom('journal').selectAll().orderBy('no', 'desc').limit(most);
  if (kind !== undefined) query = query.where('subject_kind', '=', kind);
  if (id !== undefined) query = query.where('subject_id', '=', id);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (until !== undefined) query = query.where('at', '<', until);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (before !== undefined) query = query.where('no', '<', before);
  return (await query.execute()).map(
    ({ subject_kind, subject_id, actor, key_name: key, fields, ...row }) => ({
      ...row,
      actor: actorIn(actor, key ?? undefined),
      kind: subject_kind as Kind,
      id: subject_id,
      fields: fields === null ? null : (JSON.parse(fields) as FieldChange[]),
    }),
  );
}

/** Entries about these kinds after one, oldest first, with what leads from the changed document to the one before. */
export async function journalAfter(reader: Reader, no: number, kinds: readonly Kind[], most: number) {
  const rows = await reader
    .selectFrom('journal')
    .leftJoin('revisions', 'revisions.journal_no', 'journal.no')
    .select(['no', 'action', 'subject_kind', 'subject_id', 'fields', 'back'])
    .where('no', '>', no)
    .orderBy('no')
    .limit(most)
    .execute();
  const entries = rows
    .filter(({ subject_kind: kind }) => kinds.includes(kind as Kind))
    .map(({ subject_kind: kind, subject_id: id, fields, back, ...row }) => ({
      ...row,
      kind: kind as Kind,
      id,
      fields: fields === null ? null : (JSON.parse(fields) as FieldChange[]),
      back: back === null ? null : (JSON.parse(back) as Difference[]),
    }));
  return { entries, last: rows.at(-1)?.no ?? null };
}
export type EntryWithWayBack = Awaited<ReturnType<typeof journalAfter>>['entries'][number];

/** The ids of what has changed since an entry, by kind. */
export async function changedSince(reader: Reader, no: number): Promise<Map<string, string[]>> {
  const rows = await reader
    .selectFrom('journal')
    .select(['subject_kind', 'subject_id'])
    .where('no', '>', no)
    .execute();
  const kinds = Map.groupBy(rows, (row) => row.subject_kind);
  return new Map([...kinds].map(([kind, of]) => [kind, [...new Set(of.map((row) => row.subject_id))]]));
}

/** Things of a kind whose fields make up one document. */
export interface Subject {
  kind: Kind;
  ids: readonly string[];
}

/**
 * The number of the newest entry, 0 if there is none, and which fields have changed since one, the null meaning all of them. Without
 * a number of an entry only the newest.
 */
export async function fieldsSince(reader: Reader, { kind, ids }: Subject, revision: number | null) {
  const query = reader
    .selectFrom('journal')
    .select(['no', 'fields'])
    .where('subject_kind', '=', kind)
    .where('subject_id', 'in', ids)
    .orderBy('no', 'desc');
  const entries = await (revision === null ? query.limit(1) : query.where('no', '>', revision)).execute();
  const isWhole = entries.some(({ fields }) => fields === null);
  const changes = entries.flatMap(({ fields }) => JSON.parse(fields ?? '[]') as FieldChange[]);
  return {
    revision: entries[0]?.no ?? revision ?? 0,
    fields: isWhole ? null : changes.map(({ field }) => field),
  };
}
