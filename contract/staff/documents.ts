/** The calls of a kind of documents: the same for every kind, made of what the kind says of itself. */
import Type, { type Static, type TSchema } from 'typebox';
import { Count, described, EpochMs, Flag, Nullable, Strict } from '../schemas/common.ts';
import {
  type DocumentName,
  type DraftedName,
  documentCallNames,
  type FixedName,
  publishingCallNames,
} from './document-names.ts';
import { Done, documentOf, lang, Patch, type StaffEndpoint } from './endpoint.ts';
import type { Permission } from './permissions.ts';
import { KeyName } from './schemas.ts';

const Difference = Type.Object({
  path: Type.Array(Type.String()),
  from: Type.Optional(Type.Unknown()),
  to: Type.Optional(Type.Unknown()),
});

export const Revisions = Type.Object({
  revisions: described(
    'The newest first.',
    Type.Array(
      Type.Object({
        no: Count,
        at: EpochMs,
        actor: Type.Enum(['staff', 'terminal', 'system']),
        by: described('Who; empty for somebody who is no longer there.', Type.String()),
        key: KeyName,
        action: described('The words of the command.', Type.String()),
        fields: described('What was changed; null: everything.', Nullable(Type.Array(Difference))),
        isKept: described('Whether the document can be led back over it.', Flag),
      }),
    ),
  ),
  before: described('For the next page; null on the last.', Nullable(Count)),
});
export type Revisions = Static<typeof Revisions>;

export const RemovalUse = Type.Object({
  refused: described('Why it cannot be removed; null: it can.', Nullable(Type.String())),
  affected: described('What depends on it, and what becomes of that: sentences.', Type.Array(Type.String())),
});
export type RemovalUse = Static<typeof RemovalUse>;

/** Of a document: `store` is read by `store`, saved by `saveStore`, led back by `restoreStore`. */
export const ofDocument = Strict({
  id: described(
    'As the document has it: codes have letters of any script.',
    Type.String({ minLength: 1, maxLength: 500 }),
  ),
});
const FromBefore = Strict({ ...lang.properties, before: Type.Optional(Count) });
export const Restored = Strict({
  revision: described('The number of the entry of the journal.', Count),
  seen: described(
    'The revision of the document that was shown. If somebody has changed it since, it is a conflict.',
    Count,
  ),
});

interface KindForm<
  C extends TSchema,
  L extends TSchema,
  A extends TSchema,
  R extends Permission,
  W extends Permission,
> {
  /** The first part of the addresses. */
  route: string;
  /** In the summaries: `a store`. */
  called: string;
  /** To read and to change them. */
  needs: readonly [reads: R, writes: W];
  /** A document with its revision, and what else its page needs. */
  answer: C;
  list: L;
  /** What a new one is given. */
  add: A;
  /** What it has besides. */
  begins: string;
}

export interface Asked<P, R> {
  route: `GET ${string}`;
  summary: string;
  needs: P;
  response: R;
}
export interface Sent<P, R, Repeat, B> extends Omit<Asked<P, R>, 'route'> {
  route: `POST ${string}`;
  repeat: Repeat;
  body: B;
}
export interface OfOne {
  params: typeof ofDocument;
}

type DocumentCalls<
  K extends string,
  N extends string,
  C extends TSchema,
  L extends TSchema,
  A extends TSchema,
  R extends Permission,
  W extends Permission,
> = { [Name in N]: Asked<R, L> } & { [Name in K]: Asked<R, C> & OfOne } & {
  [Name in `add${Capitalize<K>}`]: Sent<W, C, 'key', A>;
} & { [Name in `save${Capitalize<K>}`]: Sent<W, C, 'seen', typeof Patch> & OfOne } & {
  [Name in `${K}Revisions`]: Asked<R, typeof Revisions> & OfOne & { query: typeof FromBefore };
} & { [Name in `restore${Capitalize<K>}`]: Sent<W, C, 'seen', typeof Restored> & OfOne } & {
  [Name in `${K}Use`]: Asked<R, typeof RemovalUse> & OfOne;
} & { [Name in `remove${Capitalize<K>}`]: Omit<Sent<W, typeof Done, 'used', never>, 'body'> & OfOne };

/** `all` names the call of the list. */
export function documentCalls<
  const K extends DocumentName,
  const N extends string,
  C extends TSchema,
  L extends TSchema,
  A extends TSchema,
  R extends Permission,
  W extends Permission,
>(
  name: K,
  all: N,
  { route, called, needs: [reads, writes], answer: response, list, add, begins }: KindForm<C, L, A, R, W>,
) {
  const names = documentCallNames(name);
  const [read, write] = [
    { needs: reads, params: ofDocument, response },
    { needs: writes, params: ofDocument, response },
  ];
  const calls: Record<string, StaffEndpoint> = {
    [all]: {
      route: `GET ${route}`,
      summary: `All that can be read by \`${name}\`, in the merchant’s order.`,
      needs: reads,
      response: list,
    },
    [names.read]: { ...read, route: `GET ${route}/:id`, summary: `Reads ${called}, to be edited.` },
    [names.add]: {
      route: `POST ${route}`,
      repeat: 'key',
      needs: writes,
      body: add,
      response,
      summary: `Adds ${called} ${begins}.`,
    },
    [names.save]: {
      ...write,
      route: `POST ${route}/:id`,
      repeat: 'seen',
      body: Patch,
      summary: `Changes fields of ${called}. A field that somebody else has changed since the revision is a conflict.`,
    },
    [names.revisions]: {
      ...read,
      route: `GET ${route}/:id/revisions`,
      query: FromBefore,
      response: Revisions,
      summary: `What was changed of ${called}, by whom, from what to what.`,
    },
    [names.restore]: {
      ...write,
      route: `POST ${route}/:id/restore`,
      repeat: 'seen',
      body: Restored,
      summary: `Saves ${called} as it was after one of its revisions, which is a change like others.`,
    },
    [names.use]: {
      ...read,
      route: `GET ${route}/:id/use`,
      response: RemovalUse,
      summary: `What removing ${called} would change elsewhere.`,
    },
    [names.remove]: {
      ...write,
      route: `POST ${route}/:id/remove`,
      repeat: 'used',
      response: Done,
      summary: `Removes ${called}, with what \`${names.use}\` says.`,
    },
  };
  return calls as unknown as DocumentCalls<K, N, C, L, A, R, W>;
}

/** Of a kind that every shop has the same ones of: without adding and removing. */
export function fixedDocumentCalls<
  const K extends FixedName,
  const N extends string,
  C extends TSchema,
  L extends TSchema,
  R extends Permission,
  W extends Permission,
>(name: K, all: N, form: Omit<KindForm<C, L, TSchema, R, W>, 'add' | 'begins'>) {
  const names = documentCallNames(name);
  const calls = documentCalls(name, all, { ...form, add: Strict({}), begins: '' });
  const kept = Object.entries(calls).filter(
    ([call]) => ![names.add, names.use, names.remove].includes(call as never),
  );
  return Object.fromEntries(kept) as Omit<
    typeof calls,
    `add${Capitalize<K>}` | `${K}Use` | `remove${Capitalize<K>}`
  >;
}

export const Publication = Type.Object({
  state: described(
    'draft: visitors do not see it; live: they see what is written; changed: they see an earlier version.',
    Type.Enum(['draft', 'live', 'changed']),
  ),
  scheduled: described(
    'When it is published by itself; null: it is not.',
    Nullable(
      Type.Object({
        at: EpochMs,
        isLatest: described(
          'Whether that is what is written; what was written since is not published with it.',
          Flag,
        ),
      }),
    ),
  ),
  failedAt: described('When it should have been published, and something was in the way.', Nullable(EpochMs)),
  shownFrom: described(
    'When visitors see what is published, if its own date is still to come; null: they see it.',
    Nullable(EpochMs),
  ),
});
export type Publication = Static<typeof Publication>;

export const draftedOf = <T extends TSchema>(content: T) =>
  Type.Object({ ...documentOf(content).properties, publication: Publication });

const seen = described(
  'The revision of the document that was shown. If somebody has changed it since, it is a conflict.',
  Count,
);
const SeenBody = Strict({ seen });
const PublishBody = Strict({
  seen,
  at: described('When; null: now. What is published then is what is written now.', Nullable(EpochMs)),
});
export type SeenBody = Static<typeof SeenBody>;
export type PublishBody = Static<typeof PublishBody>;

export const DraftLinks = Type.Object({
  links: described(
    'Links that have not ended, the newest first.',
    Type.Array(
      Type.Object({
        key: described('Names the link, and opens nothing.', Type.String()),
        createdAt: EpochMs,
        endsAt: EpochMs,
      }),
    ),
  ),
});
export type DraftLinks = Static<typeof DraftLinks>;
const Shared = Type.Object({
  address: described('Of the page, with the secret: it is shown only once.', Type.String()),
  ...DraftLinks.properties,
});
const Unshared = Strict({ key: Type.String({ minLength: 16, maxLength: 64 }) });

const Tried = Strict({ edits: Patch.properties.edits });
const Blockers = Type.Object({
  problems: described(
    'By the dotted path in the document; none: it can be published.',
    Type.Record(Type.String(), Type.String()),
  ),
});

type PublishingCalls<K extends string, C extends TSchema, W extends Permission, P extends Permission> = {
  [Name in `tryPublish${Capitalize<K>}`]: Omit<Sent<W, typeof Blockers, never, typeof Tried>, 'repeat'> &
    OfOne & { reads: true };
} & {
  [Name in `publish${Capitalize<K>}`]: Sent<P, C, 'seen', typeof PublishBody> & OfOne;
} & {
  [Name in `withdraw${Capitalize<K>}` | `unschedule${Capitalize<K>}`]: Sent<P, C, 'seen', typeof SeenBody> &
    OfOne;
} & {
  [Name in `revert${Capitalize<K>}`]: Sent<W, C, 'seen', typeof SeenBody> & OfOne;
} & { [Name in `${K}Links`]: Asked<W, typeof DraftLinks> & OfOne } & {
  [Name in `share${Capitalize<K>}`]: Omit<Sent<W, typeof Shared, 'own', never>, 'body'> & OfOne;
} & { [Name in `unshare${Capitalize<K>}`]: Sent<W, typeof DraftLinks, 'same', typeof Unshared> & OfOne };

interface PublishingForm<C extends TSchema, W extends Permission, P extends Permission> {
  route: string;
  called: string;
  /** To write and to publish it. */
  needs: readonly [writes: W, publishes: P];
  answer: C;
}

/** What a kind has besides `documentCalls` whose documents are published apart from saving. */
export function publishingCalls<
  const K extends DraftedName,
  C extends TSchema,
  W extends Permission,
  P extends Permission,
>(name: K, { route, called, needs: [writes, publishes], answer: response }: PublishingForm<C, W, P>) {
  const names = publishingCallNames(name);
  const common = { repeat: 'seen', params: ofDocument, response } as const;
  const calls: Record<string, StaffEndpoint> = {
    [names.tryPublish]: {
      route: `POST ${route}/:id/try-publish`,
      reads: true,
      params: ofDocument,
      needs: writes,
      body: Tried,
      response: Blockers,
      summary: `What would be in the way of publishing ${called} after an edit. Changes nothing.`,
    },
    [names.publish]: {
      ...common,
      route: `POST ${route}/:id/publish`,
      needs: publishes,
      body: PublishBody,
      summary: `Shows visitors what is written of ${called}, now or at a time. Refused with all that is in the way.`,
    },
    [names.withdraw]: {
      ...common,
      route: `POST ${route}/:id/withdraw`,
      needs: publishes,
      body: SeenBody,
      summary: `Takes ${called} offline: visitors no longer see it, and what is written stays as a draft.`,
    },
    [names.unschedule]: {
      ...common,
      route: `POST ${route}/:id/unschedule`,
      needs: publishes,
      body: SeenBody,
      summary: `Does not publish ${called} at the time for which that was scheduled.`,
    },
    [names.revert]: {
      ...common,
      route: `POST ${route}/:id/revert`,
      needs: writes,
      body: SeenBody,
      summary: `Discards the draft of ${called}: what is written is again what visitors see.`,
    },
    [names.links]: {
      route: `GET ${route}/:id/links`,
      params: ofDocument,
      needs: writes,
      response: DraftLinks,
      summary: `Links by which others look at the draft of ${called}.`,
    },
    [names.share]: {
      route: `POST ${route}/:id/links`,
      repeat: 'own',
      params: ofDocument,
      needs: writes,
      response: Shared,
      summary: `Makes a link by which whoever has it looks at the draft of ${called} for a week.`,
    },
    [names.unshare]: {
      route: `POST ${route}/:id/links/end`,
      repeat: 'same',
      params: ofDocument,
      needs: writes,
      body: Unshared,
      response: DraftLinks,
      summary: `Takes back a link to the draft of ${called}.`,
    },
  };
  return calls as unknown as PublishingCalls<K, C, W, P>;
}
