import Type, { type Static } from 'typebox';
import { described, EpochMs, ImageInfo, Nullable } from './common.ts';

/** No markup. `link` is null if the source gave none that is safe to follow. */
export const FeedEntry = Type.Object({
  title: described('Plain text.', Type.String()),
  link: described('Null if the source gave none that is safe to follow.', Nullable(Type.String())),
  summary: described('Plain text.', Type.String()),
  publishedAt: Nullable(EpochMs),
  publishedOn: Type.Optional(
    described(
      "YYYY-MM-DD, the day of `publishedAt` in the shop's time zone. Present only for the shop's own posts.",
      Type.String(),
    ),
  ),
});
export type FeedEntry = Static<typeof FeedEntry>;

export const Feed = Type.Object({
  title: Type.String(),
  link: Nullable(Type.String()),
  entries: Type.Array(FeedEntry),
});
export type Feed = Static<typeof Feed>;

/** Named as Instagram's media. `media_url` and `link` are on this shop (`link` may be ''); `permalink` is the original post. */
export const SocialPhoto = Type.Object({
  id: Type.String(),
  caption: Type.String(),
  media_type: Type.String(),
  media_url: described('On this shop.', Type.String()),
  permalink: described('The original post; null if it is unknown.', Nullable(Type.String())),
  timestamp: described('ISO 8601.', Type.String()),
  image: ImageInfo,
  link: described("A page of the shop that shows the same thing, or ''.", Type.String()),
});
export type SocialPhoto = Static<typeof SocialPhoto>;
