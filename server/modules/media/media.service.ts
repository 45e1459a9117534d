/** Manages images (design §9): originals are imported once, and served at fixed widths under names that contain their hash. */
import { join } from 'node:path';
import { type MediaWidth, mediaWidths } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import { type Change, changedFields, type RunChange } from '#server/modules/changes/index.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { createTurnsOf } from '#server/platform/turns.ts';
import {
  deleteMedia,
  filesByUrlName,
  type MediaRow,
  mediaByFile,
  mediaByUrlName,
  mediaPage,
  putMedia,
  urlNameOfHash,
} from './media.repository.ts';
import {
  createOriginals,
  type Measured,
  measure,
  measureBytes,
  type Originals,
  type OriginalsFolder,
  partOf,
  pictureKind,
} from './originals.ts';
import type { MediaStorage } from './storage.ts';
import { createVariants, formatFor, type PictureFormat, type Variants } from './variants.ts';

/** What shows more images than this is outdated by a change of any image. */
const mostNamed = 24;

export type MediaService = ReturnType<typeof createMediaService>;

export interface MediaDeps {
  db: Database;
  env: Env;
  now: () => number;
  storage: MediaStorage;
}

export function createMediaService({ db, env, now, storage }: MediaDeps) {
  const originals = createOriginals(storage);
  // Two who write a file at once would leave the bytes of one under the name of the other.
  const turns = createTurnsOf();
  const variants = createVariants({
    cacheDir: join(env.dataDir, 'media', 'cache'),
    ...(storage.shared ? { storage } : {}),
  });

  return {
    ...createServedPictures({ db, originals, variants }),

    /** By file name; unchanged ones are skipped. @throws {Error} if a file is missing or is not an image */
    async importOriginals(run: RunChange, folder: OriginalsFolder, files: readonly string[]): Promise<void> {
      // Shortest first: of files with the same content, the shortest name is served.
      const ordered = [...new Set(files)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
      const measured = await Promise.all(ordered.map((file) => measure(file, folder, originals)));
      await run((change) => putImages(change, measured, { folder, now: now() }));
    },

    /**
     * Stores and imports it under this file name. `seen`: the address of the picture that it replaces.
     * @throws {Error} if the bytes are not an image; {AppError} CONFLICT if another picture is there by now
     */
    async addOriginal(run: RunChange, file: string, bytes: Buffer, seen?: string): Promise<void> {
      // Validated first: a broken image must not replace a good one.
      const measured = await measureBytes(file, bytes);
      await turns(file, async () => {
        if (seen !== undefined) await requireSeen(db, measured, seen);
        await originals.write(file, bytes);
        await run((change) => putImages(change, [measured], { folder: 'originals', now: now() }));
      });
    },

    kindOf: pictureKind,
    partOf,

    /** With its file, which nothing may name any more. */
    removeOriginal: (run: RunChange, file: string): Promise<void> =>
      turns(file, async () => {
        const [row] = await mediaByFile(db.read, [file]);
        if (!row) return;
        await run((change) => removeImage(change, file));
        await originals.remove(row);
      }),

    /** A page of all, the newest first, by what their names contain; and how many there are. */
    library: (text: string, page: { skip: number; most: number }) => library(db, text, page),

    /** Writes nothing. @throws {Error} if the bytes are not an image, or the name is not one that an image can have */
    async requireImage(file: string, bytes: Buffer): Promise<void> {
      await measureBytes(file, bytes);
    },

    /** Images by file name; a file that was never imported is missing. `reader` allows use inside a transaction. */
    async images(files: readonly string[], reader: Reader = db.read): Promise<Map<string, ImageInfo>> {
      const wanted = [...new Set(files)];
      if (wanted.length > mostNamed) recordReads(topics.images);
      else recordReads(...wanted.map(topics.image));
      const rows = await mediaByFile(reader, wanted);
      return new Map(rows.map((row) => [row.file, imageInfo(row)]));
    },

    /** The files by the name that they are served under. */
    filesServedAs,

    /** Reads originals by file name, null if the file itself is missing; one that was never imported is not in the map. */
    async originals(files: readonly string[]): Promise<Map<string, () => Promise<Buffer | null>>> {
      const rows = await mediaByFile(db.read, [...new Set(files)]);
      return new Map(rows.map((row) => [row.file, () => originals.read(row)]));
    },
  };
}

async function library(db: Database, text: string, page: { skip: number; most: number }) {
  const { count, rows } = await mediaPage(db.read, text, page);
  return {
    count,
    pictures: rows.map((row) => ({ file: row.file, addedAt: row.added_at, image: imageInfo(row) })),
  };
}

/** The same picture may be sent again. @throws {AppError} CONFLICT */
async function requireSeen(db: Database, { file, hash }: Measured, seen: string): Promise<void> {
  const [row] = await mediaByFile(db.read, [file]);
  if (row && row.hash !== hash && imageInfo(row).imageURL !== seen)
    throw new AppError('CONFLICT', { errorKey: 'office.media.changed' });
}

async function removeImage({ trx, note }: Change, file: string): Promise<void> {
  // Of two who remove it at once, one does.
  const isGone = await deleteMedia(trx, file);
  note('image', file, isGone ? undefined : []);
  await recordCatalogueChange(trx, [topics.images, topics.image(file)]);
}

/** Stores what was measured of imported images. What is shown differently then is outdated. */
async function putImages(
  { trx, note }: Change,
  measured: readonly Measured[],
  { folder, now }: { folder: OriginalsFolder; now: number },
): Promise<void> {
  const files = measured.map(({ file }) => file);
  const before = new Map((await mediaByFile(trx, files)).map((row) => [row.file, row]));
  const changed: string[] = [];
  for (const { file, hash, urlName, width, height, color } of measured) {
    const old = before.get(file);
    const url_name = (await urlNameOfHash(trx, hash)) ?? urlName;
    const row = { file, url_name, hash, folder, width, height, color, added_at: old?.added_at ?? now };
    const fields = old && changedFields(old, row);
    note('image', file, fields);
    if (fields?.length === 0) continue;
    await putMedia(trx, row);
    changed.push(file);
  }
  if (changed.length > 0) await recordCatalogueChange(trx, [topics.images, ...changed.map(topics.image)]);
}

/** The image in its wire shape. The URL names the largest served width that the original fills. */
export function imageInfo({ url_name, width, height, color }: MediaRow): ImageInfo {
  const served = mediaWidths.findLast((fixed) => fixed <= width) ?? mediaWidths[0];
  return { imageURL: `/media/${served}/${url_name}`, width, height, color };
}

interface ServedPicture {
  etag: string;
  format: PictureFormat;
  /** Generated, or read if it was before. `left` aborts when the client has gone. @throws {AppError} SYSTEM_ERROR 503 if too many wait */
  bytes(left: AbortSignal): Promise<Buffer>;
}

interface ReadyPicture {
  etag: string;
  format: PictureFormat;
  bytes: Buffer;
}

/** How many name lookups are cached: a name refers to the same content forever. */
const namesKept = 5000;

function createServedPictures({
  db,
  originals,
  variants,
}: {
  db: Database;
  originals: Originals;
  variants: Variants;
}) {
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

async function filesServedAs(reader: Reader, names: readonly string[]): Promise<Map<string, string[]>> {
  const rows = Map.groupBy(await filesByUrlName(reader, [...new Set(names)]), (row) => row.url_name);
  return new Map([...rows].map(([name, files]) => [name, files.map(({ file }) => file)]));
}
