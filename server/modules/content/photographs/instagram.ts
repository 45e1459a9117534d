/**
 * Reads an Instagram account's photos through the Instagram API with Instagram Login: `GET /me/media` with the needed fields.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login (fields:
 * …/instagram-platform/reference/instagram-media)
 */
import { SafeFetchError } from '#server/platform/safe-fetch/network-policy.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';

/** The fields of an Instagram media object that the shop shows. */
export interface InstagramMedia {
  id: string;
  caption: string;
  media_type: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  /** The image URL; for a video its first frame. Valid for a few days. */
  picture: string;
  permalink: string | null;
  timestamp: string;
}

export interface InstagramAccount {
  /** Without a trailing slash. */
  apiUrl: string;
  token: string;
}

const fields = 'id,caption,media_type,media_url,permalink,thumbnail_url,timestamp';
const answerBytes = 1024 * 1024;
const captionLength = 2200;

/**
 * The latest media, at most `most`. Media without an image (withheld for copyright) are left out.
 * @throws {SafeFetchError} if the request fails
 */
export async function recentMedia(outside: SafeFetch, account: InstagramAccount, most: number): Promise<InstagramMedia[]> {
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
  const { id, caption, media_type, media_url, thumbnail_url, permalink, timestamp } = Object(entry) as Record<string, unknown>;
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
      permalink: typeof permalink === 'string' && /^https:\/\/www\.instagram\.com\//.test(permalink) ? permalink : null,
      timestamp: typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? new Date(timestamp).toISOString() : '',
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
