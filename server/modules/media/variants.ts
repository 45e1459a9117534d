/**
 * Generates images at the widths they are shown at, on first request, and stores them on disk. Parallel requests for one image
 * share its generation, and only a few are generated at once, so that a newly started shop still answers.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { paper } from './originals.ts';
import { loadSharp, mostPixels } from './sharp.ts';

export type PictureFormat = 'avif' | 'webp' | 'jpeg';

/** Part of file names and ETags: increment it when a change below produces different bytes. */
const recipe = 2;

/** One core stays free to answer requests. */
const makersAtOnce = Math.max(1, availableParallelism() - 1);

/** The best format a browser accepts. */
export function formatFor(accept: string | undefined): PictureFormat {
  if (accept?.includes('image/avif')) return 'avif';
  return accept?.includes('image/webp') ? 'webp' : 'jpeg';
}

export interface Variants {
  /** The image's bytes. `width` is a fixed one; a smaller original keeps its size. */
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
      // The slot passes to the next waiting task, or is freed.
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  async function make(source: string, target: string, width: number, format: PictureFormat): Promise<Buffer> {
    const bytes = await inTurn(() => encode(source, width, format));
    // A full or read-only disk does not prevent the image from being served.
    await keep(target, bytes).catch((error: unknown) => {
      if (!cannotKeep(error)) throw error;
    });
    return bytes;
  }

  async function keep(target: string, bytes: Buffer): Promise<void> {
    await mkdir(dirname(target), { recursive: true });
    // Written under a temporary name first, so that the file is always complete, even after a crash.
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

/** Qualities at which photos show no visible loss beside the original at twice the size. */
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
