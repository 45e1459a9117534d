/** Writing the blog. Every change is one transaction with the catalogue version, seen on the next request. */
import { randomUUID } from 'node:crypto';
import Value from 'typebox/value';
import type { LocalText } from '#contract/locales.ts';
import { Id } from '#contract/schemas/common.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { judgeParts } from './article.ts';
import { anyDue, knownNames, type PostValues, putBlog, putPost, release } from './editor.repository.ts';
import { readingByLocale } from './reading-time.ts';

export interface BlogInput {
  id: string;
  name: LocalText;
  description: LocalText;
  /** SPEC §3, §5: who may like posts. */
  enableUserLike: boolean;
  enableGuestLike: boolean;
  categories: readonly { id: string; name: LocalText; description: LocalText }[];
  tags: readonly { id: string; name: LocalText }[];
}

export interface PostInput {
  blogId: string;
  /** As in the post's address; the post that has it is replaced. */
  link: string;
  title: LocalText;
  excerpt: LocalText;
  author: { name: LocalText; role: LocalText } | null;
  /** An imported picture's file name. */
  image: string | null;
  category: string | null;
  tags: readonly string[];
  /** Epoch ms. In the future: the post comes out then. */
  publishedAt: number;
  /** Judged one by one: what cannot be shown is left out and reported. */
  parts: readonly unknown[];
  /** Likes the post had elsewhere, before it came here; taken when it comes. */
  likesBefore?: number;
}

/** Parts of a post that were left out, counted from 1. */
export interface PostReport {
  link: string;
  rejected: number[];
}

export interface BlogEditor {
  /** Adds or changes a blog with its categories and tags; those that are not named stay. */
  upsertBlog(blog: BlogInput): Promise<void>;
  /** Adds or changes posts, all or none. Throws a BlogInputError naming every post that cannot be. */
  upsertPosts(posts: readonly PostInput[]): Promise<PostReport[]>;
  /** Brings out the posts whose time has come; returns how many. Safe to run in several processes at once. */
  release(): Promise<number>;
}

/** What was to be written cannot be; `problems` name where and why. */
export class BlogInputError extends Error {
  override name = 'BlogInputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

export function createBlogEditor({ db, now }: { db: Database; now: () => number }): BlogEditor {
  return {
    async upsertBlog({ id, name, description, enableUserLike, enableGuestLike, categories, tags }) {
      const slugs = [id, ...categories.map((each) => each.id), ...tags.map((each) => each.id)];
      const problems = slugs.filter((slug) => !Value.Check(Id, slug)).map((slug) => `${id}: ${slug} cannot stand in an address`);
      if (problems.length > 0) throw new BlogInputError(problems);
      await db.transaction(async (trx) => {
        await putBlog(trx, {
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
        });
        await bumpCatalogueVersion(trx);
      });
    },
    async upsertPosts(posts) {
      const judged = posts.map((post) => ({ post, ...judgeParts(post.parts) }));
      await db.transaction(async (trx) => {
        const at = now();
        const known = await knownNames(trx);
        const problems = posts.flatMap((post) => problemsOf(post, known));
        if (problems.length > 0) throw new BlogInputError(problems);
        for (const { post, parts } of judged) {
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
      return judged.flatMap(({ post, rejected }) => (rejected.length > 0 ? [{ link: post.link, rejected }] : []));
    },
    async release() {
      // Mostly nothing is due: finding that out is a read.
      if (!(await anyDue(db.read, now()))) return 0;
      return db.transaction(async (trx) => {
        const released = await release(trx, now());
        if (released > 0) await bumpCatalogueVersion(trx);
        return released;
      });
    },
  };
}

function problemsOf(post: PostInput, known: Map<string, { categories: Set<string>; tags: Set<string> }>): string[] {
  const blog = known.get(post.blogId);
  if (!blog) return [`${post.link}: no blog ${post.blogId}`];
  const problems: string[] = [];
  if (!Value.Check(Id, post.link)) problems.push(`${post.link}: cannot stand in an address`);
  if (post.title.en.trim() === '') problems.push(`${post.link}: no title`);
  if (!Number.isSafeInteger(post.publishedAt) || post.publishedAt < 0) problems.push(`${post.link}: no time it is published at`);
  if (post.category !== null && !blog.categories.has(post.category)) problems.push(`${post.link}: no category ${post.category}`);
  for (const tag of post.tags) if (!blog.tags.has(tag)) problems.push(`${post.link}: no tag ${tag}`);
  return problems;
}
