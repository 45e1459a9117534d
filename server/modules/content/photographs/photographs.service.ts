/** SPEC §7 `social/ig/recent`. The server downloads the images, so that visitors' browsers make no request to Instagram. */
import { limits } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { SocialPhoto } from '#contract/schemas/feeds.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import type { Change, ChangesService } from '#server/modules/changes/index.ts';
import type { ConnectionTest } from '#server/modules/connections/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { SafeFetchError } from '#server/platform/safe-fetch/pinned-request.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ExternalSourcesService } from '../external-sources/external-sources.service.ts';
import { type GalleryRow, galleryPhotos, replaceGallery } from './photographs.repository.ts';

const key = 'instagram';
const pictureBytes = 12 * 1024 * 1024;
const extensions: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

const fields = 'id,caption,media_type,media_url,permalink,thumbnail_url,timestamp';
const answerBytes = 1024 * 1024;
const captionLength = 2200;

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

type KeptMedia = Omit<InstagramMedia, 'picture'> & { file: string };

interface InstagramPhotosDeps {
  db: Database;
  changes: ChangesService;
  media: MediaService;
  sources: ExternalSourcesService;
  /** By what an account and its pictures are read. */
  outsideOf: (account: InstagramAccount) => SafeFetch;
  /** The account of the moment; null without one. */
  account: () => Promise<InstagramAccount | null>;
}

/** The photos of the shop's Instagram account, with its images stored like the shop's own. */
function createInstagramPhotos(deps: InstagramPhotosDeps) {
  const { media, sources } = deps;
  return {
    /** The latest photos, at most `count`, as they were read last; null before that, and without an account. */
    async recent(count: number): Promise<SocialPhoto[] | null> {
      if (!(await deps.account())) return null;
      const kept = (await sources.values([key])).get(key) as KeptMedia[] | undefined;
      if (!kept) return null;
      const wanted = kept.slice(0, count);
      const images = await media.images(wanted.map(({ file }) => file));
      return wanted.flatMap(({ file, ...about }) => {
        const image = images.get(file);
        return image ? [{ ...about, media_url: image.imageURL, image, link: '' }] : [];
      });
    },

    /** Reads Instagram if it is due. Safe to run in several processes at once. */
    async refresh(): Promise<void> {
      const account = await deps.account();
      if (!account) return;
      const outside = deps.outsideOf(account);
      await sources.refresh(key, async () => {
        const recent = await recentMedia(outside, account, limits.socialPhotos);
        const kept: KeptMedia[] = [];
        for (const each of recent) {
          const one = await keep({ ...deps, outside }, each);
          if (one) kept.push(one);
        }
        return { value: kept, validators: {} };
      });
    },
  };
}

/** Downloads an image once: a post's image does not change. Returns null if the download fails. */
async function keep(
  {
    db,
    changes,
    media,
    outside,
  }: Pick<InstagramPhotosDeps, 'db' | 'changes' | 'media'> & { outside: SafeFetch },
  { picture, ...rest }: InstagramMedia,
): Promise<KeptMedia | null> {
  const names = Object.values(extensions).map((extension) => `instagram-${rest.id}.${extension}`);
  const [there] = (await media.images(names, db.read)).keys();
  if (there) return { ...rest, file: there };
  try {
    const answer = await outside({
      url: picture,
      accepts: (type) => type in extensions,
      maxBytes: pictureBytes,
    });
    const file = `instagram-${rest.id}.${extensions[answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''] ?? 'jpg'}`;
    await media.addOriginal(changes.by({ kind: 'system' }, 'photos'), file, answer.body);
    return { ...rest, file };
  } catch {
    // One missing or broken image does not affect the others; it is requested again the next time.
    return null;
  }
}

interface InstagramMedia {
  id: string;
  caption: string;
  media_type: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  /** The image URL; for a video its first frame. Valid for a few days. */
  picture: string;
  permalink: string | null;
  timestamp: string;
}

interface InstagramAccount {
  /** Without a trailing slash. */
  apiUrl: string;
  token: string;
}

/** Asks for the newest photograph, and stores nothing. */
export function createInstagramTest({
  account: current,
  outsideOf,
}: Pick<InstagramPhotosDeps, 'account' | 'outsideOf'>): ConnectionTest {
  return async () => {
    const account = await current();
    if (!account) return { works: false, text: 'office.connections.test.off' };
    return recentMedia(outsideOf(account), account, 1).then(
      () => ({ works: true, text: 'office.connections.instagram.test.read' }),
      () => ({ works: false, text: 'office.connections.instagram.test.refused' }),
    );
  };
}

/** Media without an image (withheld for copyright) are left out. @throws {SafeFetchError} if the request fails */
async function recentMedia(
  outside: SafeFetch,
  account: InstagramAccount,
  most: number,
): Promise<InstagramMedia[]> {
  const query = new URLSearchParams({ fields, limit: String(most), access_token: account.token });
  const { body } = await outside({
    url: `${account.apiUrl}/me/media?${query}`,
    accepts: (type) => type === 'application/json' || type === 'text/javascript',
    maxBytes: answerBytes,
    headers: { accept: 'application/json' },
  });
  const { data } = parsed(body) as { data?: unknown };
  if (!Array.isArray(data)) throw new SafeFetchError('an answer without data');
  return data.flatMap(mediaOf).slice(0, most);
}

function mediaOf(entry: unknown): InstagramMedia[] {
  const { id, caption, media_type, media_url, thumbnail_url, permalink, timestamp } = Object(entry) as Record<
    string,
    unknown
  >;
  const video = media_type === 'VIDEO';
  const picture = video ? thumbnail_url : media_url;
  const known = media_type === 'IMAGE' || media_type === 'CAROUSEL_ALBUM' || video;
  if (!known || typeof id !== 'string' || !/^\d{1,40}$/.test(id) || typeof picture !== 'string') return [];
  return [
    {
      id,
      caption: typeof caption === 'string' ? caption.slice(0, captionLength).toWellFormed() : '',
      media_type,
      picture,
      permalink:
        typeof permalink === 'string' && /^https:\/\/www\.instagram\.com\//.test(permalink)
          ? permalink
          : null,
      timestamp:
        typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp))
          ? new Date(timestamp).toISOString()
          : '',
    },
  ];
}

function parsed(body: Buffer): object {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as object;
  } catch {
    throw new SafeFetchError('not JSON');
  }
}
