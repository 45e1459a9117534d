import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { limits } from '#contract/limits.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import { SocialPhoto } from '#contract/schemas/feeds.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  loaded: P,
) =>
  Type.Object({
    ...blockId,
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    type: Type.Literal('instagramFeed'),
    uiInstagramFeed: described(
      'The photos to show: those of the Instagram account, or of the gallery.',
      Type.Object({
        count: described(
          'The number of photos shown.',
          Type.Integer({ minimum: 1, maximum: limits.socialPhotos }),
          {
            label: 'office.block.count',
            initial: 8,
          },
        ),
        numberPerRow: described('Photos in a row.', Type.Integer({ minimum: 1, maximum: 6, default: 4 }), {
          label: 'office.block.perRow',
        }),
      }),
    ),
    ...loaded,
  });

const stored = schema(storedForm, {});
type Stored = Static<typeof stored>;

export const instagramFeed = defineBlock({
  stored,
  shown: schema(shownForm, { photos: Type.Array(SocialPhoto) }),
  load: (blocks: readonly Stored[], { photos }) =>
    photos(Math.max(...blocks.map(({ uiInstagramFeed }) => uiInstagramFeed.count))),
  present: (block, page, photos) => ({
    ...block,
    title: page.optionalText(block.title),
    photos: photos.slice(0, block.uiInstagramFeed.count),
  }),
});
