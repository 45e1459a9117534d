/** Reads the blog (SPEC §2, §3): lists of posts and single posts, the same for every caller; `likes.ts` knows who likes what. */

import { limits } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Blog, BlogConfig, BlogPost, BlogPostList, BlogPostSummary, BlogTag } from '#contract/schemas/blog.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { notFound } from '#server/platform/errors.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { topics } from '#server/platform/topics.ts';
import { type BlogEditor, createBlogEditor } from './blog.editor.ts';
import { anyBlog, countPosts, listPosts, type PostFilter } from './blog.repository.ts';
import { createLikes, type LikesService } from './likes.ts';
import { createPostPresenter } from './post-presenter.ts';
import { type Article, createPosts, type ListedContent } from './posts.ts';
import { type BlogWithTaxonomy, loadBlogs } from './taxonomy.ts';

export interface PostQuery {
  categoryName?: string | undefined;
  tagName?: string | undefined;
  /** Posts to skip, from the newest; the default is 0. */
  startingPosition?: number | undefined;
  numberToLoad?: number | undefined;
}

export interface BlogService {
  /** The main blog first; empty if the shop has no blog. */
  blogs(locale: Locale): Promise<Blog[]>;
  /** Whether there is a blog, with posts or without. */
  hasBlogs(): Promise<boolean>;
  /** This and the following methods throw 404 for an unknown or unpublished blog, category, tag or post. */
  blog(id: string, locale: Locale): Promise<Blog>;
  config(id: string): Promise<BlogConfig>;
  tags(id: string): Promise<BlogTag[]>;
  posts(blogId: string, query: PostQuery, locale: Locale): Promise<BlogPostList>;
  post(link: string, locale: Locale): Promise<BlogPost>;
  /** The newest posts of the main blog in full, for feeds. */
  articles(count: number, locale: Locale): Promise<Article[]>;
  /** The posts of a page's excerpts block (SPEC §3); empty if the collection no longer exists. */
  excerpts(collection: Excerpts, locale: Locale): Promise<BlogPostSummary[]>;
  /** Everything a sitemap lists: posts, newest first, and the categories and tags that have posts. */
  listed(): Promise<ListedContent>;
  likes: LikesService;
  editor: BlogEditor;
}

export interface Excerpts {
  /** 'category' and 'tag' refer to `collectionName`; any other value selects all posts. */
  collectionType: string;
  collectionName: string;
  quantity: number;
}

export function createBlogService(deps: {
  db: Database;
  now: () => number;
  media: MediaService;
  stores: StoresService;
  catalogue: Pick<CatalogueService, 'cards'>;
  attempts: RateLimitsService;
}): BlogService {
  const { db } = deps;
  // Whatever shows posts shows their blog as well, so this records both.
  const allBlogs = cachedByTopics(db, [topics.blogs, topics.posts], () => loadBlogs(db.catalogue));
  const hasBlogs = cachedByTopics(db, [topics.blogs], () => anyBlog(db.catalogue));
  const presenter = createPostPresenter({ ...deps, allBlogs });

  async function factsOf(id: string): Promise<BlogWithTaxonomy> {
    const facts = (await allBlogs()).get(id);
    if (!facts) throw notFound();
    return facts;
  }

  async function mainBlog(): Promise<BlogWithTaxonomy | undefined> {
    const [first] = (await allBlogs()).values();
    return first;
  }

  async function list(
    filter: PostFilter,
    { startingPosition = 0, numberToLoad = limits.blogPageSize }: PostQuery,
    locale: Locale,
  ) {
    return presenter.summaries(await listPosts(db.catalogue, filter, { from: startingPosition, count: numberToLoad }), locale);
  }

  return {
    async blogs(locale) {
      return [...(await allBlogs()).values()].map((facts) => blogOf(facts, locale));
    },
    hasBlogs,
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
    ...createPosts({ ...deps, presenter, mainBlog }),
    async excerpts({ collectionType, collectionName, quantity }, locale) {
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
