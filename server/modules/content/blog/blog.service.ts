/** Reads the blog (SPEC §2, §3): lists of posts and single posts, the same for every caller; `likes.ts` knows who likes what. */
import { randomUUID } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import type { BlogPostList, BlogPostSummary } from '#contract/schemas/blog.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { InputError, notFound } from '#server/platform/errors.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { readingByLocale, validateParts } from './article.ts';
import { countPosts, listPosts, type PostFilter } from './blog.repository.ts';
import {
  anyDue,
  type BlogRows,
  blogsOfPosts,
  knownNames,
  type PostValues,
  putBlog,
  putPost,
  release,
} from './blog-editor.repository.ts';
import { type BlogInput, blogProblems, type PostInput, postProblems } from './blog-input.ts';
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
  const { allBlogs, loadBlog, mainBlog, ...blogs } = createBlogs(deps);
  const presenter = createPostPresenter({ ...deps, allBlogs });

  async function list(
    filter: PostFilter,
    { startingPosition = 0, numberToLoad = limits.blogPageSize }: PostQuery,
    locale: Locale,
  ) {
    return presenter.summaries(await listPosts(db.read, filter, { from: startingPosition, count: numberToLoad }), locale);
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
    async excerpts({ collectionType, collectionName, quantity }: Excerpts, locale: Locale): Promise<BlogPostSummary[]> {
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

/** Edits the blog. Each change is one transaction, visible on the next request. */
function createBlogEditor({ db, now }: { db: Database; now: () => number }) {
  async function upsertAll({ trx, note }: Change, blog: BlogInput | null, posts: readonly PostInput[]): Promise<void> {
    const problems = await problemsIn(trx, blog, posts);
    if (problems.length > 0) throw new InputError(problems);
    if (blog) {
      const values = blogValues(blog);
      const before = await putBlog(trx, values);
      note('blog', blog.id, before && changedFields(before, values));
    }
    const at = now();
    for (const post of posts) {
      const values = postValues(post, at);
      const tags = [...new Set(post.tags)];
      const before = await putPost(trx, values, { newId: randomUUID(), at, tags, likes: post.likesBefore ?? 0 });
      note('post', post.link, before && changedFields(before, { ...values, tags }));
    }
    await recordCatalogueChange(trx, blog ? [topics.blogs, topics.posts] : [topics.posts]);
  }

  return {
    /** Everything that is wrong with a blog and posts that are to be written; empty if they can be. Images are not checked. */
    problemsOf: (blog: BlogInput | null, posts: readonly PostInput[]): Promise<Problem[]> => problemsIn(db.read, blog, posts),
    /** @throws {InputError} like the two methods below */
    upsertAll,
    /** Adds or changes a blog with its categories and tags. Categories and tags that are not named stay. */
    upsertBlog: (change: Change, blog: BlogInput): Promise<void> => upsertAll(change, blog, []),
    /** All or none. @throws {InputError} naming every problem of every post */
    upsertPosts: (change: Change, posts: readonly PostInput[]): Promise<void> => upsertAll(change, null, posts),
    /** Publishes the posts that are due; returns how many. Safe to run in several processes at once. */
    async release(): Promise<number> {
      // Usually nothing is due, which a read finds out without a transaction.
      if (!(await anyDue(db.read, now()))) return 0;
      return db.transaction(async (trx) => {
        const released = await release(trx, now());
        if (released > 0) await recordCatalogueChange(trx, [topics.posts]);
        return released;
      });
    },
  };
}

function blogValues({ id, name, description, enableUserLike, enableGuestLike, categories, tags }: BlogInput): BlogRows {
  return {
    blog: {
      id,
      name: JSON.stringify(name),
      description: JSON.stringify(description),
      enable_user_like: enableUserLike ? 1 : 0,
      enable_guest_like: enableGuestLike ? 1 : 0,
    },
    categories: categories.map((each) => ({
      id: each.id,
      name: JSON.stringify(each.name),
      description: JSON.stringify(each.description),
    })),
    tags: tags.map((each) => ({ id: each.id, name: JSON.stringify(each.name) })),
  };
}

function postValues(post: PostInput, at: number): PostValues {
  const { parts } = validateParts(post.parts);
  return {
    blog_id: post.blogId,
    link: post.link,
    category_id: post.category,
    title: JSON.stringify(post.title),
    excerpt: JSON.stringify(post.excerpt),
    author: post.author && JSON.stringify(post.author),
    image: post.image,
    parts: JSON.stringify(parts),
    reading_minutes: JSON.stringify(readingByLocale(parts)),
    published_at: post.publishedAt,
    released: post.publishedAt <= at ? 1 : 0,
  };
}

async function problemsIn(reader: Reader, blog: BlogInput | null, posts: readonly PostInput[]): Promise<Problem[]> {
  const invalid = [...(blog ? blogProblems(blog) : []), ...postProblems(posts)];
  // A reference that is not even a text cannot be looked up.
  if (posts.some(({ link }) => typeof link !== 'string')) return invalid;
  const known = await knownNames(reader);
  if (blog) {
    const { categories = new Set<string>(), tags = new Set<string>() } = known.get(blog.id) ?? {};
    for (const { id } of blog.categories) categories.add(id);
    for (const { id } of blog.tags) tags.add(id);
    known.set(blog.id, { categories, tags });
  }
  const owners = await blogsOfPosts(
    reader,
    posts.map(({ link }) => link),
  );
  return [...invalid, ...posts.flatMap((post) => referenceProblems(post, known, owners.get(post.link)))];
}

function referenceProblems(
  { link, blogId, category, tags }: PostInput,
  known: ReadonlyMap<string, { categories: ReadonlySet<string>; tags: ReadonlySet<string> }>,
  present: string | undefined,
): Problem[] {
  const blog = known.get(blogId);
  const unknown = (field: string, kind: Kind, id: string) =>
    problem(['posts', link, field], 'problem.reference', { kind, found: shown(id) });
  if (!blog) return [unknown('blogId', 'blog', blogId)];
  return [
    ...(present !== undefined && present !== blogId
      ? [problem(['posts', link], 'problem.post.otherBlog', { blog: present })]
      : []),
    ...(category !== null && !blog.categories.has(category) ? [unknown('category', 'category', category)] : []),
    ...tags.filter((tag) => !blog.tags.has(tag)).map((tag) => unknown('tags', 'tag', tag)),
  ];
}
