/** What comes from outside: entries of feeds, and the photographs of a social account (SPEC §7). */
import Type, { type Static } from 'typebox';
import { EpochMs, ImageInfo, Nullable } from './common.ts';

/** Texts only, no markup. `link` is null where the source gave none that a browser may follow. */
export const FeedEntry = Type.Object({
  title: Type.String(),
  link: Nullable(Type.String()),
  summary: Type.String(),
  publishedAt: Nullable(EpochMs),
  /** YYYY-MM-DD, the day of `publishedAt` where the shop is. Only the shop's own posts have it. */
  publishedOn: Type.Optional(Type.String()),
});
export type FeedEntry = Static<typeof FeedEntry>;

export const Feed = Type.Object({ title: Type.String(), link: Nullable(Type.String()), entries: Type.Array(FeedEntry) });
export type Feed = Static<typeof Feed>;

/**
 * A photograph, named as Instagram's media are. `media_url` is on this shop; `permalink` the post where
 * it came from; `link` a page of the shop that shows the same thing, or empty.
 */
export const SocialPhoto = Type.Object({
  id: Type.String(),
  caption: Type.String(),
  media_type: Type.String(),
  media_url: Type.String(),
  permalink: Nullable(Type.String()),
  /** ISO 8601. */
  timestamp: Type.String(),
  image: ImageInfo,
  link: Type.String(),
});
export type SocialPhoto = Static<typeof SocialPhoto>;
