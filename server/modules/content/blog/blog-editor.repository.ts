import type { Insertable, Selectable } from 'kysely';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { BlogCategoriesTable, BlogPostsTable, BlogPostTagsTable, BlogsTable, BlogTagsTable } from '#db/content-tables.ts';
import type { Reader, Trx } from '#db/database.ts';

export type PostValues = Omit<Insertable<BlogPostsTable>, 'id' | 'updated_at'>;

export interface BlogRows {
  blog: Omit<Insertable<BlogsTable>, 'position'>;
  categories: readonly Omit<Insertable<BlogCategoriesTable>, 'blog_id' | 'position'>[];
  tags: readonly Omit<Insertable<BlogTagsTable>, 'blog_id' | 'position'>[];
}

/** An existing blog keeps its position; categories and tags take the order given. Returns the former values of what is given. */
export async function putBlog(trx: Trx, { blog, categories, tags }: BlogRows): Promise<BlogRows | undefined> {
  const { id, ...rest } = blog;
  const before = await blogRows(trx, id);
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
  const given = <T extends { id: string }>(former: readonly T[], now: readonly T[]) =>
    former.filter((each) => now.some((other) => other.id === each.id));
  return before && { ...before, categories: given(before.categories, categories), tags: given(before.tags, tags) };
}

async function blogRows(trx: Trx, id: string): Promise<BlogRows | undefined> {
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
    await trx.selectFrom('blog_tags').select(['id', 'name']).where('blog_id', '=', id).orderBy('position').execute(),
  ];
  return { blog, categories, tags };
}

export async function knownNames(trx: Reader): Promise<Map<string, { categories: Set<string>; tags: Set<string> }>> {
  const blogs = await trx.selectFrom('blogs').select('id').execute();
  const known = new Map(blogs.map(({ id }) => [id, { categories: new Set<string>(), tags: new Set<string>() }]));
  for (const { blog_id, id } of await trx.selectFrom('blog_categories').select(['blog_id', 'id']).execute()) {
    known.get(blog_id)?.categories.add(id);
  }
  for (const { blog_id, id } of await trx.selectFrom('blog_tags').select(['blog_id', 'id']).execute()) {
    known.get(blog_id)?.tags.add(id);
  }
  return known;
}

/** By its link. The id and likes stay, and so does the time of the last change if nothing differs. Returns the former values. */
export async function putPost(
  trx: Trx,
  values: PostValues,
  { newId, at, tags, likes }: { newId: string; at: number; tags: readonly string[]; likes: number },
): Promise<(PostValues & { tags: string[] }) | undefined> {
  const before = await trx.selectFrom('blog_posts').selectAll().where('link', '=', values.link).executeTakeFirst();
  const id = before?.id ?? newId;
  if (before) {
    const { blog_id: _blog, ...written } = values;
    const { released: _, ...content } = written;
    const changed = Object.entries(content).some(([column, value]) => before[column as keyof typeof content] !== value);
    const updated = { ...written, updated_at: changed ? at : before.updated_at };
    await trx.updateTable('blog_posts').set(updated).where('id', '=', id).execute();
  } else {
    await trx
      .insertInto('blog_posts')
      .values({ id, ...values, updated_at: values.published_at })
      .execute();
    await trx.insertInto('blog_like_counts').values({ post_id: id, likes }).execute();
  }
  const former = await trx.selectFrom('blog_post_tags').select('tag_id').where('post_id', '=', id).orderBy('position').execute();
  await trx.deleteFrom('blog_post_tags').where('post_id', '=', id).execute();
  for (const [position, tag_id] of tags.entries()) {
    await trx.insertInto('blog_post_tags').values({ post_id: id, tag_id, position }).execute();
  }
  if (!before) return undefined;
  const { id: _id, updated_at: _at, ...was } = before;
  return { ...was, tags: former.map(({ tag_id }) => tag_id) };
}

/** The blogs that posts belong to, by the posts' links; unknown links are left out. */
export async function blogsOfPosts(reader: Reader, links: readonly string[]): Promise<Map<string, string>> {
  if (links.length === 0) return new Map();
  const rows = await reader.selectFrom('blog_posts').select(['link', 'blog_id']).where('link', 'in', links).execute();
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

/** Posts are known by their link; scheduled ones count. */
export async function hasPost(db: Reader, link: string): Promise<boolean> {
  return (await db.selectFrom('blog_posts').select('id').where('link', '=', link).executeTakeFirst()) !== undefined;
}

/** Its tags and likes are deleted with it. */
export async function removePost(trx: Trx, link: string): Promise<void> {
  await trx.deleteFrom('blog_posts').where('link', '=', link).execute();
  await bumpCatalogueVersion(trx);
}
