import type { Selectable } from 'kysely';
import type { BlogCategoriesTable, BlogPostsTable, BlogsTable, BlogTagsTable } from '#db/content-tables.ts';
import type { Reader } from '#db/database.ts';

export type BlogRow = Selectable<BlogsTable>;
export type PostRow = Selectable<BlogPostsTable>;
export type BriefRow = Omit<PostRow, 'parts'> & { likes: number };

export interface PostFilter {
  blogId: string;
  categoryId?: string | undefined;
  tagId?: string | undefined;
}

export interface Slice {
  from: number;
  count: number;
}

const briefColumns = [
  'blog_posts.id',
  'blog_posts.blog_id',
  'blog_posts.link',
  'blog_posts.category_id',
  'blog_posts.title',
  'blog_posts.excerpt',
  'blog_posts.author',
  'blog_posts.image',
  'blog_posts.reading_minutes',
  'blog_posts.published_at',
  'blog_posts.updated_at',
  'blog_posts.released',
  'blog_like_counts.likes',
] as const;

export function listBlogs(db: Reader): Promise<BlogRow[]> {
  return db.selectFrom('blogs').selectAll().orderBy('position').orderBy('id').execute();
}

export function listCategories(db: Reader): Promise<Selectable<BlogCategoriesTable>[]> {
  return db.selectFrom('blog_categories').selectAll().orderBy('position').orderBy('id').execute();
}

export function listTags(db: Reader): Promise<Selectable<BlogTagsTable>[]> {
  return db.selectFrom('blog_tags').selectAll().orderBy('position').orderBy('id').execute();
}

/** The number of published posts by blog and category (null: no category). */
export async function countsByCategory(
  db: Reader,
): Promise<{ blog_id: string; category_id: string | null; posts: number | bigint | string }[]> {
  return db
    .selectFrom('blog_posts')
    .select(['blog_id', 'category_id', (eb) => eb.fn.countAll().as('posts')])
    .where('released', '=', 1)
    .groupBy(['blog_id', 'category_id'])
    .execute();
}

export async function countsByTag(
  db: Reader,
): Promise<{ blog_id: string; tag_id: string; posts: number | bigint | string }[]> {
  return db
    .selectFrom('blog_post_tags')
    .innerJoin('blog_posts', 'blog_posts.id', 'blog_post_tags.post_id')
    .select(['blog_posts.blog_id', 'blog_post_tags.tag_id', (eb) => eb.fn.countAll().as('posts')])
    .where('blog_posts.released', '=', 1)
    .groupBy(['blog_posts.blog_id', 'blog_post_tags.tag_id'])
    .execute();
}

export function listPosts(
  db: Reader,
  { blogId, categoryId, tagId }: PostFilter,
  { from, count }: Slice,
): Promise<BriefRow[]> {
  let query = db
    .selectFrom('blog_posts')
    .innerJoin('blog_like_counts', 'blog_like_counts.post_id', 'blog_posts.id')
    .select(briefColumns)
    .where('blog_posts.blog_id', '=', blogId)
    .where('blog_posts.released', '=', 1);
  if (categoryId !== undefined) query = query.where('blog_posts.category_id', '=', categoryId);
  if (tagId !== undefined) query = query.where('blog_posts.id', 'in', postsTagged(db, tagId));
  return query
    .orderBy('blog_posts.published_at', 'desc')
    .orderBy('blog_posts.id')
    .limit(count)
    .offset(from)
    .execute();
}

export async function countPosts(db: Reader, { blogId, categoryId, tagId }: PostFilter): Promise<number> {
  let query = db
    .selectFrom('blog_posts')
    .select((eb) => eb.fn.countAll().as('posts'))
    .where('blog_id', '=', blogId)
    .where('released', '=', 1);
  if (categoryId !== undefined) query = query.where('category_id', '=', categoryId);
  if (tagId !== undefined) query = query.where('id', 'in', postsTagged(db, tagId));
  return Number((await query.executeTakeFirst())?.posts ?? 0);
}

function postsTagged(db: Reader, tagId: string) {
  return db.selectFrom('blog_post_tags').select('post_id').where('tag_id', '=', tagId);
}

export function findPost(db: Reader, link: string): Promise<(PostRow & { likes: number }) | undefined> {
  return db
    .selectFrom('blog_posts')
    .innerJoin('blog_like_counts', 'blog_like_counts.post_id', 'blog_posts.id')
    .select([...briefColumns, 'blog_posts.parts'])
    .where('blog_posts.link', '=', link)
    .where('blog_posts.released', '=', 1)
    .executeTakeFirst();
}

export async function partsOf(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('blog_posts').select(['id', 'parts']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, parts }) => [id, parts]));
}

export async function tagsOf(db: Reader, postIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(postIds.map((id) => [id, []]));
  if (postIds.length === 0) return found;
  const rows = await db
    .selectFrom('blog_post_tags')
    .select(['post_id', 'tag_id'])
    .where('post_id', 'in', postIds)
    .orderBy('position')
    .execute();
  for (const { post_id, tag_id } of rows) found.get(post_id)?.push(tag_id);
  return found;
}

/** The posts before and after one in time. `id` orders posts of the same moment, as in lists. */
export async function neighbours(
  db: Reader,
  { id, blog_id, published_at }: Pick<PostRow, 'id' | 'blog_id' | 'published_at'>,
): Promise<{
  older: Pick<PostRow, 'link' | 'title'> | undefined;
  newer: Pick<PostRow, 'link' | 'title'> | undefined;
}> {
  const next = (newer: boolean) =>
    db
      .selectFrom('blog_posts')
      .select(['link', 'title'])
      .where('blog_id', '=', blog_id)
      .where('released', '=', 1)
      .where((eb) =>
        eb.or([
          eb('published_at', newer ? '>' : '<', published_at),
          eb.and([eb('published_at', '=', published_at), eb('id', newer ? '<' : '>', id)]),
        ]),
      )
      .orderBy('published_at', newer ? 'asc' : 'desc')
      .orderBy('id', newer ? 'desc' : 'asc')
      .limit(1)
      .executeTakeFirst();
  const [older, newer] = await Promise.all([next(false), next(true)]);
  return { older, newer };
}

/** Related posts: two points per shared tag, one for the same category, then the newest. */
export function relatedPosts(
  db: Reader,
  post: BriefRow,
  tagIds: readonly string[],
  count: number,
): Promise<BriefRow[]> {
  return db
    .selectFrom('blog_posts')
    .innerJoin('blog_like_counts', 'blog_like_counts.post_id', 'blog_posts.id')
    .select(briefColumns)
    .where('blog_posts.blog_id', '=', post.blog_id)
    .where('blog_posts.released', '=', 1)
    .where('blog_posts.id', '!=', post.id)
    .orderBy((eb) => {
      const shared = eb
        .selectFrom('blog_post_tags')
        .select((each) => each.fn.countAll<number>().as('shared'))
        .whereRef('blog_post_tags.post_id', '=', 'blog_posts.id')
        .where('blog_post_tags.tag_id', 'in', tagIds.length > 0 ? tagIds : ['']);
      const sameCategory = eb
        .case()
        .when('blog_posts.category_id', '=', post.category_id)
        .then(1)
        .else(0)
        .end();
      return eb(eb(shared, '*', 2), '+', sameCategory);
    }, 'desc')
    .orderBy('blog_posts.published_at', 'desc')
    .orderBy('blog_posts.id')
    .limit(count)
    .execute();
}

/** Those that are not yet released, too. */
export async function postLinks(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('blog_posts').select('link').execute();
  return rows.map(({ link }) => link);
}

export function listedPosts(
  db: Reader,
): Promise<Pick<PostRow, 'link' | 'image' | 'published_at' | 'updated_at'>[]> {
  return db
    .selectFrom('blog_posts')
    .select(['link', 'image', 'published_at', 'updated_at'])
    .where('released', '=', 1)
    .orderBy('published_at', 'desc')
    .orderBy('id')
    .execute();
}
