/** Content from external sources: entries of feeds, and the photos of a social account (SPEC §7). */
import Type, { type Static } from 'typebox';
import { EpochMs, ImageInfo, Nullable } from './common.ts';

/** Plain texts, no markup. `link` is null if the source gave none that is safe to follow. */
export const FeedEntry = Type.Object({
  title: Type.String(),
  link: Nullable(Type.String()),
  summary: Type.String(),
  publishedAt: Nullable(EpochMs),
  /** YYYY-MM-DD, the day of `publishedAt` in the shop's time zone. Present only for the shop's own posts. */
  publishedOn: Type.Optional(Type.String()),
});
export type FeedEntry = Static<typeof FeedEntry>;

export const Feed = Type.Object({ title: Type.String(), link: Nullable(Type.String()), entries: Type.Array(FeedEntry) });
export type Feed = Static<typeof Feed>;

/**
 * A photo, with the field names of Instagram's media. `media_url` is on this shop; `permalink` is the original post; `link` is
 * a page of the shop that shows the same thing, or ''.
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
