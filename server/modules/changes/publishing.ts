/** Documents that visitors see as they were published, while what is written of them goes on: at once, or at a time. */
import type { FastifyInstance } from 'fastify';
import { draftFolder } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { type Problem, problemsByField } from '#contract/problems.ts';
import { type Edit, edited, isEqual } from '#contract/rules/patch.ts';
import { type DraftedName, documentKinds, publishingCallNames } from '#contract/staff/document-names.ts';
import type { Publication, PublishBody, SeenBody } from '#contract/staff/documents.ts';
import type { StaffEndpointName } from '#contract/staff/endpoints.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { serveChange, serveStaff } from '#server/http/staff-endpoint.ts';
import type { Actor } from '#server/platform/actors.ts';
import { InputError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { ChangesService } from './changes.service.ts';
import { requireSeen } from './changes.service.ts';
import { type DocumentKind, noteDocument, problemsOf } from './documents.ts';
import type { DraftLinks } from './draft-links.ts';
import { type Draft, dropDraft, dueDrafts, findDraft, leaveDraft } from './drafts.repository.ts';

export type DraftedKind<T extends { id: string }, Given> = DocumentKind<T, Given> & {
  name: DraftedName;
  drafts: NonNullable<DocumentKind<T, Given>['drafts']>;
};

interface PublishingDeps {
  db: Database;
  changes: ChangesService;
  now: () => number;
}

export type Publishing = ReturnType<typeof createPublishing>;

const system: Actor = { kind: 'system' };
/** How far ahead something is scheduled, ms: a time beyond it is a slip of the hand. */
const furthestMs = 2 * 366 * 24 * 60 * 60_000;

export function createPublishing<T extends { id: string }, Given>(
  { db, changes, now }: PublishingDeps,
  kind: DraftedKind<T, Given>,
) {
  const { action: words, place } = documentKinds[kind.name];

  async function held(
    reader: Reader,
    id: string,
  ): Promise<{ live: T | null; draft: Draft | null; content: T }> {
    const [live, draft] = [await kind.read(reader, id), await findDraft(reader, kind.name, id)];
    const content = (draft?.content as T | undefined) ?? live;
    if (!content) throw notFound();
    return { live, draft, content };
  }

  /** What is in the way of publishing it, by its path in the document. */
  async function blockers(reader: Reader, content: T, live: T | null): Promise<Problem[]> {
    const problems = await problemsOf(kind, reader, content, live);
    return problems.length > 0 ? problems : kind.drafts.blockers(content);
  }

  const publication = (live: T | null, draft: Draft | null): Publication => {
    const from = (live && kind.drafts.shownFrom?.(live)) ?? null;
    return publicationOf(live, draft, from !== null && from > now() ? from : null);
  };

  /** @throws {AppError} CONFLICT */
  const seenBy = (trx: Trx, id: string, seen: number) =>
    requireSeen(trx, { kind: kind.name, ids: [id] }, seen);

  /** Publishes one whose time has come, or says why not. Another process may have done it meanwhile. */
  const publishDue = (id: string) =>
    changes.run(system, `${words} due`, async (change) => {
      const { trx, note } = change;
      await kind.lock(trx);
      const draft = await findDraft(trx, kind.name, id);
      const live = await kind.read(trx, id);
      if (!draft?.scheduled || draft.scheduled.at > now()) return note(kind.name, id, []);
      const content = draft.scheduled.content as T;
      const problems = await blockers(trx, content, live);
      const isPublished = problems.length === 0;
      if (isPublished) await kind.write(change, content);
      const left = { ...draft, scheduled: null, failedAt: isPublished ? null : draft.scheduled.at };
      await leaveDraft(trx, kind.name, isPublished ? content : live, left);
      const field = isPublished ? 'published' : 'failed';
      note(kind.name, id, [{ field, from: false, to: true }]);
    });

  return {
    async publication(reader: Reader, id: string): Promise<Publication> {
      const { live, draft } = await held(reader, id);
      return publication(live, draft);
    },

    publicationOf: publication,

    /** What would be in the way of publishing what is written after an edit. @throws {AppError} NOT_FOUND */
    async triedBlockers(id: string, edits: readonly Edit[]): Promise<Problem[]> {
      const { live, content } = await held(db.read, id);
      return blockers(db.read, { ...edited(content, edits), id }, live);
    },

    /**
     * At once, or at a time: then what is written now, whatever is written until then.
     * @throws {AppError} CONFLICT; {InputError} naming everything that is in the way
     */
    async publish({ actor }: Permit, id: string, { seen, at }: PublishBody): Promise<void> {
      if (at !== null && (at <= now() || at > now() + furthestMs))
        throw validationError({ at: 'office.publish.past' });
      await changes.run(actor, `${words} ${at === null ? 'publish' : 'schedule'}`, async (change) => {
        const { trx, note } = change;
        await kind.lock(trx);
        const { live, draft, content } = await held(trx, id);
        await seenBy(trx, id, seen);
        const problems = await blockers(trx, content, live);
        if (problems.length > 0)
          throw new InputError(problems.map((each) => ({ ...each, path: [place, id, ...each.path] })));
        if (at === null) {
          if (!isEqual(content, live)) await kind.write(change, content);
          if (draft) await dropDraft(trx, kind.name, id);
          note(kind.name, id, draft || !live ? [{ field: 'published', from: false, to: true }] : []);
        } else {
          await leaveDraft(trx, kind.name, live, { id, content, scheduled: { at, content }, failedAt: null });
          note(kind.name, id, [{ field: 'publishAt', from: draft?.scheduled?.at, to: at }]);
        }
      });
    },

    /** What is written stays as a draft, and what is scheduled stays so. @throws {AppError} 404 if visitors see nothing; CONFLICT */
    withdraw: ({ actor }: Permit, id: string, { seen }: SeenBody): Promise<void> =>
      changes.run(actor, `${words} withdraw`, async (change) => {
        const { trx, note } = change;
        await kind.lock(trx);
        const { live, draft, content } = await held(trx, id);
        if (!live) throw notFound();
        await seenBy(trx, id, seen);
        await kind.drafts.withdraw(change, live);
        await leaveDraft(trx, kind.name, null, {
          id,
          content,
          scheduled: draft?.scheduled ?? null,
          failedAt: null,
        });
        note(kind.name, id, [{ field: 'published', from: true, to: false }]);
      }),

    /** What was to be published at a time is not. */
    unschedule: ({ actor }: Permit, id: string, { seen }: SeenBody): Promise<void> =>
      changes.run(actor, `${words} unschedule`, async ({ trx, note }) => {
        await kind.lock(trx);
        const { live, draft } = await held(trx, id);
        await seenBy(trx, id, seen);
        if (draft) await leaveDraft(trx, kind.name, live, { ...draft, scheduled: null, failedAt: null });
        const { at } = draft?.scheduled ?? {};
        note(kind.name, id, at === undefined ? [] : [{ field: 'publishAt', from: at }]);
      }),

    /** What is written is what visitors see again. What is scheduled stays so. @throws {AppError} 404 if they see nothing yet */
    revert: ({ actor }: Permit, id: string, { seen }: SeenBody): Promise<void> =>
      changes.run(actor, `${words} revert`, async (change) => {
        const { trx } = change;
        await kind.lock(trx);
        const { live, draft, content } = await held(trx, id);
        if (!live) throw notFound();
        await seenBy(trx, id, seen);
        if (draft) await leaveDraft(trx, kind.name, live, { ...draft, content: live, failedAt: null });
        noteDocument(change, kind.name, content, live);
      }),

    /** Everything whose time has come. One that fails does not keep the others. @throws {AggregateError} */
    async publishAllDue(): Promise<void> {
      const failures: unknown[] = [];
      for (const id of await dueDrafts(db.read, kind.name, now()))
        await publishDue(id).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
    },
  };
}

/** `shownFrom`: when visitors see what is published, if that is still to come. */
export function publicationOf(
  live: object | null,
  draft: Draft | null,
  shownFrom: number | null = null,
): Publication {
  const isChanged = draft !== null && !isEqual(draft.content, live);
  return {
    state: live === null ? 'draft' : isChanged ? 'changed' : 'live',
    scheduled: draft?.scheduled
      ? { at: draft.scheduled.at, isLatest: isEqual(draft.scheduled.content, draft.content) }
      : null,
    failedAt: draft?.failedAt ?? null,
    shownFrom,
  };
}

interface PublishingCall<B> {
  permit: Permit<Permission>;
  params: { id: string };
  body: B;
}

interface PublishingRoutes {
  name: DraftedName;
  publishing: Pick<Publishing, 'publish' | 'withdraw' | 'unschedule' | 'revert' | 'triedBlockers'>;
  links: DraftLinks;
  /** Of the shop's addresses, such as https://shop.example. */
  origin: () => string;
  /** @throws {AppError} NOT_FOUND */
  read: (permit: Permit, id: string) => Promise<unknown>;
}

/**
 * Serves publishing, taking offline, ending what is scheduled, and going back to what visitors see, which answer with what `read` reads;
 * and links.
 */
export function servePublishing(
  app: FastifyInstance,
  { name, publishing, links, origin, read }: PublishingRoutes,
): void {
  const names = publishingCallNames(name);
  // The calls of all kinds have this form: `publishingCalls` makes them.
  const serve = <B>(call: string, work: (permit: Permit, id: string, body: B) => Promise<void>) =>
    serveChange(
      app,
      call as StaffEndpointName,
      (({ permit, params: { id }, body }: PublishingCall<B>) => work(permit, id, body)) as never,
      (({ permit, params: { id } }: PublishingCall<B>) => read(permit, id)) as never,
    );
  serveStaff(
    app,
    names.tryPublish as StaffEndpointName,
    (async ({
      params: { id },
      body: { edits },
      lang,
    }: PublishingCall<{ edits: Edit[] }> & { lang: Locale }) => ({
      problems: problemsByField(await publishing.triedBlockers(id, edits), staffTranslate(lang)),
    })) as never,
  );
  serve(names.publish, publishing.publish);
  serve(names.withdraw, publishing.withdraw);
  serve(names.unschedule, publishing.unschedule);
  serve(names.revert, publishing.revert);
  const serveLinks = <B>(call: string, work: (permit: Permit, id: string, body: B) => Promise<object>) =>
    serveStaff(
      app,
      call as StaffEndpointName,
      (async ({ permit, params: { id }, body }: PublishingCall<B>) => {
        await read(permit, id);
        const own = await work(permit, id, body);
        return { ...own, links: await links.of(name, id) };
      }) as never,
    );
  serveLinks(names.links, async () => ({}));
  serveLinks(names.share, async (permit, id) => ({
    address: origin() + draftFolder + (await links.share(permit, name, id)),
  }));
  serveLinks<{ key: string }>(names.unshare, async (permit, id, { key }) => {
    await links.unshare(permit, name, id, key);
    return {};
  });
}
