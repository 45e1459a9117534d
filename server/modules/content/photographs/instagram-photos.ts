/** The photos of the shop's Instagram account, with its images stored like the shop's own. */
import { limits } from '#contract/limits.ts';
import type { SocialPhoto } from '#contract/schemas/feeds.ts';
import type { Database } from '#db/database.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ExternalSourcesService } from '../external-sources/external-sources.service.ts';
import { type InstagramAccount, type InstagramMedia, recentMedia } from './instagram.ts';

type KeptMedia = Omit<InstagramMedia, 'picture'> & { file: string };

const key = 'instagram';
const pictureBytes = 12 * 1024 * 1024;
const extensions: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

export interface InstagramPhotosDeps {
  db: Database;
  changes: ChangesService;
  media: MediaService;
  sources: ExternalSourcesService;
  outside: SafeFetch;
  /** Null if no account is set up. */
  account: InstagramAccount | null;
}

export function createInstagramPhotos(deps: InstagramPhotosDeps) {
  const { media, sources, outside, account } = deps;
  return {
    /** The latest photos, at most `count`, as they were read last; null before that, and without an account. */
    async recent(count: number): Promise<SocialPhoto[] | null> {
      if (!account) return null;
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
      if (!account) return;
      await sources.refresh(key, async () => {
        const recent = await recentMedia(outside, account, limits.socialPhotos);
        const kept: KeptMedia[] = [];
        for (const each of recent) {
          const one = await keep(deps, each);
          if (one) kept.push(one);
        }
        return { value: kept, validators: {} };
      });
    },
  };
}

/** Downloads an image once: a post's image does not change. Returns null if the download fails. */
async function keep(
  { db, changes, media, outside }: InstagramPhotosDeps,
  { picture, ...rest }: InstagramMedia,
): Promise<KeptMedia | null> {
  const names = Object.values(extensions).map((extension) => `instagram-${rest.id}.${extension}`);
  const [there] = (await media.images(names, db.read)).keys();
  if (there) return { ...rest, file: there };
  try {
    const answer = await outside({ url: picture, accepts: (type) => type in extensions, maxBytes: pictureBytes });
    const file = `instagram-${rest.id}.${extensions[answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''] ?? 'jpg'}`;
    await media.addOriginal(changes.by({ kind: 'system' }, 'photos'), file, answer.body);
    return { ...rest, file };
  } catch {
    // One missing or broken image does not affect the others; it is requested again the next time.
    return null;
  }
}
