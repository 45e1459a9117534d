/** Reads the feeds that published blocks name, and no others (SPEC §7 `feed/read`). */
import { limits } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Feed } from '#contract/schemas/feeds.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import { shortened } from '#server/platform/text.ts';
import type { PublishedBlocks } from '../blocks/published-blocks.ts';
import type { BlogService } from '../blog/blog.service.ts';
import type {
  ExternalSourcesService,
  Reading,
  Validators,
} from '../external-sources/external-sources.service.ts';

/** The largest feed in bytes, both as sent and decompressed. */
export const feedBytes = 2 * 1024 * 1024;
const prefix = 'feed:';

export interface FeedReaderDeps {
  published: PublishedBlocks;
  sources: ExternalSourcesService;
  outside: SafeFetch;
  own(path: string, locale: Locale, count: number): Promise<Feed | null>;
}

export type FeedReader = ReturnType<typeof createFeedReader>;

export function createFeedReader({ published, sources, outside, own }: FeedReaderDeps) {
  const refreshOne = (url: string) =>
    sources.refresh(prefix + url, (validators) => readFeed(outside, url, validators));

  /** The stored feeds by URL, without a request. A feed that was never read is missing. */
  async function known(urls: readonly string[], locale: Locale): Promise<Map<string, Feed>> {
    const outer = urls.filter((url) => !isOwn(url));
    const values = await sources.values(outer.map((url) => prefix + url));
    const feeds = new Map([...values].map(([key, value]) => [key.slice(prefix.length), value as Feed]));
    for (const url of urls.filter(isOwn)) {
      const feed = await own(url, locale, limits.feedEntries);
      if (feed) feeds.set(url, feed);
    }
    return feeds;
  }

  return {
    known,
    /** Waits for its source only if never read. @throws {AppError} 404 if no published block names it, 503 if its source does not answer */
    async read(url: string, locale: Locale): Promise<Feed> {
      if (!(await published.feeds()).includes(url)) throw notFound();
      const stored = (await known([url], locale)).get(url);
      if (stored) return stored;
      if (!isOwn(url)) await refreshOne(url);
      const feed = (await known([url], locale)).get(url);
      if (!feed) throw new AppError('SYSTEM_ERROR', { errorKey: 'block.feedUnavailable', status: 503 });
      return feed;
    },
    /** Reads all feeds that are due. Safe to run in several processes at once. */
    async refresh(): Promise<void> {
      const urls = (await published.feeds()).filter((url) => !isOwn(url));
      await Promise.all(urls.map(refreshOne));
      await sources.keepOnly(
        prefix,
        urls.map((url) => prefix + url),
      );
    },
  };
}

async function readFeed(
  outside: SafeFetch,
  url: string,
  { etag, lastModified }: Validators,
): Promise<Reading> {
  const answer = await outside({
    url,
    accepts: isFeedType,
    maxBytes: feedBytes,
    headers: {
      accept:
        'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9',
      ...(etag ? { 'if-none-match': etag } : {}),
      ...(lastModified ? { 'if-modified-since': lastModified } : {}),
    },
  });
  const validators = {
    ...(typeof answer.headers.etag === 'string' ? { etag: answer.headers.etag.slice(0, 200) } : {}),
    ...(answer.headers['last-modified']
      ? { lastModified: answer.headers['last-modified'].slice(0, 100) }
      : {}),
  };
  if (answer.status === 304)
    return { value: null, validators: { etag, lastModified, ...validators } as Validators };
  // The parser is loaded with the first feed.
  const { parseFeed } = await import('./parse-feed.ts');
  return { value: parseFeed(feedText(answer.body, answer.contentType), answer.url), validators };
}

function isOwn(url: string): boolean {
  return url.startsWith('/');
}

/** Whether feeds are served as this media type. HTML is not accepted, whatever the document contains. */
function isFeedType(mediaType: string): boolean {
  return /^(?:application|text)\/(?:[a-z.-]+\+)?(?:xml|json)$/.test(mediaType) || mediaType === 'text/plain';
}

function feedText(bytes: Buffer, contentType: string): string {
  const head = bytes.subarray(0, 200).toString('latin1');
  const label =
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /^[^<>]*<\?xml[^<>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return decoder(label).decode(bytes);
}

function decoder(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

const ownFeeds = /^\/blog\/(?:feed|atom)\.xml$/;
const summaryLength = 240;

/** Returns null for any other path. Links are paths of the shop without a language. */
export function createOwnFeed(blog: Pick<BlogService, 'blogs' | 'excerpts'>) {
  return async (path: string, locale: Locale, count: number): Promise<Feed | null> => {
    if (!ownFeeds.test(path)) return null;
    const [[main], posts] = await Promise.all([
      blog.blogs(locale),
      blog.excerpts({ collectionType: 'all', collectionName: '', quantity: count }, locale),
    ]);
    const entries = posts.map(({ title, link, excerpt, publishedAt, publishedOn }) => ({
      title,
      link: `/blog/post/${encodeURIComponent(link)}`,
      summary: shortened(excerpt, summaryLength),
      publishedAt,
      publishedOn,
    }));
    return { title: main ? inLocale(main.nameContent, locale) : '', link: '/blog', entries };
  };
}
