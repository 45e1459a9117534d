/** The shop's own blog as a feed that its own pages show: read where it is written, not over the network. */
import type { Locale } from '#contract/locales.ts';
import type { Feed } from '#contract/schemas/feeds.ts';
import type { BlogService } from '../blog/blog.service.ts';
import { shortened } from './plain-text.ts';

const ownFeeds = /^\/blog\/(?:feed|atom)\.xml$/;
const summaryLength = 240;

/** Null for any other path. Links are paths of the shop, without language. */
export function createOwnFeed(blog: Pick<BlogService, 'excerpts'>) {
  return async (path: string, locale: Locale, count: number): Promise<Feed | null> => {
    if (!ownFeeds.test(path)) return null;
    const posts = await blog.excerpts({ collectionType: 'all', collectionName: '', quantity: count }, locale);
    const entries = posts.map(({ title, link, excerpt, publishedOn }) => ({
      title,
      link: `/blog/post/${encodeURIComponent(link)}`,
      summary: shortened(excerpt, summaryLength),
      // What shows a feed tells days by UTC. These posts have a day of their own, the shop's.
      publishedAt: Date.parse(`${publishedOn}T12:00:00Z`),
    }));
    return { title: '', link: '/blog', entries };
  };
}
