/** Loads the data that page blocks list from the services that own it. */
import type { BlockSources } from '#blocks/define-block.ts';
import type { Locale } from '#contract/locales.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService, Videos } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { BlogService } from '../blog/blog.service.ts';
import type { FeedReader } from '../feeds/feed-reader.service.ts';
import type { PhotographsService } from '../photographs/photographs.service.ts';

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
export function createBlockSources(
  locale: Locale,
  { catalogue, stores, films, blog, feeds, social }: SourceServices,
): BlockSources {
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
