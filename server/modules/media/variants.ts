/**
 * Pictures at the widths they are shown at, made when first asked for and kept on disk. Requests that
 * come while one is being made wait for the same; only so many are made at once, so that a shop that
 * has just started still answers.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { paper } from './originals.ts';
import { loadSharp, mostPixels } from './sharp.ts';

export type PictureFormat = 'avif' | 'webp' | 'jpeg';

/** Part of file names and ETags: to be counted up when a change below makes other bytes. */
const recipe = 2;

/** One core is left to answer requests. */
const makersAtOnce = Math.max(1, availableParallelism() - 1);

/** The best format a browser takes. */
export function formatFor(accept: string | undefined): PictureFormat {
  if (accept?.includes('image/avif')) return 'avif';
  return accept?.includes('image/webp') ? 'webp' : 'jpeg';
}

export interface Variants {
  /** The picture's bytes. `width` is a fixed one; a smaller original stays as it is. */
  get(original: { path: string; urlName: string; width: number }, width: number, format: PictureFormat): Promise<Buffer>;
  /** Changes whenever the bytes do. */
  etag(original: { urlName: string; width: number }, width: number, format: PictureFormat): string;
}

export function createVariants({ cacheDir }: { cacheDir: string }): Variants {
  const making = new Map<string, Promise<Buffer>>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= makersAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, or given up.
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  async function make(source: string, target: string, width: number, format: PictureFormat): Promise<Buffer> {
    const bytes = await inTurn(() => encode(source, width, format));
    // A disk that is full or read-only keeps nobody from seeing the picture.
    await keep(target, bytes).catch((error: unknown) => {
      if (!cannotKeep(error)) throw error;
    });
    return bytes;
  }

  async function keep(target: string, bytes: Buffer): Promise<void> {
    await mkdir(dirname(target), { recursive: true });
    // Under another name first: whoever finds the file finds it whole, after a crash too.
    const draft = `${target}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(draft, bytes);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  return {
    async get(original, width, format) {
      const pixels = Math.min(width, original.width);
      const target = join(cacheDir, `${pixels}-${recipe}`, `${original.urlName}.${format}`);
      const kept = await readFile(target).catch(() => null);
      if (kept) return kept;
      let made = making.get(target);
      if (!made) {
        made = make(original.path, target, pixels, format).finally(() => making.delete(target));
        making.set(target, made);
      }
      return made;
    },
    etag: (original, width, format) =>
      `"${/-([0-9a-f]+)\.\w+$/.exec(original.urlName)?.[1]}-${Math.min(width, original.width)}-${format}-${recipe}"`,
  };
}

function cannotKeep(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'ENOSPC', 'EPERM', 'EROFS'].includes(String(error.code))
  );
}

/** Qualities at which photographs show no loss beside the original at twice the size. */
async function encode(source: string, width: number, format: PictureFormat): Promise<Buffer> {
  const sharp = await loadSharp();
  const picture = sharp(source, { limitInputPixels: mostPixels })
    .autoOrient()
    .flatten({ background: paper })
    .resize({ width, withoutEnlargement: true });
  if (format === 'avif') return await picture.avif({ quality: 58, effort: 2 }).toBuffer();
  if (format === 'webp') return await picture.webp({ quality: 80, effort: 3, smartSubsample: true }).toBuffer();
  return await picture.jpeg({ quality: 82, progressive: true }).toBuffer();
}
