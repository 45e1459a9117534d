/** Generates the blog's RSS 2.0 and Atom feeds: the newest posts in full, in one language. */
import { inLocale, type Locale, locales, localizePath } from '#contract/locales.ts';
import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { escapeHtml, withoutInvalidXml } from '#server/platform/html.ts';
import type { BlogService } from './blog.service.ts';

/** Posts in a feed: enough for a reader who rarely checks a shop that posts weekly. */
const postsInFeed = 20;

export type FeedFormat = 'rss' | 'atom';

export interface FeedsDeps {
  blog: BlogService;
  settings: SettingsService;
}

export type FeedsService = ReturnType<typeof createFeedsService>;

export const feedTypes: Record<FeedFormat, string> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
};

export const feedPaths: Record<FeedFormat, string> = { rss: '/blog/feed.xml', atom: '/blog/atom.xml' };

export function createFeedsService(deps: FeedsDeps) {
  return {
    /** The feed as XML; null if the shop has no blog. `origin` is scheme and host of the shop. */
    async feed(format: FeedFormat, locale: Locale, origin: string): Promise<string | null> {
      const contents = await feedContents(deps, locale, origin);
      if (!contents) return null;
      return format === 'rss' ? rss(contents) : atom(contents);
    },
  };
}

/** What both formats say, as text that XML can represent; null if the shop has no blog. */
async function feedContents({ blog, settings }: FeedsDeps, locale: Locale, origin: string) {
  const [[main], posts, { shopName }] = await Promise.all([
    blog.blogs(locale),
    blog.articles(postsInFeed, locale),
    settings.all(),
  ]);
  if (!main) return null;
  const address = (path: string) => origin + localizePath(path, locale);
  return {
    title: clean(inLocale(main.nameContent, locale)),
    description: clean(main.description) || clean(inLocale(main.nameContent, locale)),
    shopName: clean(inLocale(shopName, locale)),
    language: locales[locale].tag,
    address,
    home: address('/blog'),
    // The feed of an empty blog has the oldest possible date.
    updated: new Date(
      Math.max(0, ...posts.map(({ updatedAt, publishedAt }) => Math.max(updatedAt, publishedAt))),
    ),
    posts: posts.map((post) => ({
      link: address(`/blog/post/${post.link}`),
      title: clean(post.title),
      excerpt: clean(post.excerpt),
      html: clean(articleHtml(post, origin, locale)),
      author: clean(post.author?.name ?? ''),
      categories: [...(post.blogCategory ? [post.blogCategory] : []), ...post.tags].map((each) => ({
        term: 'name' in each ? each.name : each.blogCategoryName,
        label: clean(inLocale(each.nameContent, locale)),
      })),
      published: new Date(post.publishedAt),
      updated: new Date(Math.max(post.updatedAt, post.publishedAt)),
    })),
  };
}

type FeedContents = NonNullable<Awaited<ReturnType<typeof feedContents>>>;

async function rss({
  title,
  description,
  language,
  address,
  home,
  updated,
  posts,
}: FeedContents): Promise<string> {
  const { generateRssFeed } = await import('feedsmith');
  return generateRssFeed({
    title,
    link: home,
    description,
    language,
    lastBuildDate: updated,
    atom: { links: [{ href: address(feedPaths.rss), rel: 'self', type: feedTypes.rss }] },
    items: posts.map((post) => ({
      title: post.title,
      link: post.link,
      guid: { value: post.link, isPermaLink: true },
      description: post.excerpt,
      content: { encoded: post.html },
      ...(post.author ? { dc: { creators: [post.author] } } : {}),
      categories: post.categories.map(({ label }) => ({ name: label })),
      pubDate: post.published,
    })),
  });
}

async function atom({
  title,
  description,
  shopName,
  language,
  address,
  home,
  updated,
  posts,
}: FeedContents): Promise<string> {
  const { generateAtomFeed } = await import('feedsmith');
  return generateAtomFeed({
    xml: { lang: language },
    id: home,
    title: { value: title },
    subtitle: { value: description },
    updated,
    authors: [{ name: shopName }],
    links: [
      { href: home, rel: 'alternate', type: 'text/html', hreflang: language },
      { href: address(feedPaths.atom), rel: 'self', type: feedTypes.atom },
    ],
    entries: posts.map((post) => ({
      id: post.link,
      title: { value: post.title },
      links: [{ href: post.link, rel: 'alternate', type: 'text/html' }],
      published: post.published,
      updated: post.updated,
      ...(post.author ? { authors: [{ name: post.author }] } : {}),
      categories: post.categories,
      summary: { value: post.excerpt },
      content: { value: post.html, type: 'html' },
    })),
  });
}

/** Removes characters that XML cannot represent, and ends of CDATA sections. */
function clean(text: string): string {
  return withoutInvalidXml(text.toWellFormed()).replaceAll(']]>', ']] >');
}

interface HtmlArticle {
  image: ImageInfo | null;
  title: string;
  parts: readonly ArticlePart[];
}

/** URLs start with `origin`, since feeds are read on other sites. */
function articleHtml({ image, title, parts }: HtmlArticle, origin: string, locale: Locale): string {
  const cover = image ? `<p>${picture(image, title, origin)}</p>` : '';
  return cover + parts.map((part) => partHtml(part, origin, locale)).join('');
}

function partHtml(part: ArticlePart, origin: string, locale: Locale): string {
  switch (part.type) {
    case 'paragraph':
      return `<p>${escapeHtml(part.text)}</p>`;
    case 'heading':
      return `<h${part.level}>${escapeHtml(part.text)}</h${part.level}>`;
    case 'image': {
      const caption = part.caption ? `<figcaption>${escapeHtml(part.caption)}</figcaption>` : '';
      return `<figure>${picture(part.image, part.alt, origin)}${caption}</figure>`;
    }
    case 'list': {
      const tag = part.ordered ? 'ol' : 'ul';
      return `<${tag}>${part.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</${tag}>`;
    }
    case 'quote': {
      const source = part.source ? `<footer>${escapeHtml(part.source)}</footer>` : '';
      return `<blockquote><p>${escapeHtml(part.text)}</p>${source}</blockquote>`;
    }
    case 'html':
      // Sanitised already. Links into the shop and its images become absolute, and each image has a single size.
      return part.html
        .replaceAll(/ (?:srcset|sizes|loading)="[^"]*"/g, '')
        .replaceAll(/ (href|src)="\//g, (_, name) => ` ${name}="${escapeHtml(origin)}/`);
    case 'product': {
      const address = origin + localizePath(`/product/${encodeURIComponent(part.product.id)}`, locale);
      return `<p><a href="${escapeHtml(address)}">${escapeHtml(inLocale(part.product.nameContent, locale))}</a></p>`;
    }
  }
}

function picture({ imageURL, width, height }: ImageInfo, alt: string, origin: string): string {
  return `<img src="${escapeHtml(origin + imageURL)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`;
}
