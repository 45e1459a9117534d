/**
 * Generates images at the widths they are shown at, on first request, and stores them on disk. Parallel requests for one image
 * share its generation, and only a few are generated at once, so that a newly started shop still answers. An image that every
 * client has stopped waiting for is not generated.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { notFound } from '#server/platform/errors.ts';
import { paper } from './originals.ts';
import { RecentImages } from './recent-images.ts';
import { loadSharp, mostPixels } from './sharp.ts';
import type { MediaStorage } from './storage.ts';
import { WorkQueue } from './work-queue.ts';

export type PictureFormat = 'avif' | 'webp' | 'jpeg';

/** Part of file names and ETags: increment it when a change below produces different bytes. */
const recipe = 2;

/** One core stays free to answer requests. */
const makersAtOnce = Math.max(1, availableParallelism() - 1);

/** An image takes about a tenth of a second, so the last of them waits for less than a client does. */
const mostWaiting = 200;

/** The best format a browser accepts. */
export function formatFor(accept: string | undefined): PictureFormat {
  if (accept?.includes('image/avif')) return 'avif';
  return accept?.includes('image/webp') ? 'webp' : 'jpeg';
}

interface Original {
  /** A path or the bytes; null if the file is missing. */
  source(): Promise<string | Buffer | null>;
  urlName: string;
  width: number;
}

/** An image under way, for one or more clients. */
interface Generation {
  bytes: Promise<Buffer>;
  clients: number;
  dropped: AbortController;
}

export interface Variants {
  /**
   * The image's bytes. `width` is a fixed one; a smaller original keeps its size. `left` aborts when the client has gone.
   * @throws {AppError} SYSTEM_ERROR with status 503 if too many images wait to be generated
   * @throws the reason of `left` if it aborts before the image is generated
   */
  get(original: Original, width: number, format: PictureFormat, left: AbortSignal): Promise<Buffer>;
  /** The image's bytes if they are in memory, or null. */
  ready(original: { urlName: string; width: number }, width: number, format: PictureFormat): Buffer | null;
  /** How many images wait for their turn to be generated. */
  readonly waiting: number;
  /** Changes whenever the bytes do. */
  etag(original: { urlName: string; width: number }, width: number, format: PictureFormat): string;
}

/** `storage` keeps generated images for other machines as well. */
export function createVariants({ cacheDir, storage }: { cacheDir: string; storage?: MediaStorage }): Variants {
  const generations = new Map<string, Generation>();
  const recent = new RecentImages();
  const queue = new WorkQueue({ atOnce: makersAtOnce, mostWaiting });

  async function make(original: Original, name: string, width: number, format: PictureFormat, dropped: AbortSignal) {
    const key = `cache/${name}`;
    const stored = await storage?.read(key).catch(() => null);
    const bytes = stored ?? (await queue.run(async () => encode(await sourceOf(original), width, format), dropped));
    // A full or read-only disk does not prevent the image from being served, nor does a store that takes no files.
    await keep(join(cacheDir, name), bytes).catch((error: unknown) => {
      if (!cannotKeep(error)) throw error;
    });
    if (!stored) await storage?.write(key, bytes).catch(() => {});
    return bytes;
  }

  function generate(original: Original, name: string, width: number, format: PictureFormat): Generation {
    const dropped = new AbortController();
    const bytes = make(original, name, width, format, dropped.signal).finally(() => {
      if (generations.get(name) === generation) generations.delete(name);
    });
    const generation: Generation = { bytes, clients: 0, dropped };
    generations.set(name, generation);
    return generation;
  }

  /** The bytes for one more client; without any client left, the image leaves the queue. */
  function shared(name: string, generation: Generation, left: AbortSignal): Promise<Buffer> {
    generation.clients += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(left.reason);
        generation.clients -= 1;
        if (generation.clients > 0) return;
        if (generations.get(name) === generation) generations.delete(name);
        generation.dropped.abort(left.reason);
      };
      left.addEventListener('abort', leave, { once: true });
      const stay = () => left.removeEventListener('abort', leave);
      generation.bytes.finally(stay).then(resolve, reject);
    });
  }

  return {
    get waiting() {
      return queue.waiting;
    },
    ready: (original, width, format) => recent.get(nameOf(original, width, format)) ?? null,
    async get(original, width, format, left) {
      const pixels = Math.min(width, original.width);
      const name = nameOf(original, width, format);
      const known = recent.get(name) ?? (await readFile(join(cacheDir, name)).catch(() => null));
      if (!known) left.throwIfAborted();
      const bytes = known ?? (await shared(name, generations.get(name) ?? generate(original, name, pixels, format), left));
      recent.add(name, bytes);
      return bytes;
    },
    etag: (original, width, format) =>
      `"${/-([0-9a-f]+)\.\w+$/.exec(original.urlName)?.[1]}-${Math.min(width, original.width)}-${format}-${recipe}"`,
  };
}

/** The name of a generated image below its folder. */
function nameOf({ urlName, width: widest }: { urlName: string; width: number }, width: number, format: PictureFormat): string {
  return `${Math.min(width, widest)}-${recipe}/${urlName}.${format}`;
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

function cannotKeep(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'ENOSPC', 'EPERM', 'EROFS'].includes(String(error.code))
  );
}

async function sourceOf(original: Original): Promise<string | Buffer> {
  const source = await original.source();
  if (source === null) throw notFound();
  return source;
}

/** Qualities at which photos show no visible loss beside the original at twice the size. */
async function encode(source: string | Buffer, width: number, format: PictureFormat): Promise<Buffer> {
  const sharp = await loadSharp();
  const picture = sharp(source, { limitInputPixels: mostPixels })
    .autoOrient()
    .flatten({ background: paper })
    .resize({ width, withoutEnlargement: true });
  if (format === 'avif') return await picture.avif({ quality: 58, effort: 2 }).toBuffer();
  if (format === 'webp') return await picture.webp({ quality: 80, effort: 3, smartSubsample: true }).toBuffer();
  return await picture.jpeg({ quality: 82, progressive: true }).toBuffer();
}
