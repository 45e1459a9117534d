import type { BlockContext, BlockSources } from '#blocks/define-block.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Block, BlockType, StoredBlock } from '#contract/schemas/blocks.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService, Videos } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { blockRichText, shownHtml } from '../blocks/rich-text.ts';
import { definitionOf } from '../blocks/validate-blocks.ts';
import type { BlogService } from '../blog/blog.service.ts';
import type { FeedReader } from '../feeds/feed-reader.service.ts';
import type { PhotographsService } from '../photographs/photographs.service.ts';

/** The blocks in the page's language. Images are loaded for all blocks at once, lists once per type. */
export async function presentBlocks(blocks: readonly StoredBlock[], locale: Locale, services: SourceServices): Promise<Block[]> {
  const files = blocks.flatMap((block) => definitionOf(block.type)?.pictures?.(block, blockRichText) ?? []);
  const [images, loaded] = await Promise.all([services.media.images(files), loadByType(blocks, locale, services)]);
  const image = (file: string) => images.get(file);
  const page: BlockContext = {
    locale,
    text: (text) => inLocale(text, locale),
    optionalText: (text) => (text === null ? null : inLocale(text, locale)),
    image,
    richText: (html) => shownHtml(html, locale, image),
  };
  return blocks.flatMap((block) => definitionOf(block.type)?.present(block, page, loaded.get(block.type)) ?? []);
}

async function loadByType(
  blocks: readonly StoredBlock[],
  locale: Locale,
  services: SourceServices,
): Promise<ReadonlyMap<BlockType, unknown>> {
  const sources = createBlockSources(locale, services);
  const types = [...new Set(blocks.map(({ type }) => type))];
  return new Map(
    await Promise.all(
      types.map(async (type) => {
        const ofType = blocks.filter((block) => block.type === type);
        return [type, await definitionOf(type)?.load?.(ofType, sources)] as const;
      }),
    ),
  );
}

export interface SourceServices {
  catalogue: CatalogueService;
  stores: Pick<StoresService, 'open'>;
  media: MediaService;
  films: Videos;
  blog: Pick<BlogService, 'excerpts'>;
  feeds: FeedReader;
  social: PhotographsService;
}

/** Feeds and photos are the last stored ones: a page never waits for another site. */
function createBlockSources(locale: Locale, { catalogue, stores, films, blog, feeds, social }: SourceServices): BlockSources {
  return {
    products: (filter, list) => catalogue.summaries(filter, list, locale).catch(emptyIfMissing),
    posts: (collection) => blog.excerpts(collection, locale).catch(emptyIfMissing),
    stores: () => stores.open(locale),
    feeds: (urls) => feeds.known(urls, locale),
    photos: (count) => social.recent(locale, count),
    videoAddress: (file) => films.address(file),
  };
}

function emptyIfMissing(error: unknown): never[] {
  if (error instanceof AppError && error.errorType === 'NOT_FOUND') return [];
  throw error;
}
