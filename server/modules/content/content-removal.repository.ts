/** Removes pages and posts, each in the transaction of the caller, visible on the next request. */
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Reader, Trx } from '#db/database.ts';
import { linksTo, mentionsOf } from './mentions.ts';

export type ContentRemoval = typeof contentRemoval;

export const contentRemoval = {
  mentionsOf,
  linksTo,
  async hasPage(db: Reader, name: string): Promise<boolean> {
    return (await db.selectFrom('pages').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
  },
  /** Posts are known by their link; scheduled ones count. */
  async hasPost(db: Reader, link: string): Promise<boolean> {
    return (await db.selectFrom('blog_posts').select('id').where('link', '=', link).executeTakeFirst()) !== undefined;
  },
  async removePage(trx: Trx, name: string): Promise<void> {
    await trx.deleteFrom('pages').where('name', '=', name).execute();
    await bumpCatalogueVersion(trx);
  },
  /** Its tags and likes are deleted with it. */
  async removePost(trx: Trx, link: string): Promise<void> {
    await trx.deleteFrom('blog_posts').where('link', '=', link).execute();
    await bumpCatalogueVersion(trx);
  },
};
