/** Reads single posts in full for their pages, feeds and sitemaps. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { ArticlePart, BlogPost, BlogPostSummary } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { findPost, listedPosts, listPosts, neighbours, partsOf, relatedPosts, tagsOf } from './blog.repository.ts';
import type { createPostPresenter } from './post-presenter.ts';
import type { BlogWithTaxonomy } from './taxonomy.ts';

const relatedShown = 3;

/** A post with its parts, for feeds. `updatedAt` is epoch ms. */
export type Article = BlogPostSummary & { updatedAt: number; parts: ArticlePart[] };

/** A post for a sitemap. Times in epoch ms. */
export interface ListedPost {
  link: string;
  image: ImageInfo | null;
  publishedAt: number;
  updatedAt: number;
}

/** Everything of the blog that a sitemap lists: posts, newest first, and the categories and tags that have posts. */
export interface ListedContent {
  posts: ListedPost[];
  categories: string[];
  tags: string[];
}

export interface PostsDeps {
  db: Database;
  media: MediaService;
  presenter: ReturnType<typeof createPostPresenter>;
  /** The main blog; undefined if the shop has none. */
  mainBlog: () => Promise<BlogWithTaxonomy | undefined>;
}

export function createPosts(deps: PostsDeps) {
  const { db, presenter, mainBlog } = deps;
  const { summaries, articleOf } = presenter;

  /** @throws {AppError} 404 for an unknown or unpublished post */
  async function post(link: string, locale: Locale): Promise<BlogPost> {
    const row = await findPost(db.read, link);
    if (!row) throw notFound();
    const tagIds = (await tagsOf(db.read, [row.id])).get(row.id) ?? [];
    const [related, { older, newer }, parts] = await Promise.all([
      relatedPosts(db.read, row, tagIds, relatedShown),
      neighbours(db.read, row),
      articleOf(row.parts, locale),
    ]);
    const [summary, ...others] = await summaries([row, ...related], locale);
    if (!summary) throw new Error(`No summary of ${link}`);
    const linkOf = (post: typeof older) => (post ? { link: post.link, title: inLocale(JSON.parse(post.title), locale) } : null);
    return {
      ...summary,
      updatedAt: row.updated_at,
      blogPage: { parts },
      related: others,
      previous: linkOf(older),
      next: linkOf(newer),
    };
  }

  /** The newest posts of the main blog in full, for feeds. */
  async function articles(count: number, locale: Locale): Promise<Article[]> {
    const blog = await mainBlog();
    if (!blog) return [];
    const rows = await listPosts(db.read, { blogId: blog.id }, { from: 0, count });
    const stored = await partsOf(
      db.read,
      rows.map(({ id }) => id),
    );
    const posts = await summaries(rows, locale);
    return Promise.all(
      rows.map(async (row, index) => {
        // One summary per row, in the same order.
        const summary = posts[index] as BlogPostSummary;
        return { ...summary, updatedAt: row.updated_at, parts: await articleOf(stored.get(row.id) ?? '[]', locale) };
      }),
    );
  }

  return { post, articles, listed: () => listedContent(deps) };
}

async function listedContent({ db, media, mainBlog }: PostsDeps): Promise<ListedContent> {
  const [rows, main] = await Promise.all([listedPosts(db.read), mainBlog()]);
  const images = await media.images(rows.flatMap(({ image }) => image ?? []));
  const withPosts = (facts: Iterable<{ id: string; count: number }> = []) =>
    [...facts].filter(({ count }) => count > 0).map(({ id }) => id);
  return {
    posts: rows.map(({ link, image, published_at, updated_at }) => ({
      link,
      image: (image !== null && images.get(image)) || null,
      publishedAt: published_at,
      updatedAt: updated_at,
    })),
    categories: withPosts(main?.categories.values()),
    tags: withPosts(main?.tags.values()),
  };
}
