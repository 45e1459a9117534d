/** Stores original images on disk and measures them for import. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { MediaRow } from './media.repository.ts';
import { loadSharp, mostPixels } from './sharp.ts';

/** The demo photos that ship with the program. */
const demoPhotos = join(import.meta.dirname, '../../../demo/photos');

export type OriginalsFolder = MediaRow['folder'];

/** The background of transparent images. */
export const paper = '#ffffff';

/** An image's plain file name, without a path. */
export const pictureName = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:jpe?g|png|webp|avif)$/;

export function folderPath(folder: OriginalsFolder, dataDir: string): string {
  return folder === 'demo' ? demoPhotos : join(dataDir, 'media', 'originals');
}

export function originalPath(row: Pick<MediaRow, 'folder' | 'file'>, dataDir: string): string {
  return join(folderPath(row.folder, dataDir), basename(row.file));
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

/**
 * Reads an original.
 * @throws {Error} if it is not an image or its name is not a plain file name
 */
export async function measure(file: string, folder: OriginalsFolder, dataDir: string): Promise<Measured> {
  requireName(file);
  return measureBytes(file, await readFile(originalPath({ folder, file }, dataDir)));
}

/** Like `measure`, for bytes that are not on disk yet. */
export async function measureBytes(file: string, bytes: Buffer): Promise<Measured> {
  requireName(file);
  const sharp = await loadSharp();
  const options = { limitInputPixels: mostPixels };
  // The displayed size: phones store photos rotated, with an orientation tag.
  const { width, height } = (await sharp(bytes).metadata()).autoOrient;
  if (width * height > mostPixels) throw new TypeError(`${file} has more than ${mostPixels / 1_000_000} megapixels`);
  // At eight pixels wide, JPEG decodes only an eighth of the image; the average of those pixels is computed here.
  const { data, info } = await sharp(bytes, options)
    .resize(8, 8, { fit: 'fill' })
    .flatten({ background: paper })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
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

/**
 * Writes an original atomically.
 * @throws {Error} if its name is not a plain file name
 */
export async function writeOriginal(file: string, bytes: Buffer, dataDir: string): Promise<void> {
  requireName(file);
  const path = originalPath({ folder: 'originals', file }, dataDir);
  await mkdir(folderPath('originals', dataDir), { recursive: true });
  await writeFile(`${path}.${process.pid}.part`, bytes);
  await rename(`${path}.${process.pid}.part`, path);
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
