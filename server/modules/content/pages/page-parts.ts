/** What the blocks of a page show besides what they hold, loaded for all of them at once. */
import type { Locale, LocalText } from '#contract/locales.ts';
import { inLocale } from '#contract/locales.ts';
import type { StoredBlock, StoredBlockOf } from '#contract/schemas/blocks.ts';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService, Videos } from '#server/modules/media/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { BlogService } from '../blog/blog.service.ts';
import type { FeedReader } from '../feeds/feed-reader.service.ts';
import type { PhotographsService } from '../photographs/photographs.service.ts';
import { type BlockParts, collectionFilter, picturesOf } from './blocks.ts';

export interface PartSources {
  catalogue: CatalogueService;
  media: MediaService;
  films: Videos;
  blog: Pick<BlogService, 'excerpts'>;
  feeds: FeedReader;
  social: PhotographsService;
}

/** Nothing here waits for another site: feeds and photographs are as they were last read. */
export async function loadParts(blocks: readonly StoredBlock[], locale: Locale, sources: PartSources): Promise<BlockParts> {
  const { catalogue, media, films, blog, feeds, social } = sources;
  const photoCounts = ofType(blocks, 'instagramFeed').map(({ uiInstagramFeed }) => uiInstagramFeed.count);
  const urls = ofType(blocks, 'rssFeed').map(({ uiRssFeed }) => uiRssFeed.url);
  const [images, products, posts, known, photos, addresses] = await Promise.all([
    media.images(picturesOf(blocks)),
    eachOf(blocks, 'productList', ({ uiAttribute }) => {
      const { number, sortby } = uiAttribute;
      return catalogue.summaries(collectionFilter(uiAttribute), { sortby, numberToLoad: number }, locale);
    }),
    eachOf(blocks, 'blog', (block) => blog.excerpts(block.blog, locale)),
    urls.length > 0 ? feeds.known(urls, locale) : new Map(),
    photoCounts.length > 0 ? social.recent(locale, Math.max(...photoCounts)) : [],
    filmAddresses(blocks, films),
  ]);
  return {
    locale,
    text: (text: LocalText) => inLocale(text, locale),
    image: (file) => images.get(file),
    products: (block) => (products.get(block) as ProductSummary[] | undefined) ?? [],
    posts: (block) => (posts.get(block) as BlogPostSummary[] | undefined) ?? [],
    entries: (url) => known.get(url)?.entries ?? null,
    photos,
    film: (file) => addresses.get(file) ?? null,
  };
}

function ofType<T extends StoredBlock['type']>(blocks: readonly StoredBlock[], type: T): StoredBlockOf<T>[] {
  return blocks.filter((block): block is StoredBlockOf<T> => block.type === type);
}

/** What each block of a type lists; a collection that is gone has nothing. */
async function eachOf<T extends StoredBlock['type'], V>(
  blocks: readonly StoredBlock[],
  type: T,
  load: (block: StoredBlockOf<T>) => Promise<V[]>,
): Promise<Map<StoredBlock, V[]>> {
  const loaded = await Promise.all(
    ofType(blocks, type).map(async (block) => [block as StoredBlock, await load(block).catch(noneWhereGone)] as const),
  );
  return new Map<StoredBlock, V[]>(loaded);
}

function noneWhereGone(error: unknown): never[] {
  if (error instanceof AppError && error.errorType === 'NOT_FOUND') return [];
  throw error;
}

async function filmAddresses(blocks: readonly StoredBlock[], films: Videos): Promise<Map<string, string | null>> {
  const files = ofType(blocks, 'video')
    .filter(({ provider }) => provider === 'file')
    .flatMap(({ src, captions }) => [src, ...captions.map((track) => track.src)]);
  return new Map(await Promise.all(files.map(async (file) => [file, await films.address(file)] as const)));
}
