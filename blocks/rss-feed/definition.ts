import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { limits } from '#contract/limits.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import { FeedEntry } from '#contract/schemas/feeds.ts';
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
    type: Type.Literal('rssFeed'),
    uiRssFeed: described(
      'The feed.',
      Type.Object({
        url: described(
          'The address of the feed: a web address, or a path within the shop.',
          Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://|^/(?!/)', maxLength: limits.feedUrlLength }),
          { label: 'office.block.feedUrl' },
        ),
        count: described(
          'The number of entries shown.',
          Type.Integer({ minimum: 1, maximum: limits.feedEntries }),
          {
            label: 'office.block.count',
            initial: 5,
          },
        ),
      }),
    ),
    ...loaded,
  });

const stored = schema(storedForm, {});
type Stored = Static<typeof stored>;

export const rssFeed = defineBlock({
  stored,
  /** `entries` is null if the feed has never been read; the browser then calls `readFeed`. */
  shown: schema(shownForm, { entries: Nullable(Type.Array(FeedEntry)) }),
  publish: ({ uiRssFeed }) => ({ feeds: [uiRssFeed.url] }),
  load: (blocks: readonly Stored[], { feeds }) => feeds(blocks.map(({ uiRssFeed }) => uiRssFeed.url)),
  present: (block, page, feeds) => ({
    ...block,
    title: page.optionalText(block.title),
    entries: feeds.get(block.uiRssFeed.url)?.entries.slice(0, block.uiRssFeed.count) ?? null,
  }),
});
