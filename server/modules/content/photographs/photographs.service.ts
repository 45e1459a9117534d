/**
 * Provides the shop's recent photos (SPEC §7 `social/ig/recent`): from its Instagram account if a token is set, otherwise from
 * its own gallery. The server downloads the images and serves them like its other images, so that visitors' browsers make no
 * request to Instagram.
 */
import { limits } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { SocialPhoto } from '#contract/schemas/feeds.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import { topics } from '#server/platform/topics.ts';
import type { ExternalSourcesService } from '../external-sources/external-sources.service.ts';
import { type InstagramAccount, type InstagramMedia, recentMedia } from './instagram.ts';
import { galleryPhotos, replaceGallery } from './photographs.repository.ts';

export interface GalleryPhoto {
  id: string;
  caption: LocalText;
  /** The file name of an imported image. */
  image: string;
  /** A page of the shop that shows the same subject, or ''. */
  link: string;
  /** Epoch ms. */
  takenAt: number;
}

export interface PhotographsService {
  /** The latest photos, newest first, at most `count`. Makes no external request. */
  recent(locale: Locale, count: number): Promise<SocialPhoto[]>;
  /** Replaces the shop's own gallery. */
  replaceGallery(photos: readonly GalleryPhoto[]): Promise<void>;
  /** Reads Instagram if it is due. Safe to run in several processes at once. */
  refresh(): Promise<void>;
}

type KeptMedia = Omit<InstagramMedia, 'picture'> & { file: string };

const key = 'instagram';
const pictureBytes = 12 * 1024 * 1024;
const extensions: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

export interface SocialDeps {
  db: Database;
  media: MediaService;
  sources: ExternalSourcesService;
  outside: SafeFetch;
  /** Null if no account is set up. */
  account: InstagramAccount | null;
}

export function createPhotographsService({ db, media, sources, outside, account }: SocialDeps): PhotographsService {
  /** Downloads an image once: a post's image does not change. Returns null if the download fails. */
  async function keep({ picture, ...rest }: InstagramMedia): Promise<KeptMedia | null> {
    const names = Object.values(extensions).map((extension) => `instagram-${rest.id}.${extension}`);
    const [there] = (await media.images(names, db.read)).keys();
    if (there) return { ...rest, file: there };
    try {
      const answer = await outside({ url: picture, accepts: (type) => type in extensions, maxBytes: pictureBytes });
      const file = `instagram-${rest.id}.${extensions[answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''] ?? 'jpg'}`;
      await media.addOriginal(file, answer.body);
      return { ...rest, file };
    } catch {
      // One missing or broken image does not affect the others; it is requested again the next time.
      return null;
    }
  }

  async function fromInstagram(count: number): Promise<SocialPhoto[] | null> {
    if (!account) return null;
    const kept = (await sources.values([key])).get(key) as KeptMedia[] | undefined;
    if (!kept) return null;
    const wanted = kept.slice(0, count);
    const images = await media.images(wanted.map(({ file }) => file));
    return wanted.flatMap(({ file, ...about }) => {
      const image = images.get(file);
      return image ? [{ ...about, media_url: image.imageURL, image, link: '' }] : [];
    });
  }

  return {
    async recent(locale, count) {
      const instagram = await fromInstagram(count);
      if (instagram) return instagram;
      recordReads(topics.gallery);
      const rows = await galleryPhotos(db.catalogue, count);
      const images = await media.images(rows.map((row) => row.image));
      return rows.flatMap((row) => {
        const image = images.get(row.image);
        if (!image) return [];
        return [
          {
            id: row.id,
            caption: inLocale(JSON.parse(row.caption) as LocalText, locale),
            media_type: 'IMAGE',
            media_url: image.imageURL,
            permalink: null,
            timestamp: new Date(row.taken_at).toISOString(),
            image,
            link: row.link,
          },
        ];
      });
    },
    async replaceGallery(photos) {
      const rows = photos.map(({ id, caption, image, link, takenAt }) => ({
        id,
        caption: JSON.stringify(caption),
        image,
        link,
        taken_at: takenAt,
      }));
      await db.transaction(async (trx) => {
        await replaceGallery(trx, rows);
        await recordCatalogueChange(trx, [topics.gallery]);
      });
    },
    async refresh() {
      if (!account) return;
      await sources.refresh(key, async () => {
        const recent = await recentMedia(outside, account, limits.socialPhotos);
        const kept: KeptMedia[] = [];
        for (const each of recent) {
          const one = await keep(each);
          if (one) kept.push(one);
        }
        return { value: kept, validators: {} };
      });
    },
  };
}
