/** Documents that merchants edit: what a kind of them says of itself, and what is the same for every kind. */
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { Problem } from '#contract/problems.ts';
import { type Difference, differences, edited } from '#contract/rules/patch.ts';
import { type DocumentName, documentCallNames, documentKinds } from '#contract/staff/document-names.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import type { Kind } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { serveChange, serveStaff } from '#server/http/staff-endpoint.ts';
import { InputError, notFound } from '#server/platform/errors.ts';
import type { OpenSchema } from '#server/platform/local-texts.ts';
import type { Permit } from '#server/platform/permits.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import {
  type Change,
  type ChangesService,
  changedFields,
  type JournalEntry,
  patched,
  requireSeen,
  revisionOf,
} from './changes.service.ts';
import { findDraft, leaveDraft, listDrafts, writtenOf } from './drafts.repository.ts';
import { backsOf, readJournal, type Subject } from './journal.repository.ts';

/** The rest of a change, in transactions of its own after the one that saved the document. */
export type Rest = () => Promise<void>;

/** What a module says of a kind of documents. */
export interface DocumentKind<T extends { id: string }, Given> {
  /** In the journal, and of its calls: `saveStore`. */
  name: DocumentName;
  schema: TSchema;
  /** The schema of an entry that `schema` leaves open, such as a block of a page. */
  schemaOf?: OpenSchema;
  /** Until the transaction ends: two people who change documents of the kind wait for each other. */
  lock(trx: Trx): Promise<void>;
  /** As visitors see it; null if they do not. */
  read(reader: Reader, id: string): Promise<T | null>;
  /** All of them as visitors see them; without it, they have no texts in several languages. */
  all?(reader: Reader): Promise<readonly T[]>;
  /** What neither the schema nor `write` refuses, by its path in the document; `before` is what is stored. */
  problems?(content: T, before: T | null, reader: Reader): Promise<Problem[]>;
  /** A new one; without it none is added. @throws {AppError} for an id that is taken, and what else cannot be added */
  make?(change: Change, given: Given): Promise<T>;
  /**
   * Stores it as visitors see it, and notes it, unless it has drafts: what is written was noted when it was saved.
   * @throws {InputError} naming every problem that only others of its kind can show
   */
  write(change: Change, content: T): Promise<Rest | undefined>;
  /** What is saved is a draft, which visitors do not see until it is published (`createPublishing`). */
  drafts?: {
    /** As it is stored, sanitised: the same when it is saved and when it is published. */
    cleaned(content: T): T;
    /** What is in the way of publishing it, although it can be saved, by its path in the document. */
    blockers(content: T): Promise<Problem[]>;
    /** Visitors no longer see it. @throws {AppError} for one that they always have to */
    withdraw(change: Change, content: T): Promise<void>;
    /** When visitors see it once it is published, epoch ms, if it says so itself. */
    shownFrom?(content: T): number | null;
  };
}

/** What neither saves nor publishes a document. */
export async function problemsOf<T extends { id: string }, Given>(
  kind: DocumentKind<T, Given>,
  reader: Reader,
  content: T,
  before: T | null,
): Promise<Problem[]> {
  return [
    ...schemaProblems(kind.schema, content),
    ...((await kind.problems?.(content, before, reader)) ?? []),
  ];
}

interface DocumentsDeps {
  db: Database;
  changes: ChangesService;
}

export type Documents<T extends { id: string }, Given> = ReturnType<typeof createDocuments<T, Given>>;

export function createDocuments<T extends { id: string }, Given>(
  { db, changes }: DocumentsDeps,
  kind: DocumentKind<T, Given>,
) {
  const subject = (id: string): Subject => ({ kind: kind.name, ids: [id] });
  const { action: words, place, scope } = documentKinds[kind.name];
  const reaches = (permit: Permit, id: string | null) => scope === 'shop' || permit.reaches(id);

  /** @throws {AppError} NOT_FOUND for one that is not there, or not the permit's */
  async function found(reader: Reader, permit: Permit, id: string): Promise<T> {
    const content = reaches(permit, id) ? await written(reader, id) : null;
    if (!content) throw notFound();
    return content;
  }

  /** The draft, if there is one. */
  function written(reader: Reader, id: string): Promise<T | null> {
    const live = () => kind.read(reader, id);
    return kind.drafts ? writtenOf(reader, kind.name, id, live) : live();
  }

  /** Stores and notes it: as a draft if the kind has them, which ends where nothing differs from what visitors see. */
  async function store(change: Change, before: T | null, given: T): Promise<Rest | undefined> {
    if (!kind.drafts) return kind.write(change, given);
    const { trx } = change;
    const content = kind.drafts.cleaned(given);
    const { id } = content;
    const [live, draft] = [await kind.read(trx, id), await findDraft(trx, kind.name, id)];
    const { scheduled = null, failedAt = null } = draft ?? {};
    await leaveDraft(trx, kind.name, live, { id, content, scheduled, failedAt });
    noteDocument(change, kind.name, before, content);
    return undefined;
  }

  /** @throws {InputError} naming every problem */
  async function check(reader: Reader, content: T, before: T | null): Promise<void> {
    const problems = await problemsOf(kind, reader, content, before);
    if (problems.length > 0)
      throw new InputError(problems.map((each) => ({ ...each, path: [place, content.id, ...each.path] })));
  }

  /** Saves what `make` makes of what is stored. */
  async function change(
    permit: Permit,
    id: string,
    action: string,
    make: (trx: Trx, before: T) => Promise<T>,
  ): Promise<void> {
    const rest = await changes.run(permit.actor, `${words} ${action}`, async (change) => {
      await kind.lock(change.trx);
      const before = await found(change.trx, permit, id);
      const content = { ...(await make(change.trx, before)), id };
      await check(change.trx, content, before);
      return store(change, before, content);
    });
    await rest?.();
  }

  const { all, schema, schemaOf } = kind;
  if (all)
    changes.offer({
      kind: kind.name,
      schema,
      ...(schemaOf && { schemaOf }),
      needs: permissionOf(documentCallNames(kind.name).save as StaffEndpointName),
      async *pieces(reader) {
        yield await allWritten(reader, all);
      },
      async read(reader, ids) {
        if (ids.length > readAlone)
          return (await allWritten(reader, all)).filter(({ id }) => ids.includes(id));
        return (await Promise.all(ids.map((id) => written(reader, id)))).filter((each) => each !== null);
      },
      async edit(change, id, make) {
        await kind.lock(change.trx);
        const before = await written(change.trx, id);
        if (!before) throw notFound();
        const content = { ...(make(before) as T), id };
        await check(change.trx, content, before);
        return store(change, before, content);
      },
    });

  async function allWritten(reader: Reader, live: NonNullable<typeof all>): Promise<T[]> {
    const drafts = kind.drafts ? await listDrafts(reader, kind.name) : [];
    const byId = new Map((await live(reader)).map((each) => [each.id, each]));
    for (const { id, content } of drafts) byId.set(id, content as T);
    return [...byId.values()];
  }

  return {
    async read(permit: Permit, id: string): Promise<{ revision: number; content: T }> {
      const revision = await revisionOf(db.read, subject(id));
      return { revision, content: await found(db.read, permit, id) };
    },

    /** The document as it would be, and as it is. @throws {InputError} for what could not be saved */
    async tried(permit: Permit, id: string, edits: Patch['edits']): Promise<{ content: T; before: T }> {
      const before = await found(db.read, permit, id);
      const content = { ...edited(before, edits), id };
      await check(db.read, content, before);
      return { content, before };
    },

    async add(permit: Permit, given: Given): Promise<string> {
      if (!reaches(permit, null)) throw notFound();
      let id = '';
      const rest = await changes.run(permit.actor, `${words} add`, async (change) => {
        await kind.lock(change.trx);
        const content = await kind.make?.(change, given);
        if (!content) throw notFound();
        id = content.id;
        await check(change.trx, content, null);
        return store(change, null, content);
      });
      await rest?.();
      return id;
    },

    /** @throws {AppError} CONFLICT; {InputError} naming every problem */
    async save(permit: Permit, id: string, patch: Patch): Promise<void> {
      // Before the transaction: checking a document for the first time takes a while.
      schemaProblems(kind.schema, await found(db.read, permit, id));
      await change(permit, id, 'change', (trx, before) => patched(trx, subject(id), before, patch));
    },

    /**
     * @throws {AppError} CONFLICT if somebody has changed it since it was seen, 404 for a revision to which no way back is kept;
     * {InputError} naming what is no longer possible
     */
    restore: (permit: Permit, id: string, { revision, seen }: { revision: number; seen: number }) =>
      change(permit, id, 'restore', async (trx, before) => {
        await requireSeen(trx, subject(id), seen);
        return contentAt(trx, { kind: kind.name, id }, before, revision);
      }),
  };
}

/** Documents of a kind that are read one by one, as opposed to all of them at once. */
const readAlone = 5;

/** Who may save a thing, by the call that saves it. */
export const permissionOf = (call: StaffEndpointName): Permission => staffEndpoints[call].needs as Permission;

interface DocumentCall<Given> {
  permit: Permit<Permission>;
  params: { id: string };
  body: Given & Patch & { revision: number; seen: number };
}

/**
 * Serves reading, adding, saving and restoring; `read` answers with what else a page needs. What changed is served by `staff`, which
 * knows names; removing by `removal`.
 */
export function serveDocuments<T extends { id: string }, Given>(
  app: FastifyInstance,
  { name, make }: { name: string; make?: unknown },
  documents: Documents<T, Given>,
  read: (permit: Permit, id: string) => Promise<unknown> = documents.read,
): void {
  const names = documentCallNames(name);
  // The calls of all kinds have this form: `documentCalls` makes them.
  const serve = (call: string, handler: (call: DocumentCall<Given>) => Promise<unknown>) =>
    serveStaff(app, call as StaffEndpointName, handler as never);
  const readOne = ({ permit, params }: DocumentCall<Given>) => read(permit, params.id);
  serve(names.read, readOne);
  if (make) serve(names.add, async ({ permit, body }) => read(permit, await documents.add(permit, body)));
  serve(names.save, async ({ permit, params, body }) => {
    await documents.save(permit, params.id, body);
    return read(permit, params.id);
  });
  const restore = ({ permit, params, body }: DocumentCall<Given>) =>
    documents.restore(permit, params.id, body);
  serveChange(app, names.restore as StaffEndpointName, restore as never, readOne as never);
}

/** Notes that a document was saved, with the way back; null for one that was not there. */
export function noteDocument(
  { note }: Pick<Change, 'note'>,
  kind: Kind,
  before: { id: string } | null,
  after: { id: string },
): void {
  if (before) note(kind, after.id, changedFields(before, after), backOf(before, after));
  else note(kind, after.id);
}

/** What leads from a document to the one before, to the same bytes: edits alone do not keep the order of fields that come back. */
function backOf(before: object, after: object): Difference[] {
  const back = differences(after, before);
  const isSame = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) === JSON.stringify((led as Record<string, unknown>)[name]);
  const led: object = edited(after, back);
  const others = Object.entries(before).filter((field) => !isSame(field));
  if (others.length === 0) return back;
  const names = new Set(others.map(([name]) => name));
  return [
    ...back.filter(({ path: [name = ''] }) => !names.has(name)),
    ...others.map(([name, to]) => ({ path: [name], from: (after as Record<string, unknown>)[name], to })),
  ];
}

const besideDrafts = ['published', 'publishAt', 'failed', 'links'];

/** What the journal names of a thing although it is no part of its document. */
const beside: Partial<Record<Kind, readonly string[]>> = {
  webhook: ['secret'],
  store: ['busy_minutes', 'busy_until', 'paused_until'],
  page: besideDrafts,
  post: besideDrafts,
  category: ['place'],
  brand: ['place'],
  tag: ['place'],
};

/** Notes that translations are right although what they translate has changed: the document stays as it is. */
export const confirming = 'languages confirm';

/** Whether a document is the same before and after an entry, which needs no way back. */
export const isBeside = ({
  kind,
  fields,
  action,
}: Pick<JournalEntry, 'kind' | 'fields' | 'action'>): boolean =>
  action === confirming || (fields?.every(({ field }) => beside[kind]?.includes(field)) ?? false);

/** Changes of a document that are looked at. */
const mostEntries = 500;

/**
 * A document as it was after an entry of the journal about it.
 * @throws {AppError} 404 for an entry that is not there, or to which no way back is kept
 */
export async function contentAt<T>(
  reader: Reader,
  { kind, id }: { kind: Kind; id: string },
  current: T,
  revision: number,
): Promise<T> {
  const entries = await readJournal(reader, { kind, id, most: mostEntries });
  const place = entries.findIndex(({ no }) => no === revision);
  const later = entries.slice(0, place).filter((entry) => !isBeside(entry));
  const nos = later.map(({ no }) => no);
  const backs = await backsOf(reader, nos);
  if (place < 0 || nos.some((no) => !backs.has(no))) throw notFound();
  return nos.reduce((whole, no) => edited(whole, backs.get(no) ?? []), current);
}
