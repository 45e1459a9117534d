/** Reads the blog (SPEC §2, §3): lists of posts and single posts, the same for every caller; `likes.ts` knows who likes what. */
import { limits } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { BlogPostList, BlogPostSummary } from '#contract/schemas/blog.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { countPosts, listPosts, type PostFilter } from './blog.repository.ts';
import { createBlogEditor } from './blog-editor.ts';
import { createBlogs } from './blogs.ts';
import { createLikes } from './likes.ts';
import { createPostPresenter, createPosts } from './posts.ts';

export interface PostQuery {
  categoryName?: string | undefined;
  tagName?: string | undefined;
  /** Posts to skip, from the newest; the default is 0. */
  startingPosition?: number | undefined;
  numberToLoad?: number | undefined;
}

export interface Excerpts {
  /** 'category' and 'tag' refer to `collectionName`; any other value selects all posts. */
  collectionType: string;
  collectionName: string;
  quantity: number;
}

export interface BlogDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  stores: StoresService;
  catalogue: Pick<CatalogueService, 'cards'>;
  attempts: RateLimitsService;
}

export type BlogService = ReturnType<typeof createBlogService>;

/** The methods for one blog, category, tag or post throw 404 if it is unknown or unpublished. */
export function createBlogService(deps: BlogDeps) {
  const { db } = deps;
  const { loadBlog, mainBlog, ...blogs } = createBlogs(deps);
  const { allBlogs } = blogs;
  const presenter = createPostPresenter({ ...deps, allBlogs });

  async function list(
    filter: PostFilter,
    { startingPosition = 0, numberToLoad = limits.blogPageSize }: PostQuery,
    locale: Locale,
  ) {
    return presenter.summaries(
      await listPosts(db.read, filter, { from: startingPosition, count: numberToLoad }),
      locale,
    );
  }

  return {
    ...blogs,
    ...createPosts({ ...deps, presenter, mainBlog }),

    async posts(blogId: string, query: PostQuery, locale: Locale): Promise<BlogPostList> {
      const { categories, tags } = await loadBlog(blogId);
      const { categoryName, tagName } = query;
      if (categoryName !== undefined && !categories.has(categoryName)) throw notFound();
      if (tagName !== undefined && !tags.has(tagName)) throw notFound();
      const filter = { blogId, categoryId: categoryName, tagId: tagName };
      const [posts, count] = await Promise.all([list(filter, query, locale), countPosts(db.read, filter)]);
      return { posts, count };
    },

    /** The posts of a page's excerpts block (SPEC §3); empty if the collection no longer exists. */
    async excerpts(
      { collectionType, collectionName, quantity }: Excerpts,
      locale: Locale,
    ): Promise<BlogPostSummary[]> {
      const blog = await mainBlog();
      if (!blog) return [];
      const filter: PostFilter = { blogId: blog.id };
      if (collectionType === 'category') filter.categoryId = collectionName;
      if (collectionType === 'tag') filter.tagId = collectionName;
      return list(filter, { numberToLoad: quantity }, locale);
    },

    likes: createLikes(deps),
    editor: createBlogEditor(deps),
  };
}
