/** Edits the blog. Each change is one transaction with the catalogue version, visible on the next request. */
import { randomUUID } from 'node:crypto';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { validateParts } from './article.ts';
import { anyDue, type BlogRows, knownNames, type PostValues, putBlog, putPost, release } from './blog-editor.repository.ts';
import { BlogInput, BlogInputError, PostInput, shapeProblems } from './blog-input.ts';
import { readingByLocale } from './reading-time.ts';

/** Positions of the parts of a post that were left out, counted from 1. */
export interface PostReport {
  link: string;
  rejected: number[];
}

export interface BlogEditor {
  /**
   * Adds or changes a blog, if given, and its posts, in one transaction.
   * @throws {BlogInputError} like the two methods below
   */
  upsertAll(blog: BlogInput | null, posts: readonly PostInput[]): Promise<PostReport[]>;
  /** Adds or changes a blog with its categories and tags. Categories and tags that are not named stay. */
  upsertBlog(blog: BlogInput): Promise<void>;
  /**
   * Adds or changes posts, all or none.
   * @throws {BlogInputError} naming every invalid post
   */
  upsertPosts(posts: readonly PostInput[]): Promise<PostReport[]>;
  /** Publishes the posts that are due; returns how many. Safe to run in several processes at once. */
  release(): Promise<number>;
}

export function createBlogEditor({ db, now }: { db: Database; now: () => number }): BlogEditor {
  async function upsertAll(blog: BlogInput | null, posts: readonly PostInput[]): Promise<PostReport[]> {
    const malformed = [
      ...(blog ? shapeProblems(BlogInput, blog, 'blog') : []),
      ...posts.flatMap((post, index) => shapeProblems(PostInput, post, `post ${index + 1}`)),
    ];
    if (malformed.length > 0) throw new BlogInputError(malformed);
    const validated = posts.map((post) => ({ post, ...validateParts(post.parts) }));
    await db.transaction(async (trx) => {
      if (blog) await putBlog(trx, blogValues(blog));
      const at = now();
      const known = await knownNames(trx);
      const problems = posts.flatMap((post) => problemsOf(post, known));
      if (problems.length > 0) throw new BlogInputError(problems);
      for (const { post, parts } of validated) {
        const values: PostValues = {
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
        const put = await putPost(trx, values, {
          newId: randomUUID(),
          at,
          tags: [...new Set(post.tags)],
          likes: post.likesBefore ?? 0,
        });
        if (!put) throw new BlogInputError([`${post.link}: is a post of another blog`]);
      }
      await bumpCatalogueVersion(trx);
    });
    return validated.flatMap(({ post, rejected }) => (rejected.length > 0 ? [{ link: post.link, rejected }] : []));
  }

  return {
    upsertAll,
    async upsertBlog(blog) {
      await upsertAll(blog, []);
    },
    upsertPosts: (posts) => upsertAll(null, posts),
    async release() {
      // Usually nothing is due, which a read finds out without a transaction.
      if (!(await anyDue(db.read, now()))) return 0;
      return db.transaction(async (trx) => {
        const released = await release(trx, now());
        if (released > 0) await bumpCatalogueVersion(trx);
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

function problemsOf(post: PostInput, known: Map<string, { categories: Set<string>; tags: Set<string> }>): string[] {
  const blog = known.get(post.blogId);
  if (!blog) return [`${post.link}: no blog ${post.blogId}`];
  const problems: string[] = [];
  if (post.category !== null && !blog.categories.has(post.category)) problems.push(`${post.link}: no category ${post.category}`);
  for (const tag of post.tags) if (!blog.tags.has(tag)) problems.push(`${post.link}: no tag ${tag}`);
  return problems;
}
