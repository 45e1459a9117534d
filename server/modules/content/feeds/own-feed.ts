/** Presents the shop's own blog as a feed for its pages, read from the database and not over the network. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Feed } from '#contract/schemas/feeds.ts';
import type { BlogService } from '../blog/blog.service.ts';
import { shortened } from './plain-text.ts';

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
