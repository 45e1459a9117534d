/** Links with a secret, by which whoever has one looks at what is written of a document until the link ends. */
import { createHash, randomBytes } from 'node:crypto';
import type { DraftedName } from '#contract/staff/document-names.ts';
import { documentKinds } from '#contract/staff/document-names.ts';
import type { DraftLinks as Links } from '#contract/staff/documents.ts';
import type { Database } from '#db/database.ts';
import { notFound, OperationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import type { ChangesService } from './changes.service.ts';
import {
  addDraftLink,
  dropDraftLink,
  dropEndedLinks,
  findDraftLink,
  listDraftLinks,
} from './drafts.repository.ts';

interface DraftLinksDeps {
  db: Database;
  changes: ChangesService;
  now: () => number;
  attempts: RateLimitsService;
}

export interface SharedDraft {
  kind: DraftedName;
  id: string;
  /** Epoch ms. */
  endsAt: number;
}

export type DraftLinks = ReturnType<typeof createDraftLinks>;

/** The bytes of a secret: 256 bits. */
const tokenBytes = 32;
const lifeMs = 7 * dayMs;
/** Of one document at a time. */
const mostLinks = 10;
/** Of the hash: it names a link and opens nothing. */
const keyLength = 16;

export function createDraftLinks({ db, changes, now, attempts }: DraftLinksDeps) {
  return {
    /** Those that have not ended, the newest first. */
    async of(kind: DraftedName, id: string): Promise<Links['links']> {
      const links = await listDraftLinks(db.read, kind, id, now());
      return links.map(({ hash, createdAt, endsAt }) => ({
        key: hash.slice(0, keyLength),
        createdAt,
        endsAt,
      }));
    },

    /** Returns the secret, which is stored nowhere. The link ends with the week, and once its maker is blocked, changed or erased. */
    async share({ actor }: Permit, kind: DraftedName, id: string): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url');
      await changes.run(actor, `${documentKinds[kind].action} share`, async ({ trx, note }) => {
        const at = now();
        if ((await listDraftLinks(trx, kind, id, at)).length >= mostLinks)
          throw new OperationError('office.share.most', { count: mostLinks });
        const by = actor.kind === 'staff' ? actor.id : null;
        await addDraftLink(trx, kind, { id, hash: hashOf(token), createdAt: at, endsAt: at + lifeMs, by });
        note(kind, id, [{ field: 'links', to: at + lifeMs }]);
      });
      return token;
    },

    /** It no longer works. Again it changes nothing. */
    unshare: ({ actor }: Permit, kind: DraftedName, id: string, key: string): Promise<void> =>
      changes.run(actor, `${documentKinds[kind].action} unshare`, async ({ trx, note }) => {
        const link = (await listDraftLinks(trx, kind, id, now())).find(({ hash }) => hash.startsWith(key));
        if (link) await dropDraftLink(trx, link.hash);
        note(kind, id, link ? [{ field: 'links', from: link.endsAt }] : []);
      }),

    /**
     * What a secret opens. Each unknown one takes the same work, and counts against the caller's network.
     * @throws {AppError} NOT_FOUND for one that is unknown, was taken back or has ended; RATE_LIMITED
     */
    async open(token: string, address: string): Promise<SharedDraft> {
      const network = networkOf(address);
      const guess: Attempt[] = [['unknownLinkAddress', network]];
      await attempts.count([['draftLinkAddress', network], ...guess]);
      const link = await findDraftLink(db.read, hashOf(token));
      if (!link || link.endsAt <= now()) throw notFound('office.share.ended');
      await db.transaction((trx) => attempts.undo(trx, guess));
      return { kind: link.kind, id: link.id, endsAt: link.endsAt };
    },

    sweep: (): Promise<void> => db.transaction((trx) => dropEndedLinks(trx, now())),
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
