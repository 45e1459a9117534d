/** Finds and deletes pages and posts. */
import type { Reader, Trx } from '#db/database.ts';

export async function hasPage(db: Reader, name: string): Promise<boolean> {
  return (await db.selectFrom('pages').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}

export async function hasPost(db: Reader, link: string): Promise<boolean> {
  return (await db.selectFrom('blog_posts').select('id').where('link', '=', link).executeTakeFirst()) !== undefined;
}

export async function deletePage(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('pages').where('name', '=', name).execute();
}

/** Its tags and likes are deleted with it. */
export async function deletePost(trx: Trx, link: string): Promise<void> {
  await trx.deleteFrom('blog_posts').where('link', '=', link).execute();
}
