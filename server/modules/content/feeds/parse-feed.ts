/** Parses RSS, Atom, RDF and JSON feeds into the contract's shape: plain text, and links that are safe to follow. */
import { type AnyFeed, parseFeed as parse } from 'feedsmith';
import sanitizeHtml from 'sanitize-html';
import { limits } from '#contract/limits.ts';
import type { Feed, FeedEntry } from '#contract/schemas/feeds.ts';
import { escapeHtml, unescapeHtml } from '#server/platform/html.ts';
import { SafeFetchError } from '#server/platform/safe-fetch/pinned-request.ts';
import { shortened } from '#server/platform/text.ts';

/** The longest HTML that is processed, in characters: a feed may put a whole article into an excerpt. */
const longestHtml = 20_000;

const titleLength = 200;
const summaryLength = 240;
const longestUrl = 2000;
const latest = 8_640_000_000_000_000;

/** `base` is its URL, which relative links resolve against. @throws {SafeFetchError} if the text is not a feed */
export function parseFeed(text: string, base: string): Feed {
  // Feeds need no entities, and entity bombs are made of them. The parser expands none either.
  if (/<!ENTITY/i.test(text)) throw new SafeFetchError('a feed with entities of its own');
  const feed = raw(text);
  const entries = feed.entries
    .map((entry) => cleaned(entry, base))
    .filter(({ title, summary }) => title !== '' || summary !== '')
    // The sort is stable: entries without a date keep their order, after those with one.
    .sort((a, b) => (b.publishedAt ?? -1) - (a.publishedAt ?? -1))
    .slice(0, limits.feedEntries);
  return { title: plainText(feed.title, titleLength), link: safeLink(feed.link, base), entries };
}

interface RawEntry {
  title: string;
  link: string | undefined;
  summary: string;
  date: string | undefined;
}

interface RawFeed {
  title: string;
  link: string | undefined;
  entries: RawEntry[];
}

/** Many more than are shown, since the latest need not come first. */
const mostItems = 500;

function raw(text: string): RawFeed {
  let parsed: AnyFeed<string>;
  try {
    parsed = parse(text, { maxItems: mostItems });
  } catch {
    throw new SafeFetchError('not a feed');
  }
  switch (parsed.format) {
    case 'rss':
    case 'rdf': {
      const { title = '', link, items = [] } = parsed.feed;
      return {
        title,
        link,
        entries: items.map((item) => ({
          title: item.title ?? item.dc?.titles?.[0] ?? '',
          link:
            item.link ?? ('guid' in item && item.guid?.isPermaLink !== false ? item.guid?.value : undefined),
          summary: item.description ?? item.content?.encoded ?? '',
          date: ('pubDate' in item ? item.pubDate : undefined) ?? item.dc?.dates?.[0],
        })),
      };
    }
    case 'atom': {
      const { title, links = [], entries = [] } = parsed.feed;
      return {
        title: asHtml(title),
        link: alternate(links),
        entries: entries.map((entry) => ({
          title: asHtml(entry.title),
          link: alternate(entry.links ?? []),
          summary: asHtml(entry.summary ?? entry.content),
          date: entry.published ?? entry.updated,
        })),
      };
    }
    case 'json': {
      const { title = '', home_page_url, items = [] } = parsed.feed;
      return {
        title: escapeHtml(title),
        link: home_page_url,
        entries: items.map((item) => ({
          title: escapeHtml(item.title ?? ''),
          link: item.url ?? item.external_url,
          summary: item.summary
            ? escapeHtml(item.summary)
            : (item.content_html ?? escapeHtml(item.content_text ?? '')),
          date: item.date_published ?? item.date_modified,
        })),
      };
    }
  }
}

function cleaned({ title, link, summary, date }: RawEntry, base: string): FeedEntry {
  const at = date === undefined ? Number.NaN : Date.parse(date);
  return {
    title: plainText(title, titleLength),
    link: safeLink(link, base),
    summary: plainText(summary, summaryLength),
    publishedAt: at >= 0 && at <= latest ? at : null,
  };
}

/** Atom declares for each text whether it is HTML. */
function asHtml(text: { value?: string; type?: string } | undefined): string {
  const { value = '', type = 'text' } = text ?? {};
  return type === 'text' || type === 'text/plain' ? escapeHtml(value) : value;
}

function alternate(links: readonly { href?: string; rel?: string }[]): string | undefined {
  return links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;
}

/** Accepts http and https links only: no scripts, no other applications. */
function safeLink(link: string | undefined, base: string): string | null {
  const text = shortened(link ?? '', longestUrl);
  if (text === '' || !URL.canParse(text, base)) return null;
  const { protocol, href, username } = new URL(text, base);
  return (protocol === 'http:' || protocol === 'https:') && !username ? href : null;
}

/** The text of an HTML fragment, cut at `most` characters with an ellipsis. Scripts and styles are left out. */
function plainText(html: string, most: number): string {
  // Adds a space at the end of each block, so that words do not run together.
  const spaced = html.slice(0, longestHtml).replace(/<\/?(?:p|div|li|h[1-6]|br|tr|td|blockquote)\b/gi, ' $&');
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  return shortened(unescapeHtml(text), most);
}
