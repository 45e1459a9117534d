/** Manages images (design §9): originals are imported once, and served at fixed widths under names that contain their hash. */
import { join } from 'node:path';
import { type MediaWidth, mediaWidths } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import type { Env } from '#server/platform/env.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { type MediaRow, mediaByFile, mediaByUrlName, putMedia, urlNameOfHash } from './media.repository.ts';
import { createOriginals, type Measured, measure, measureBytes, type OriginalsFolder } from './originals.ts';
import type { MediaStorage } from './storage.ts';
import { createVariants, formatFor, type PictureFormat } from './variants.ts';

export interface ServedPicture {
  etag: string;
  format: PictureFormat;
  /**
   * Generates the image, or reads it if it was generated before. `left` aborts when the client has gone.
   * @throws {AppError} SYSTEM_ERROR with status 503 if too many images wait to be generated
   */
  bytes(left: AbortSignal): Promise<Buffer>;
}

export interface MediaService {
  /**
   * Imports originals from a folder by file name; unchanged ones are skipped.
   * @throws {Error} if a file is missing or is not an image
   */
  importOriginals(folder: OriginalsFolder, files: readonly string[]): Promise<void>;
  /**
   * Stores and imports an image under this file name.
   * @throws {Error} if the bytes are not an image
   */
  addOriginal(file: string, bytes: Buffer): Promise<void>;
  /** Writes nothing. @throws {Error} if the bytes are not an image, or the name is not one that an image can have */
  requireImage(file: string, bytes: Buffer): Promise<void>;
  /** Images by file name; a file that was never imported is missing. `reader` allows use inside a transaction. */
  images(files: readonly string[], reader?: Reader): Promise<Map<string, ImageInfo>>;
  /** Reads originals by file name, null if the file itself is missing; one that was never imported is not in the map. */
  originals(files: readonly string[]): Promise<Map<string, () => Promise<Buffer | null>>>;
  /** The file to serve under `/media/<width>/<name>`; null if there is no such width or name. */
  picture(width: number, name: string, accept: string | undefined): Promise<ServedPicture | null>;
  /** The image if its bytes are in memory, as `picture` would return it; null otherwise. */
  readyPicture(width: number, name: string, accept: string | undefined): ReadyPicture | null;
  /** How many images wait for their turn to be generated. */
  waiting(): number;
}

/** An image that can be sent at once. */
export interface ReadyPicture {
  etag: string;
  format: PictureFormat;
  bytes: Buffer;
}

/** How many name lookups are cached: a name refers to the same content forever. */
const namesKept = 5000;
/** What shows more images than this is outdated by a change of any image. */
const mostNamed = 24;

export function createMediaService({ db, env, storage }: { db: Database; env: Env; storage: MediaStorage }): MediaService {
  const originals = createOriginals(storage);
  const variants = createVariants({ cacheDir: join(env.dataDir, 'media', 'cache'), ...(storage.shared ? { storage } : {}) });
  const known = new Map<string, MediaRow>();

  async function byName(name: string): Promise<MediaRow | undefined> {
    const kept = known.get(name);
    if (kept) return kept;
    const row = await mediaByUrlName(db.catalogue, name);
    if (!row) return undefined;
    if (known.size >= namesKept) known.clear();
    known.set(name, row);
    return row;
  }

  async function put(measured: readonly Measured[], folder: OriginalsFolder): Promise<void> {
    const files = measured.map(({ file }) => file);
    await db.transaction(async (trx) => {
      const before = new Map((await mediaByFile(trx, files)).map((row) => [row.file, row]));
      const changed: string[] = [];
      for (const { file, hash, urlName, width, height, color } of measured) {
        const row = { file, url_name: (await urlNameOfHash(trx, hash)) ?? urlName, hash, folder, width, height, color };
        const old = before.get(file);
        const same = old && old.width === row.width && old.height === row.height && old.color === row.color;
        if (same && old.url_name === row.url_name && old.folder === folder) continue;
        await putMedia(trx, row);
        changed.push(file);
      }
      if (changed.length > 0) await recordCatalogueChange(trx, [topics.images, ...changed.map(topics.image)]);
    });
  }

  return {
    waiting: () => variants.waiting,
    async importOriginals(folder, files) {
      // Shortest first: of files with the same content, the shortest name is served.
      const ordered = [...new Set(files)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
      await put(await Promise.all(ordered.map((file) => measure(file, folder, originals))), folder);
    },
    async addOriginal(file, bytes) {
      // Validated first: a broken image must not replace a good one.
      const measured = await measureBytes(file, bytes);
      await originals.write(file, bytes);
      await put([measured], 'originals');
    },
    async requireImage(file, bytes) {
      await measureBytes(file, bytes);
    },
    async images(files, reader = db.catalogue) {
      const wanted = [...new Set(files)];
      if (wanted.length > mostNamed) recordReads(topics.images);
      else recordReads(...wanted.map(topics.image));
      const rows = await mediaByFile(reader, wanted);
      return new Map(rows.map((row) => [row.file, imageInfo(row)]));
    },
    async originals(files) {
      const rows = await mediaByFile(db.read, [...new Set(files)]);
      return new Map(rows.map((row) => [row.file, () => originals.read(row)]));
    },
    readyPicture(width, name, accept) {
      const row = known.get(name);
      if (!row || !mediaWidths.includes(width as MediaWidth)) return null;
      const format = formatFor(accept);
      const original = { urlName: row.url_name, width: row.width };
      const bytes = variants.ready(original, width, format);
      return bytes && { etag: variants.etag(original, width, format), format, bytes };
    },
    async picture(width, name, accept) {
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
  };
}

/** The image in its wire shape. The URL names the largest served width that the original fills. */
export function imageInfo({ url_name, width, height, color }: MediaRow): ImageInfo {
  const served = mediaWidths.findLast((fixed) => fixed <= width) ?? mediaWidths[0];
  return { imageURL: `/media/${served}/${url_name}`, width, height, color };
}
