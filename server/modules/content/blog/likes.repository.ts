import type { Reader, Trx } from '#db/database.ts';

/** The fields of a published post that decide whether it can be liked. */
export function findLikeable(
  db: Reader,
  blogId: string,
  postId: string,
): Promise<{ id: string; enable_user_like: number; enable_guest_like: number } | undefined> {
  return db
    .selectFrom('blog_posts')
    .innerJoin('blogs', 'blogs.id', 'blog_posts.blog_id')
    .select(['blog_posts.id', 'blogs.enable_user_like', 'blogs.enable_guest_like'])
    .where('blog_posts.id', '=', postId)
    .where('blog_posts.blog_id', '=', blogId)
    .where('blog_posts.released', '=', 1)
    .executeTakeFirst();
}

export async function likesOf(db: Reader, postId: string): Promise<number> {
  const row = await db
    .selectFrom('blog_like_counts')
    .select('likes')
    .where('post_id', '=', postId)
    .executeTakeFirst();
  return row?.likes ?? 0;
}

export async function isLiked(db: Reader, postId: string, liker: string): Promise<boolean> {
  const row = await db
    .selectFrom('blog_likes')
    .select('post_id')
    .where('post_id', '=', postId)
    .where('liker', '=', liker)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the liker already likes the post. */
export async function insertLike(trx: Trx, postId: string, liker: string, at: number): Promise<boolean> {
  const result = await trx
    .insertInto('blog_likes')
    .values({ post_id: postId, liker, created_at: at })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteLike(trx: Trx, postId: string, liker: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('blog_likes')
    .where('post_id', '=', postId)
    .where('liker', '=', liker)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ids of the posts a liker likes, in a fixed order, so that two transactions that change the same posts cannot deadlock. */
export async function likedBy(db: Reader, liker: string): Promise<string[]> {
  const rows = await db
    .selectFrom('blog_likes')
    .select('post_id')
    .where('liker', '=', liker)
    .orderBy('post_id')
    .execute();
  return rows.map(({ post_id }) => post_id);
}

export function likedLinks(db: Reader, liker: string): Promise<{ link: string; likedAt: number }[]> {
  return db
    .selectFrom('blog_likes')
    .innerJoin('blog_posts', 'blog_posts.id', 'blog_likes.post_id')
    .select(['blog_posts.link', 'blog_likes.created_at as likedAt'])
    .where('blog_likes.liker', '=', liker)
    .orderBy('blog_likes.created_at', 'desc')
    .execute();
}

/** Must be called for every row added (1) or removed (-1). */
export async function countLike(trx: Trx, postId: string, change: 1 | -1): Promise<void> {
  await trx
    .updateTable('blog_like_counts')
    .set((eb) => ({ likes: eb('likes', '+', change) }))
    .where('post_id', '=', postId)
    .execute();
}
