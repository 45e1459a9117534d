/** What is written of documents and that visitors do not see yet. */
import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { isEqual } from '#contract/rules/patch.ts';
import type { DraftedName } from '#contract/staff/document-names.ts';
import type { DraftLinksTable, DraftsTable } from '#db/change-tables.ts';
import type { Reader, Trx } from '#db/database.ts';

export interface Draft {
  id: string;
  content: unknown;
  /** What is published by itself, and when, epoch ms. */
  scheduled: { at: number; content: unknown } | null;
  /** When it should have been published, and something was in the way. */
  failedAt: number | null;
}

export async function findDraft(reader: Reader, kind: string, id: string): Promise<Draft | null> {
  const row = await reader
    .selectFrom('drafts')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? draftIn(row) : null;
}

/** The draft of a document, or what visitors see of it, which `live` reads; null if there is neither. */
export async function writtenOf<T>(
  reader: Reader,
  kind: string,
  id: string,
  live: () => Promise<T | null>,
): Promise<T | null> {
  const draft = await findDraft(reader, kind, id);
  return draft ? (draft.content as T) : live();
}

export async function listDrafts(reader: Reader, kind: string): Promise<Draft[]> {
  const rows = await reader.selectFrom('drafts').selectAll().where('kind', '=', kind).orderBy('id').execute();
  const drafts: Draft[] = [];
  let characters = 0;
  for (const row of rows) {
    drafts.push(draftIn(row));
    characters += row.content.length;
    if (characters < parsedAtOnce) continue;
    // Others have their turn.
    await setImmediate();
    characters = 0;
  }
  return drafts;
}
/** Characters of JSON, between two turns of the event loop. */
const parsedAtOnce = 200_000;

/** Without reading what they say. */
export async function draftIds(reader: Reader, kind: string): Promise<Set<string>> {
  const rows = await reader.selectFrom('drafts').select('id').where('kind', '=', kind).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Those that say this link of themselves, in the draft or in what is scheduled. */
export async function draftsLinked(reader: Reader, kind: string, link: string): Promise<Draft[]> {
  const rows = await reader
    .selectFrom('drafts')
    .selectAll()
    .where('kind', '=', kind)
    .where(({ eb, or }) => or([eb('link', '=', link), eb('scheduled_link', '=', link)]))
    .orderBy('id')
    .execute();
  return rows.map(draftIn);
}

/** The ids of those that are to be published by now. */
export async function dueDrafts(reader: Reader, kind: string, now: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('drafts')
    .select('id')
    .where('kind', '=', kind)
    .where('publish_at', '<=', now)
    .orderBy('publish_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** A draft that says what visitors see, `live`, and of which nothing is scheduled, is none. */
export async function leaveDraft(trx: Trx, kind: string, live: object | null, draft: Draft): Promise<void> {
  if (draft.scheduled === null && isEqual(draft.content, live)) await dropDraft(trx, kind, draft.id);
  else await putDraft(trx, kind, draft);
}

async function putDraft(trx: Trx, kind: string, { id, content, scheduled, failedAt }: Draft): Promise<void> {
  const values = {
    content: JSON.stringify(content),
    publish_at: scheduled?.at ?? null,
    scheduled: scheduled ? JSON.stringify(scheduled.content) : null,
    failed_at: failedAt,
    link: linkOf(content),
    scheduled_link: linkOf(scheduled?.content),
  };
  await trx
    .insertInto('drafts')
    .values({ kind, id, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(values))
    .execute();
}

function linkOf(content: unknown): string | null {
  const { link } = (content ?? {}) as { link?: unknown };
  return typeof link === 'string' ? link : null;
}

/** Of a document that is removed: with the links to its draft. */
export async function dropDraftWithLinks(trx: Trx, kind: string, id: string): Promise<void> {
  await dropDraft(trx, kind, id);
  await trx.deleteFrom('draft_links').where('kind', '=', kind).where('id', '=', id).execute();
}

export async function dropDraft(trx: Trx, kind: string, id: string): Promise<void> {
  await trx.deleteFrom('drafts').where('kind', '=', kind).where('id', '=', id).execute();
}

function draftIn({
  id,
  content,
  publish_at: at,
  scheduled,
  failed_at: failedAt,
}: Selectable<DraftsTable>): Draft {
  return {
    id,
    content: JSON.parse(content),
    scheduled: at === null || scheduled === null ? null : { at, content: JSON.parse(scheduled) },
    failedAt,
  };
}

export interface DraftLink {
  hash: string;
  id: string;
  /** Epoch ms. */
  createdAt: number;
  endsAt: number;
}

/** `by`: the id of whoever made it, with whose right it ends; null for a command. */
export async function addDraftLink(
  trx: Trx,
  kind: string,
  { hash, id, createdAt, endsAt, by }: DraftLink & { by: string | null },
): Promise<void> {
  const values = { token_hash: hash, kind, id, created_at: createdAt, ends_at: endsAt, created_by: by };
  await trx.insertInto('draft_links').values(values).execute();
}

/** Those of a document that have not ended, the newest first. */
export async function listDraftLinks(
  reader: Reader,
  kind: string,
  id: string,
  now: number,
): Promise<DraftLink[]> {
  const rows = await reader
    .selectFrom('draft_links')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('ends_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute();
  return rows.map(linkIn);
}

export async function findDraftLink(
  reader: Reader,
  hash: string,
): Promise<(DraftLink & { kind: DraftedName }) | null> {
  const row = await reader
    .selectFrom('draft_links')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  return row ? { ...linkIn(row), kind: row.kind as DraftedName } : null;
}

export async function dropDraftLink(trx: Trx, hash: string): Promise<void> {
  await trx.deleteFrom('draft_links').where('token_hash', '=', hash).execute();
}

export async function dropEndedLinks(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('draft_links').where('ends_at', '<=', now).execute();
}

const linkIn = ({
  token_hash: hash,
  id,
  created_at: createdAt,
  ends_at: endsAt,
}: Selectable<DraftLinksTable>): DraftLink => ({
  hash,
  id,
  createdAt,
  endsAt,
});
