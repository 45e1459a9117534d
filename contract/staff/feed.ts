/** The live feed. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { EpochMs, LangQuery, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

export const FeedHint = Type.Object({
  topic: described('A kind of the journal; `*`: everything.', Type.String()),
  subject: described('The number of an order, or another id; empty for many.', Type.String()),
  store: Nullable(Type.String()),
});
export type FeedHint = Static<typeof FeedHint>;

export const feedEndpoints = {
  feed: {
    route: 'GET feed',
    summary: 'What changed, as hints to look again: as Server-Sent Events if the caller accepts them, else since a time.',
    needs: 'anybody',
    station: 'too',
    query: Strict({ since: Type.Optional(EpochMs), ...LangQuery }),
    response: Type.Object({ at: EpochMs, hints: Type.Array(FeedHint) }),
  },
} as const satisfies Record<string, StaffEndpoint>;
