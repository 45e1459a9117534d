/** Removes pages and posts, each in the transaction of the caller, visible on the next request. */
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Reader, Trx } from '#db/database.ts';
import { deletePage, deletePost, hasPage, hasPost } from './content-removal.repository.ts';
import { linksTo, mentionsOf } from './mentions.ts';

export type ContentRemoval = ReturnType<typeof createContentRemoval>;

export function createContentRemoval() {
  return {
    hasPage: (reader: Reader, name: string): Promise<boolean> => hasPage(reader, name),
    /** Posts are known by their link; scheduled ones count. */
    hasPost: (reader: Reader, link: string): Promise<boolean> => hasPost(reader, link),
    mentionsOf,
    linksTo,
    async removePage(trx: Trx, name: string): Promise<void> {
      await deletePage(trx, name);
      await bumpCatalogueVersion(trx);
    },
    /** Removes a post with its likes. */
    async removePost(trx: Trx, link: string): Promise<void> {
      await deletePost(trx, link);
      await bumpCatalogueVersion(trx);
    },
  };
}
