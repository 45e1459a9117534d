/** Edits the blog by files, releases posts whose date has come, and says what is stored of posts and blogs as documents. */
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { isEqual } from '#contract/rules/patch.ts';
import type { BlogDocument, PostDocument } from '#contract/schemas/post.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import {
  type Change,
  type Draft,
  dropDraft,
  listDrafts,
  noteDocument,
} from '#server/modules/changes/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { freeId } from '#server/platform/slugs.ts';
import { parsed } from '../blocks/published-blocks.ts';
import { readingByLocale, validateParts, withIds, withoutIds } from './article.ts';
import {
  anyDue,
  anyReleased,
  type BlogRows,
  blogRows,
  blogsOfPosts,
  findStoredPost,
  knownNames,
  type PostValues,
  putBlog,
  putPost,
  release,
  type StoredPost,
} from './blog-editor.repository.ts';
import { type BlogInput, blogProblems, type PostInput, postProblems } from './blog-input.ts';

/** Edits the blog. Each change is one transaction, visible on the next request. */
export function createBlogEditor({ db, now }: { db: Database; now: () => number }) {
  async function upsertAll(
    { trx, note }: Change,
    blog: BlogInput | null,
    posts: readonly PostInput[],
  ): Promise<void> {
    const problems = await problemsIn(trx, blog, posts);
    if (problems.length > 0) throw new InputError(problems);
    if (blog) {
      const before = await blogDocument(trx, blog.id);
      await putBlog(trx, blogValues(blog));
      noteDocument({ note }, 'blog', before, (await blogDocument(trx, blog.id)) ?? blog);
    }
    const at = now();
    const drafts = posts.length > 0 ? await listDrafts(trx, 'post') : [];
    const written = new Map<string, Draft>(drafts.map((draft) => [draft.id, draft]));
    const wasEmpty = !(await anyReleased(trx));
    for (const post of posts) {
      const before = await findStoredPost(trx, 'link', post.link);
      const id =
        before?.id ??
        (await freeId(
          post.link,
          'post',
          async (each) => written.has(each) || (await findStoredPost(trx, 'id', each)) !== undefined,
        ));
      await putPost(trx, id, before, {
        ...postValues(post, at, before),
        at,
        tags: [...new Set(post.tags)],
        likes: post.likesBefore ?? 0,
      });
      const after = await livePost(trx, id);
      const was = before ? postDocument(before) : null;
      const draft = written.get(id);
      // A file publishes: where it changes a post that has a draft, the draft ends, and stands in its history.
      if (after && draft && isEqual(was, after)) note('post', id, []);
      else if (after) {
        if (draft) await dropDraft(trx, 'post', id);
        noteDocument({ note }, 'post', draft ? (draft.content as PostDocument) : was, after);
      }
    }
    await recordCatalogueChange(
      trx,
      blog || (await isFirst(trx, wasEmpty)) ? [topics.blogs, topics.posts] : [topics.posts],
    );
  }

  return {
    /** Everything that is wrong with a blog and posts that are to be written; empty if they can be. Images are not checked. */
    problemsOf: (blog: BlogInput | null, posts: readonly PostInput[]): Promise<Problem[]> =>
      problemsIn(db.read, blog, posts),
    /** @throws {InputError} like the two methods below */
    upsertAll,
    /** Adds or changes a blog with its categories and tags. Categories and tags that are not named stay. */
    upsertBlog: (change: Change, blog: BlogInput): Promise<void> => upsertAll(change, blog, []),
    /** All or none. @throws {InputError} naming every problem of every post */
    upsertPosts: (change: Change, posts: readonly PostInput[]): Promise<void> =>
      upsertAll(change, null, posts),
    /** Publishes the posts that are due; returns how many. Safe to run in several processes at once. */
    async release(): Promise<number> {
      // Usually nothing is due, which a read finds out without a transaction.
      if (!(await anyDue(db.read, now()))) return 0;
      return db.transaction(async (trx) => {
        const wasEmpty = !(await anyReleased(trx));
        const released = await release(trx, now());
        if (released > 0)
          await recordCatalogueChange(trx, wasEmpty ? [topics.blogs, topics.posts] : [topics.posts]);
        return released;
      });
    },
  };
}

/** Whether the shop has something to read for the first time. */
const isFirst = async (trx: Trx, wasEmpty: boolean) => wasEmpty && (await anyReleased(trx));

/** Stores what readers see of a post, at the address that it has now. */
export async function writePost(
  trx: Trx,
  post: PostDocument,
  at: number,
): Promise<{ movedFrom: string | null }> {
  const before = await findStoredPost(trx, 'id', post.id);
  const wasEmpty = !(await anyReleased(trx));
  await putPost(trx, post.id, before, { ...valuesOf(post, at, before), at, tags: post.tags, likes: 0 });
  await recordCatalogueChange(
    trx,
    (await isFirst(trx, wasEmpty)) ? [topics.blogs, topics.posts] : [topics.posts],
  );
  return { movedFrom: before && before.link !== post.link ? before.link : null };
}

/** What is stored of a post as it is written. Without a date of its own it keeps the one that it has, or gets this moment. */
export function valuesOf(post: PostDocument, at: number, before: StoredPost | undefined): PostValues {
  const publishedAt = post.publishedAt ?? before?.published_at ?? at;
  const author = saysNothing(post.author) ? null : post.author;
  const values = postValues({ ...post, author, publishedAt, parts: withoutIds(post.parts) }, at);
  return { ...values, parts: JSON.stringify(post.parts) };
}

const isBlank = (text: LocalText) => Object.values(text).every((each) => each.trim() === '');
const saysNothing = ({ name, role }: PostDocument['author']) => isBlank(name) && isBlank(role);

/** As readers see it, or will from its date on; null if it was never published. */
export async function livePost(reader: Reader, id: string): Promise<PostDocument | null> {
  const row = await findStoredPost(reader, 'id', id);
  return row ? postDocument(row) : null;
}

export function postDocument(row: StoredPost): PostDocument {
  const nothing = { [mainLocale()]: '' } as LocalText;
  return {
    id: row.id,
    blogId: row.blog_id,
    title: JSON.parse(row.title),
    excerpt: JSON.parse(row.excerpt),
    image: row.image,
    author: row.author === null ? { name: nothing, role: nothing } : JSON.parse(row.author),
    link: row.link,
    category: row.category_id,
    tags: row.tags,
    publishedAt: row.published_at,
    parts: withIds(parsed(row.parts)),
  };
}

export async function blogDocument(reader: Reader, id: string): Promise<BlogDocument | null> {
  const rows = await blogRows(reader, id);
  if (!rows) return null;
  const { blog, categories, tags } = rows;
  return {
    id,
    name: JSON.parse(blog.name),
    description: JSON.parse(blog.description),
    enableUserLike: blog.enable_user_like === 1,
    enableGuestLike: blog.enable_guest_like === 1,
    categories: categories.map((each) => ({
      id: each.id,
      name: JSON.parse(each.name),
      description: JSON.parse(each.description),
    })),
    tags: tags.map((each) => ({ id: each.id, name: JSON.parse(each.name) })),
  };
}

export function blogValues({
  id,
  name,
  description,
  enableUserLike,
  enableGuestLike,
  categories,
  tags,
}: BlogInput): BlogRows {
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

/** Parts that are stored with ids keep them as long as they say the same. */
function postValues(post: PostInput, at: number, before?: StoredPost): PostValues {
  const { parts } = validateParts(post.parts);
  const isSame = before && isEqual(withoutIds(parsed(before.parts)), parts);
  return {
    blog_id: post.blogId,
    link: post.link,
    category_id: post.category,
    title: JSON.stringify(post.title),
    excerpt: JSON.stringify(post.excerpt),
    author: post.author && JSON.stringify(post.author),
    image: post.image,
    parts: isSame ? before.parts : JSON.stringify(parts),
    reading_minutes: JSON.stringify(readingByLocale(parts)),
    published_at: post.publishedAt,
    released: post.publishedAt <= at ? 1 : 0,
  };
}

async function problemsIn(
  reader: Reader,
  blog: BlogInput | null,
  posts: readonly PostInput[],
): Promise<Problem[]> {
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

type KnownNames = ReadonlyMap<string, { categories: ReadonlySet<string>; tags: ReadonlySet<string> }>;

function referenceProblems(post: PostInput, known: KnownNames, present: string | undefined): Problem[] {
  const { link, blogId } = post;
  const isElsewhere = known.has(blogId) && present !== undefined && present !== blogId;
  return [
    ...(isElsewhere ? [problem(['posts', link], 'problem.post.otherBlog', { blog: present })] : []),
    ...unknownNames(post, known).map((each) => ({ ...each, path: ['posts', link, ...each.path] })),
  ];
}

/** What a post names that is not there, by its field. */
export function unknownNames(
  { blogId, category, tags }: Pick<PostInput, 'blogId' | 'category' | 'tags'>,
  known: KnownNames,
): Problem[] {
  const blog = known.get(blogId);
  const unknown = (field: string, kind: Kind, id: string) =>
    problem([field], 'problem.reference', { kind, found: shown(id) });
  if (!blog) return [unknown('blogId', 'blog', blogId)];
  return [
    ...(category !== null && !blog.categories.has(category)
      ? [unknown('category', 'category', category)]
      : []),
    ...tags.filter((tag) => !blog.tags.has(tag)).map((tag) => unknown('tags', 'tag', tag)),
  ];
}
