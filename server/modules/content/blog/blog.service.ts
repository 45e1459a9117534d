/** The blog (SPEC §2, §3): lists of posts, and posts. Everybody reads the same; who likes what is `likes.ts`. */

import { limits } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type {
  ArticlePart,
  Blog,
  BlogConfig,
  BlogPost,
  BlogPostList,
  BlogPostSummary,
  BlogTag,
  StoredArticlePart,
} from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { cachedByCatalogueVersion } from '#server/platform/cached-by-version.ts';
import { notFound } from '#server/platform/errors.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { picturesOf, shownParts } from './article.ts';
import { type BlogEditor, createBlogEditor } from './blog.editor.ts';
import {
  type BriefRow,
  countPosts,
  findPost,
  listedPosts,
  listPosts,
  neighbours,
  type PostFilter,
  partsOf,
  relatedPosts,
  tagsOf,
} from './blog.repository.ts';
import { createLikes, type LikesService } from './likes.ts';
import { type BlogWithTaxonomy, loadBlogs } from './taxonomy.ts';

export interface PostQuery {
  categoryName?: string | undefined;
  tagName?: string | undefined;
  /** Posts left out from the newest on; 0 unless said otherwise. */
  startingPosition?: number | undefined;
  numberToLoad?: number | undefined;
}

/** A post as a sitemap lists it. Times in epoch ms. */
export interface ListedPost {
  link: string;
  image: ImageInfo | null;
  publishedAt: number;
  updatedAt: number;
}

export interface BlogService {
  /** The main one first; none where the shop has no blog. */
  blogs(locale: Locale): Promise<Blog[]>;
  /** This and the following throw 404 for a blog, category, tag or post there is none of, or not yet. */
  blog(id: string, locale: Locale): Promise<Blog>;
  config(id: string): Promise<BlogConfig>;
  tags(id: string): Promise<BlogTag[]>;
  posts(blogId: string, query: PostQuery, locale: Locale): Promise<BlogPostList>;
  post(link: string, locale: Locale): Promise<BlogPost>;
  /** The newest posts of the main blog with all they say, for feeds. */
  articles(count: number, locale: Locale): Promise<(BlogPostSummary & { updatedAt: number; parts: ArticlePart[] })[]>;
  /** What a page's block of excerpts shows (SPEC §3); a collection that is gone has none. */
  excerpts(collection: Excerpts, locale: Locale): Promise<BlogPostSummary[]>;
  /** Everything a sitemap lists: posts, the newest first, and the categories and tags that have any. */
  listed(): Promise<{ posts: ListedPost[]; categories: string[]; tags: string[] }>;
  likes: LikesService;
  editor: BlogEditor;
}

export interface Excerpts {
  /** 'category' and 'tag' name one in `collectionName`; anything else is all posts. */
  collectionType: string;
  collectionName: string;
  quantity: number;
}

const relatedShown = 3;

export function createBlogService(deps: {
  db: Database;
  now: () => number;
  media: MediaService;
  stores: StoresService;
  attempts: RateLimitsService;
}): BlogService {
  const { db, media, stores } = deps;
  const allBlogs = cachedByCatalogueVersion(db, () => loadBlogs(db.catalogue));

  async function factsOf(id: string): Promise<BlogWithTaxonomy> {
    const facts = (await allBlogs()).get(id);
    if (!facts) throw notFound();
    return facts;
  }

  async function mainBlog(): Promise<BlogWithTaxonomy | undefined> {
    const [first] = (await allBlogs()).values();
    return first;
  }

  async function summaries(rows: readonly BriefRow[], locale: Locale): Promise<BlogPostSummary[]> {
    const files = rows.flatMap(({ image }) => image ?? []);
    const [blogs, zone, images, tags] = await Promise.all([
      allBlogs(),
      stores.timeZone(),
      media.images(files),
      tagsOf(
        db.catalogue,
        rows.map(({ id }) => id),
      ),
    ]);
    const text = (json: string) => inLocale(JSON.parse(json) as LocalText, locale);
    return rows.map((row): BlogPostSummary => {
      const blog = blogs.get(row.blog_id);
      const category = row.category_id === null ? undefined : blog?.categories.get(row.category_id);
      const author = row.author === null ? null : (JSON.parse(row.author) as { name: LocalText; role: LocalText });
      const minutes = JSON.parse(row.reading_minutes) as Partial<Record<Locale, number>> & { en: number };
      return {
        id: row.id,
        link: row.link,
        title: text(row.title),
        excerpt: text(row.excerpt),
        image: (row.image !== null && images.get(row.image)) || null,
        author: author && { name: inLocale(author.name, locale), role: inLocale(author.role, locale) },
        publishedAt: row.published_at,
        publishedOn: wallClock(row.published_at, zone).date,
        readingMinutes: minutes[locale] ?? minutes.en,
        likes: row.likes,
        blogCategory: category ? { blogCategoryName: category.id, nameContent: category.name } : null,
        tags: (tags.get(row.id) ?? []).flatMap((id) => {
          const tag = blog?.tags.get(id);
          return tag ? [{ name: id, nameContent: tag.name }] : [];
        }),
        associatedStoreBlog: { id: row.blog_id },
      };
    });
  }

  async function articleOf(json: string, locale: Locale): Promise<ArticlePart[]> {
    const parts = JSON.parse(json) as StoredArticlePart[];
    const images = await media.images(picturesOf(parts));
    return shownParts(parts, locale, (file) => images.get(file));
  }

  async function list(
    filter: PostFilter,
    { startingPosition = 0, numberToLoad = limits.blogPageSize }: PostQuery,
    locale: Locale,
  ) {
    return summaries(await listPosts(db.catalogue, filter, { from: startingPosition, count: numberToLoad }), locale);
  }

  return {
    async blogs(locale) {
      return [...(await allBlogs()).values()].map((facts) => blogOf(facts, locale));
    },
    blog: async (id, locale) => blogOf(await factsOf(id), locale),
    async config(id) {
      const { enableUserLike, enableGuestLike } = await factsOf(id);
      return { enableUserLike, enableGuestLike };
    },
    async tags(id) {
      const { tags } = await factsOf(id);
      return [...tags.values()]
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count)
        .map(({ id: name, name: nameContent, count }) => ({ name, nameContent, count }));
    },
    async posts(blogId, query, locale) {
      const { categories, tags } = await factsOf(blogId);
      const { categoryName, tagName } = query;
      if (categoryName !== undefined && !categories.has(categoryName)) throw notFound();
      if (tagName !== undefined && !tags.has(tagName)) throw notFound();
      const filter = { blogId, categoryId: categoryName, tagId: tagName };
      const [posts, count] = await Promise.all([list(filter, query, locale), countPosts(db.catalogue, filter)]);
      return { posts, count };
    },
    async post(link, locale) {
      const row = await findPost(db.catalogue, link);
      if (!row) throw notFound();
      const tagIds = (await tagsOf(db.catalogue, [row.id])).get(row.id) ?? [];
      const [related, { older, newer }, parts] = await Promise.all([
        relatedPosts(db.catalogue, row, tagIds, relatedShown),
        neighbours(db.catalogue, row),
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
    },
    async articles(count, locale) {
      const blog = await mainBlog();
      if (!blog) return [];
      const rows = await listPosts(db.catalogue, { blogId: blog.id }, { from: 0, count });
      const stored = await partsOf(
        db.catalogue,
        rows.map(({ id }) => id),
      );
      const posts = await summaries(rows, locale);
      return Promise.all(
        rows.map(async (row, index) => {
          // One summary for each row, in their order.
          const summary = posts[index] as BlogPostSummary;
          return { ...summary, updatedAt: row.updated_at, parts: await articleOf(stored.get(row.id) ?? '[]', locale) };
        }),
      );
    },
    async excerpts({ collectionType, collectionName, quantity }, locale) {
      const blog = await mainBlog();
      if (!blog) return [];
      const filter: PostFilter = { blogId: blog.id };
      if (collectionType === 'category') filter.categoryId = collectionName;
      if (collectionType === 'tag') filter.tagId = collectionName;
      return list(filter, { numberToLoad: quantity }, locale);
    },
    async listed() {
      const [rows, blogs] = await Promise.all([listedPosts(db.catalogue), allBlogs()]);
      const images = await media.images(rows.flatMap(({ image }) => image ?? []));
      const main = [...blogs.values()][0];
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
    },
    likes: createLikes(deps),
    editor: createBlogEditor(deps),
  };
}

function blogOf({ id, name, description, categories, count }: BlogWithTaxonomy, locale: Locale): Blog {
  return {
    id,
    nameContent: name,
    description: inLocale(description, locale),
    categories: [...categories.values()].map((category) => ({
      blogCategoryName: category.id,
      nameContent: category.name,
      description: inLocale(category.description, locale),
      count: category.count,
    })),
    count,
  };
}
