/** Finds the images that are served under `/media/<width>/<name>`. */
import { type MediaWidth, mediaWidths } from '#contract/media.ts';
import type { Database } from '#db/database.ts';
import { type MediaRow, mediaByUrlName } from './media.repository.ts';
import type { Originals } from './originals.ts';
import { formatFor, type PictureFormat, type Variants } from './variants.ts';

export interface ServedPicture {
  etag: string;
  format: PictureFormat;
  /** Generated, or read if it was before. `left` aborts when the client has gone. @throws {AppError} SYSTEM_ERROR 503 if too many wait */
  bytes(left: AbortSignal): Promise<Buffer>;
}

export interface ReadyPicture {
  etag: string;
  format: PictureFormat;
  bytes: Buffer;
}

/** How many name lookups are cached: a name refers to the same content forever. */
const namesKept = 5000;

export function createServedPictures({ db, originals, variants }: { db: Database; originals: Originals; variants: Variants }) {
  const known = new Map<string, MediaRow>();

  async function byName(name: string): Promise<MediaRow | undefined> {
    const kept = known.get(name);
    if (kept) return kept;
    const row = await mediaByUrlName(db.read, name);
    if (!row) return undefined;
    if (known.size >= namesKept) known.clear();
    known.set(name, row);
    return row;
  }

  return {
    /** The image if its bytes are in memory, as `picture` would return it; null otherwise. */
    readyPicture(width: number, name: string, accept: string | undefined): ReadyPicture | null {
      const row = known.get(name);
      if (!row || !mediaWidths.includes(width as MediaWidth)) return null;
      const format = formatFor(accept);
      const original = { urlName: row.url_name, width: row.width };
      const bytes = variants.ready(original, width, format);
      return bytes && { etag: variants.etag(original, width, format), format, bytes };
    },

    /** The file to serve under `/media/<width>/<name>`; null if there is no such width or name. */
    async picture(width: number, name: string, accept: string | undefined): Promise<ServedPicture | null> {
      if (!mediaWidths.includes(width as MediaWidth)) return null;
      const row = await byName(name);
      if (!row) return null;
      const format = formatFor(accept);
      const original = { source: () => originals.source(row), urlName: row.url_name, width: row.width };
      return {
        etag: variants.etag(original, width, format),
        format,
        bytes: (left) => variants.get(original, width, format, left),
      };
    },

    waiting: (): number => variants.waiting,
  };
}
