import type { Selectable } from 'kysely';
import type { GalleryPhotosTable } from '#db/content-tables.ts';
import type { Reader, Trx } from '#db/database.ts';

export type GalleryRow = Selectable<GalleryPhotosTable>;

/** Latest first; all of them without `most`. */
export function galleryPhotos(db: Reader, most?: number): Promise<GalleryRow[]> {
  return db
    .selectFrom('gallery_photos')
    .selectAll()
    .orderBy('taken_at', 'desc')
    .orderBy('id')
    .$if(most !== undefined, (photos) => photos.limit(most ?? 0))
    .execute();
}

export async function replaceGallery(trx: Trx, rows: readonly GalleryRow[]): Promise<void> {
  await trx.deleteFrom('gallery_photos').execute();
  for (const row of rows) await trx.insertInto('gallery_photos').values(row).execute();
}
