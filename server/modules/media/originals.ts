/** Original pictures on disk: where they lie, and what is read off them when they are imported. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { MediaRow } from './media.repository.ts';
import { loadSharp, mostPixels } from './sharp.ts';

/** The photographs that come with the program. */
const demoPhotos = join(import.meta.dirname, '../../../demo/photos');

export type OriginalsFolder = MediaRow['folder'];

/** What stands behind a picture where it lets something through. */
export const paper = '#ffffff';

/** A picture's plain file name, without a path. */
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

/** Reads an original. Throws where it is not a picture or its name is not a plain file name. */
export async function measure(file: string, folder: OriginalsFolder, dataDir: string): Promise<Measured> {
  requireName(file);
  return measureBytes(file, await readFile(originalPath({ folder, file }, dataDir)));
}

/** As `measure`, of what is not written yet. */
export async function measureBytes(file: string, bytes: Buffer): Promise<Measured> {
  requireName(file);
  const sharp = await loadSharp();
  const options = { limitInputPixels: mostPixels };
  // As it is shown: phones store photographs turned, and say so beside.
  const { width, height } = (await sharp(bytes).metadata()).autoOrient;
  if (width * height > mostPixels) throw new TypeError(`${file} has more than ${mostPixels / 1_000_000} megapixels`);
  // Eight pixels wide lets JPEG decode an eighth only; the average of those is taken by hand.
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

/** Writes an original whole or not at all. Throws where its name is not a plain file name. */
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
