/** SPEC §7 `social/ig/recent`. The server downloads the images, so that visitors' browsers make no request to Instagram. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { SocialPhoto } from '#contract/schemas/feeds.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { createInstagramPhotos, type InstagramPhotosDeps } from './instagram-photos.ts';
import { type GalleryRow, galleryPhotos, replaceGallery } from './photographs.repository.ts';

export interface GalleryPhoto {
  id: string;
  caption: LocalText;
  image: string;
  /** A page of the shop that shows the same subject, or ''. */
  link: string;
  /** Epoch ms. */
  takenAt: number;
}

export type PhotographsService = ReturnType<typeof createPhotographsService>;

export function createPhotographsService(deps: InstagramPhotosDeps) {
  const { db, media } = deps;
  const instagram = createInstagramPhotos(deps);

  return {
    async recent(locale: Locale, count: number): Promise<SocialPhoto[]> {
      const external = await instagram.recent(count);
      if (external) return external;
      recordReads(topics.gallery);
      const rows = await galleryPhotos(db.read, count);
      const images = await media.images(rows.map((row) => row.image));
      return rows.flatMap((row) => {
        const image = images.get(row.image);
        return image ? [galleryPhoto(row, image, locale)] : [];
      });
    },

    async replaceGallery({ trx, note }: Change, photos: readonly GalleryPhoto[]): Promise<void> {
      const rows = photos.map(({ id, caption, image, link, takenAt }) => ({
        id,
        caption: JSON.stringify(caption),
        image,
        link,
        taken_at: takenAt,
      }));
      await replaceGallery(trx, rows);
      await recordCatalogueChange(trx, [topics.gallery]);
      note('gallery', '');
    },

    refresh: instagram.refresh,
  };
}

function galleryPhoto(row: GalleryRow, image: ImageInfo, locale: Locale): SocialPhoto {
  return {
    id: row.id,
    caption: inLocale(JSON.parse(row.caption) as LocalText, locale),
    media_type: 'IMAGE',
    media_url: image.imageURL,
    permalink: null,
    timestamp: new Date(row.taken_at).toISOString(),
    image,
    link: row.link,
  };
}
