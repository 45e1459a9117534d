/** Stores original images and measures them for import. */
import { createHash } from 'node:crypto';
import { basename, extname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type sharp from 'sharp';
import { pictureName } from '#contract/media.ts';
import { createTurns } from '#server/platform/turns.ts';
import type { MediaRow } from './media.repository.ts';
import { folderStorage, type MediaStorage } from './storage.ts';

const demoPhotos = join(import.meta.dirname, '../../../demo/photos');

export type OriginalsFolder = MediaRow['folder'];

export const paper = '#ffffff';

/** The originals of a shop: its own, and the demo's, which ship with the program. */
export type Originals = ReturnType<typeof createOriginals>;

type Original = Pick<MediaRow, 'folder' | 'file'>;

const demoStorage = folderStorage(demoPhotos);

/** Demo photos of earlier versions, which the databases of their demo shops name, and those that stand in for them. */
const successors: Readonly<Record<string, string>> = { 'banner-tea-table.jpg': 'banner-kettle.jpg' };

export function createOriginals(own: MediaStorage) {
  const storageOf = ({ folder }: Original) => (folder === 'demo' ? demoStorage : own);
  const ownKey = (file: string) => `originals/${basename(file)}`;
  const keyOf = async ({ folder, file }: Original) => (folder === 'demo' ? demoKey(file) : ownKey(file));
  return {
    /** Null if the file is missing. */
    read: async (original: Original): Promise<Buffer | null> =>
      storageOf(original).read(await keyOf(original)),
    source: async (original: Original): Promise<string | Buffer | null> =>
      storageOf(original).source(await keyOf(original)),
    exists: async (original: Original): Promise<boolean> =>
      (await storageOf(original).stat(await keyOf(original))) !== null,
    /** Writes one of the shop's own. @throws {Error} if its name is not a plain file name */
    async write(file: string, bytes: Buffer): Promise<void> {
      requireName(file);
      await own.write(ownKey(file), bytes);
    },
    /** The demo's stay: they ship with the program. */
    async remove({ folder, file }: Original): Promise<void> {
      if (folder === 'originals') await own.remove(ownKey(file));
    },
  };
}

/** A further view or a variant that is no longer among the demo's photos is shown by the first photo of its product. */
async function demoKey(file: string): Promise<string> {
  const name = successors[file] ?? basename(file);
  const isThere = (await demoStorage.stat(name)) !== null;
  return isThere ? name : name.replace(/(?:--[a-z0-9-]+|-(?:above|close|in-use))\.jpg$/, '.jpg');
}

export interface Measured {
  file: string;
  hash: string;
  /** The name it is served under, unless the same content is served already. */
  urlName: string;
  width: number;
  height: number;
  /** Average colour, #rrggbb. */
  color: string;
}

function requireName(file: string): void {
  if (!pictureName.test(file)) throw new TypeError(`Not a picture's file name: ${file}`);
}

/** @throws {Error} if it is missing or not an image, or its name is not a plain file name */
export async function measure(
  file: string,
  folder: OriginalsFolder,
  originals: Originals,
): Promise<Measured> {
  requireName(file);
  const bytes = await originals.read({ folder, file });
  if (!bytes) throw new Error(`The file ${file} is missing`);
  return measureBytes(file, bytes);
}

/** By its content, whatever its name. @throws {Error} for what is none, or takes too much work to decode */
export async function pictureKind(bytes: Buffer): Promise<'jpg' | 'png' | 'webp' | 'avif'> {
  const { format, compression } = await metadataOf('It', bytes);
  if (format === 'jpeg') return 'jpg';
  if (format === 'png' || format === 'webp') return format;
  if (format === 'heif' && compression === 'av1') return 'avif';
  throw new TypeError(`Not a picture that browsers show: ${format}`);
}

/** A part of a picture, in fractions of its width and height. */
export interface PicturePart {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Large pictures are decoded one at a time: one of 50 megapixels takes a core for seconds. */
const turns = createTurns();
const largePixels = 12_000_000;

function inTurn<T>({ width, height }: { width: number; height: number }, work: () => Promise<T>): Promise<T> {
  return width * height > largePixels ? turns(work) : work();
}

/** As it is shown, whichever way the camera was held. @throws {Error} for what is no picture */
export async function partOf(bytes: Buffer, part: PicturePart): Promise<Buffer> {
  const sharp = await loadSharp();
  return inTurn(await sharp(bytes, decoding).metadata(), () => cut(bytes, part));
}

async function cut(bytes: Buffer, { left, top, width, height }: PicturePart): Promise<Buffer> {
  const sharp = await loadSharp();
  const { autoOrient: whole, format } = await sharp(bytes, decoding).metadata();
  const [x, y] = [
    Math.min(whole.width - 1, Math.round(left * whole.width)),
    Math.min(whole.height - 1, Math.round(top * whole.height)),
  ];
  const box = {
    left: x,
    top: y,
    width: Math.max(1, Math.min(whole.width - x, Math.round(width * whole.width))),
    height: Math.max(1, Math.min(whole.height - y, Math.round(height * whole.height))),
  };
  const part = sharp(bytes, decoding).autoOrient().extract(box);
  if (format === 'png') return part.png().toBuffer();
  if (format === 'webp') return part.webp({ quality: 95 }).toBuffer();
  return format === 'heif' ? part.avif({ quality: 85 }).toBuffer() : part.jpeg({ quality: 95 }).toBuffer();
}

/** Like `measure`, for bytes that are not on disk yet. @throws {UnreadablePictureError} */
export async function measureBytes(file: string, bytes: Buffer): Promise<Measured> {
  requireName(file);
  try {
    return await measurePicture(file, bytes);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    throw new UnreadablePictureError(file, error);
  }
}

async function measurePicture(file: string, bytes: Buffer): Promise<Measured> {
  const sharp = await loadSharp();
  // The displayed size: phones store photos rotated, with an orientation tag.
  const { width, height } = (await metadataOf(file, bytes)).autoOrient;
  // At eight pixels wide, JPEG decodes only an eighth of the image; the average of those pixels is computed here.
  const { data, info } = await inTurn({ width, height }, () =>
    sharp(bytes, decoding)
      .resize(8, 8, { fit: 'fill' })
      .flatten({ background: paper })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const extension = extname(file);
  return {
    file,
    hash,
    urlName: `${basename(file, extension)}-${hash}${extension}`,
    width,
    height,
    color: average(data, info.channels),
  };
}

/** @throws {TypeError} for a picture that takes too much work to read; {Error} for what is none */
async function metadataOf(name: string, bytes: Buffer) {
  if (hasMoreText(bytes, mostText))
    throw new TypeError(`${name} has more than ${mostText / 1_000_000} MB of text`);
  const sharp = await loadSharp();
  const metadata = await sharp(bytes).metadata();
  if (metadata.width * metadata.height > mostPixels)
    throw new TypeError(`${name} has more than ${mostPixels / 1_000_000} megapixels`);
  if (metadata.format === 'jpeg' && hasMoreScans(bytes, mostScans))
    throw new TypeError(`${name} has more than ${mostScans} scans`);
  return metadata;
}

/** The texts of a PNG are unpacked whenever it is read, to a thousand times their size. Cameras and editors write kilobytes. */
const mostText = 4_000_000;
const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

/** Whether the texts of a PNG are longer than that, unpacked. */
function hasMoreText(bytes: Buffer, most: number): boolean {
  if (!bytes.subarray(0, pngStart.length).equals(pngStart)) return false;
  let left = most;
  // A chunk is its length, its name, what it holds, and a checksum.
  for (let at = pngStart.length; at + 8 <= bytes.length && left >= 0; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (/^[zit][TE]Xt$/.test(name)) left -= textLength(name, bytes.subarray(at + 8, at + 8 + length), left);
    at += length + 12;
  }
  return left < 0;
}

/** Of a chunk with a text, bytes; a longer one than `most` is not unpacked to its end. */
function textLength(name: string, chunk: Buffer, most: number): number {
  const keyword = chunk.indexOf(0);
  const isPacked = name === 'zTXt' || (name === 'iTXt' && chunk[keyword + 1] === 1);
  if (keyword < 0 || !isPacked) return chunk.length;
  // Of an international text, language and translated keyword stand before it.
  const start = name === 'zTXt' ? keyword + 2 : chunk.indexOf(0, chunk.indexOf(0, keyword + 3) + 1) + 1;
  try {
    return inflateSync(chunk.subarray(start), { maxOutputLength: most + 1 }).length;
  } catch (error) {
    // Damaged texts are left out by whoever reads the picture.
    const isLonger = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isLonger ? most + 1 : chunk.length;
  }
}

/** Each scan of a progressive JPEG is decoded over all of its pixels, and takes 80 bytes. Encoders write about ten. */
const mostScans = 100;
const [marker, startOfScan, endOfImage] = [0xff, 0xda, 0xd9];

/** Whether a JPEG has more scans than that. What follows its end, such as the video of a phone, is not looked at. */
function hasMoreScans(bytes: Buffer, most: number): boolean {
  let scans = 0;
  for (let at = bytes.indexOf(marker, 2); at >= 0 && at + 3 < bytes.length; ) {
    const kind = bytes[at + 1] ?? 0;
    if (kind === endOfImage) return false;
    if (kind === startOfScan && ++scans > most) return true;
    // Within a scan, zero and the numbers of restarts follow a byte of data that looks like a marker.
    const hasLength = kind >= 0xc0 && kind < marker && !(kind >= 0xd0 && kind <= 0xd8);
    at = bytes.indexOf(
      marker,
      hasLength ? at + 2 + bytes.readUInt16BE(at + 2) : at + (kind === marker ? 1 : 2),
    );
  }
  return false;
}

function average(pixels: Buffer, channels: number): string {
  const sums = [0, 0, 0];
  for (let i = 0; i < pixels.length; i += channels) {
    for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (pixels[i + Math.min(c, channels - 1)] ?? 0);
  }
  const count = pixels.length / channels;
  return `#${sums
    .map((sum) =>
      Math.round(sum / count)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** The largest image that is read, in pixels. */
export const mostPixels = 50_000_000;

/** As browsers do: of a slightly damaged picture, what is there is shown. */
export const decoding = { limitInputPixels: mostPixels, failOn: 'none' } as const;

/** The bytes are no picture, or too damaged to show anything of it. */
export class UnreadablePictureError extends Error {
  override name = 'UnreadablePictureError';

  constructor(file: string, cause: unknown) {
    super(`${file} cannot be decoded: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** The image library, loaded on first use: it takes 20 MB and a tenth of a second. */
let loading: Promise<typeof sharp> | undefined;

export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    // One core per image; the number of images processed at once is limited instead.
    loaded.concurrency(1);
    // Originals are read once each, so caching them gains nothing.
    loaded.cache(false);
    // Photo formats only: vector graphics and documents can reference files and expand to any size.
    loaded.block({ operation: ['VipsForeignLoad'] });
    loaded.unblock({
      operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
    });
    return loaded;
  });
  return loading;
}
