import type { Insertable, Selectable } from 'kysely';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type {
  BlogCategoriesTable,
  BlogPostsTable,
  BlogPostTagsTable,
  BlogsTable,
  BlogTagsTable,
} from '#db/content-tables.ts';
import type { Database, Reader, Trx } from '#db/database.ts';

export type PostValues = Omit<Selectable<BlogPostsTable>, 'id' | 'updated_at'>;

export interface BlogRows {
  blog: Omit<Insertable<BlogsTable>, 'position'>;
  categories: readonly Omit<Insertable<BlogCategoriesTable>, 'blog_id' | 'position'>[];
  tags: readonly Omit<Insertable<BlogTagsTable>, 'blog_id' | 'position'>[];
}

/** An existing blog keeps its position; categories and tags take the order given, and those that are not given stay. */
export async function putBlog(trx: Trx, { blog, categories, tags }: BlogRows): Promise<void> {
  const { id, ...rest } = blog;
  const last = await trx
    .selectFrom('blogs')
    .select((eb) => eb.fn.max('position').as('position'))
    .executeTakeFirst();
  await trx
    .insertInto('blogs')
    .values({ ...blog, position: (last?.position ?? -1) + 1 })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
  for (const [position, { id: name, ...category }] of categories.entries()) {
    await trx
      .insertInto('blog_categories')
      .values({ blog_id: id, id: name, position, ...category })
      .onConflict((c) => c.columns(['blog_id', 'id']).doUpdateSet({ position, ...category }))
      .execute();
  }
  for (const [position, { id: name, ...tag }] of tags.entries()) {
    await trx
      .insertInto('blog_tags')
      .values({ blog_id: id, id: name, position, ...tag })
      .onConflict((c) => c.columns(['blog_id', 'id']).doUpdateSet({ position, ...tag }))
      .execute();
  }
}

export async function blogRows(trx: Reader, id: string): Promise<BlogRows | undefined> {
  const blog = await trx
    .selectFrom('blogs')
    .select(['id', 'name', 'description', 'enable_user_like', 'enable_guest_like'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!blog) return undefined;
  const [categories, tags] = [
    await trx
      .selectFrom('blog_categories')
      .select(['id', 'name', 'description'])
      .where('blog_id', '=', id)
      .orderBy('position')
      .execute(),
    await trx
      .selectFrom('blog_tags')
      .select(['id', 'name'])
      .where('blog_id', '=', id)
      .orderBy('position')
      .execute(),
  ];
  return { blog, categories, tags };
}

export async function knownNames(
  trx: Reader,
): Promise<Map<string, { categories: Set<string>; tags: Set<string> }>> {
  const blogs = await trx.selectFrom('blogs').select('id').execute();
  const known = new Map(
    blogs.map(({ id }) => [id, { categories: new Set<string>(), tags: new Set<string>() }]),
  );
  for (const { blog_id, id } of await trx.selectFrom('blog_categories').select(['blog_id', 'id']).execute()) {
    known.get(blog_id)?.categories.add(id);
  }
  for (const { blog_id, id } of await trx.selectFrom('blog_tags').select(['blog_id', 'id']).execute()) {
    known.get(blog_id)?.tags.add(id);
  }
  return known;
}

export type StoredPost = Selectable<BlogPostsTable> & { tags: string[] };

/** Whether readers see it or not; with its tags in their order. */
export async function findStoredPost(
  db: Reader,
  by: 'id' | 'link',
  value: string,
): Promise<StoredPost | undefined> {
  const row = await db.selectFrom('blog_posts').selectAll().where(by, '=', value).executeTakeFirst();
  if (!row) return undefined;
  const tags = await db
    .selectFrom('blog_post_tags')
    .select('tag_id')
    .where('post_id', '=', row.id)
    .orderBy('position')
    .execute();
  return { ...row, tags: tags.map(({ tag_id }) => tag_id) };
}

/** `before` is what is stored of it: its likes stay, and so does the time of the last change if nothing differs. */
export async function putPost(
  trx: Trx,
  id: string,
  before: StoredPost | undefined,
  { at, tags, likes, ...values }: PostValues & { at: number; tags: readonly string[]; likes: number },
): Promise<void> {
  if (before) {
    const { blog_id: _blog, ...written } = values;
    const { released: _, ...content } = written;
    const changed = Object.entries(content).some(
      ([column, value]) => before[column as keyof typeof content] !== value,
    );
    const updated = { ...written, updated_at: changed ? at : before.updated_at };
    await trx.updateTable('blog_posts').set(updated).where('id', '=', id).execute();
  } else {
    await trx
      .insertInto('blog_posts')
      .values({ id, ...values, updated_at: values.published_at })
      .execute();
    await trx.insertInto('blog_like_counts').values({ post_id: id, likes }).execute();
  }
  await trx.deleteFrom('blog_post_tags').where('post_id', '=', id).execute();
  for (const [position, tag_id] of tags.entries()) {
    await trx.insertInto('blog_post_tags').values({ post_id: id, tag_id, position }).execute();
  }
}

/** Until the transaction ends. */
export const lockPosts = (db: Database, trx: Trx): Promise<void> => db.queries.lock(trx, 'blog_posts');
export const lockBlogs = (db: Database, trx: Trx): Promise<void> => db.queries.lock(trx, 'blogs');

/** Whether any post is one that readers see. */
export async function anyReleased(db: Reader): Promise<boolean> {
  return (
    (await db.selectFrom('blog_posts').select('id').where('released', '=', 1).limit(1).executeTakeFirst()) !==
    undefined
  );
}

/** Those that are in a category, or have a tag. */
export async function postsIn(
  db: Reader,
  blogId: string,
  part: { category: string } | { tag: string },
): Promise<string[]> {
  const ofBlog = db.selectFrom('blog_posts').select('id').where('blog_id', '=', blogId);
  const tagged = db.selectFrom('blog_post_tags').select('post_id');
  const rows = await ('category' in part
    ? ofBlog.where('category_id', '=', part.category)
    : ofBlog.where('id', 'in', tagged.where('tag_id', '=', part.tag))
  ).execute();
  return rows.map(({ id }) => id);
}

/** Of categories and tags that no post has. */
export async function dropBlogParts(
  trx: Trx,
  blogId: string,
  { categories, tags }: { categories: readonly string[]; tags: readonly string[] },
): Promise<void> {
  if (categories.length > 0)
    await trx
      .deleteFrom('blog_categories')
      .where('blog_id', '=', blogId)
      .where('id', 'in', categories)
      .execute();
  if (tags.length > 0)
    await trx.deleteFrom('blog_tags').where('blog_id', '=', blogId).where('id', 'in', tags).execute();
}

/** Of a blog without posts. */
export async function dropBlog(trx: Trx, blogId: string): Promise<void> {
  await trx.deleteFrom('blog_categories').where('blog_id', '=', blogId).execute();
  await trx.deleteFrom('blog_tags').where('blog_id', '=', blogId).execute();
  await trx.deleteFrom('blogs').where('id', '=', blogId).execute();
}

/** The post leaves its category, or loses a tag. */
export async function takeOut(
  trx: Trx,
  postId: string,
  part: { category: string } | { tag: string },
): Promise<void> {
  if ('category' in part)
    await trx.updateTable('blog_posts').set({ category_id: null }).where('id', '=', postId).execute();
  else
    await trx
      .deleteFrom('blog_post_tags')
      .where('post_id', '=', postId)
      .where('tag_id', '=', part.tag)
      .execute();
}

/** The blogs that posts belong to, by the posts' links; unknown links are left out. */
export async function blogsOfPosts(reader: Reader, links: readonly string[]): Promise<Map<string, string>> {
  if (links.length === 0) return new Map();
  const rows = await reader
    .selectFrom('blog_posts')
    .select(['link', 'blog_id'])
    .where('link', 'in', links)
    .execute();
  return new Map(rows.map(({ link, blog_id }) => [link, blog_id]));
}

export async function anyDue(db: Reader, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('blog_posts')
    .select('id')
    .where('released', '=', 0)
    .where('published_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function release(trx: Trx, now: number): Promise<number> {
  const result = await trx
    .updateTable('blog_posts')
    .set({ released: 1 })
    .where('released', '=', 0)
    .where('published_at', '<=', now)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** All posts with their number of likes, oldest first, scheduled ones included. */
export function allPosts(db: Reader): Promise<(Selectable<BlogPostsTable> & { likes: number })[]> {
  return db
    .selectFrom('blog_posts')
    .innerJoin('blog_like_counts', 'blog_like_counts.post_id', 'blog_posts.id')
    .selectAll('blog_posts')
    .select('blog_like_counts.likes')
    .orderBy('blog_posts.published_at')
    .orderBy('blog_posts.link')
    .execute();
}

export function allPostTags(db: Reader): Promise<Selectable<BlogPostTagsTable>[]> {
  return db.selectFrom('blog_post_tags').selectAll().orderBy('post_id').orderBy('position').execute();
}

/** Its tags and likes are deleted with it. */
export async function removePost(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('blog_posts').where('id', '=', id).execute();
  await bumpCatalogueVersion(trx);
}

export async function allStoredPosts(db: Reader): Promise<StoredPost[]> {
  const rows = await db
    .selectFrom('blog_posts')
    .selectAll()
    .orderBy('published_at', 'desc')
    .orderBy('id')
    .execute();
  const tags = Map.groupBy(await allPostTags(db), ({ post_id }) => post_id);
  return rows.map((row) => ({ ...row, tags: (tags.get(row.id) ?? []).map(({ tag_id }) => tag_id) }));
}
