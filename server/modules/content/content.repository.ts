import type { Selectable } from 'kysely';
import type { BlogPostsTable, BlogPostTagsTable } from '#db/blog-tables.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { GalleryPhotosTable } from '#db/content-tables.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { PagesTable } from '#db/tables.ts';

export function allPages(db: Reader): Promise<Selectable<PagesTable>[]> {
  return db.selectFrom('pages').selectAll().orderBy('name').execute();
}

export function wholeGallery(db: Reader): Promise<Selectable<GalleryPhotosTable>[]> {
  return db.selectFrom('gallery_photos').selectAll().orderBy('taken_at', 'desc').orderBy('id').execute();
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

export async function hasPage(db: Reader, name: string): Promise<boolean> {
  return (await db.selectFrom('pages').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}

/** Posts are known by their link; scheduled ones count. */
export async function hasPost(db: Reader, link: string): Promise<boolean> {
  return (await db.selectFrom('blog_posts').select('id').where('link', '=', link).executeTakeFirst()) !== undefined;
}

export async function removePage(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('pages').where('name', '=', name).execute();
  await bumpCatalogueVersion(trx);
}

/** Its tags and likes are deleted with it. */
export async function removePost(trx: Trx, link: string): Promise<void> {
  await trx.deleteFrom('blog_posts').where('link', '=', link).execute();
  await bumpCatalogueVersion(trx);
}
