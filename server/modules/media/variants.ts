/** On first request, then from disk. Only a few are generated at once, so that a newly started shop still answers. */
import { availableParallelism } from 'node:os';
import { notFound } from '#server/platform/errors.ts';
import { decoding, loadSharp, paper } from './originals.ts';
import { folderStorage, type MediaStorage } from './storage.ts';
import { WorkQueue } from './work-queue.ts';

export type PictureFormat = 'avif' | 'webp' | 'jpeg';

/** Part of file names and ETags: increment it when a change below produces different bytes. */
const recipe = 3;

/** One core stays free to answer requests. */
const makersAtOnce = Math.max(1, availableParallelism() - 1);

/** An image takes about a tenth of a second, so the last of them waits for less than a client does. */
const mostWaiting = 200;

export function formatFor(accept: string | undefined): PictureFormat {
  if (accept?.includes('image/avif')) return 'avif';
  return accept?.includes('image/webp') ? 'webp' : 'jpeg';
}

interface NamedOriginal {
  urlName: string;
  width: number;
}

interface Original extends NamedOriginal {
  /** A path or the bytes; null if the file is missing. */
  source(): Promise<string | Buffer | null>;
}

interface Making {
  original: Original;
  name: string;
  width: number;
  format: PictureFormat;
  dropped: AbortSignal;
}

export type Variants = ReturnType<typeof createVariants>;

/** `storage` keeps generated images for other machines as well. */
export function createVariants({ cacheDir, storage }: { cacheDir: string; storage?: MediaStorage }) {
  const cache = folderStorage(cacheDir);
  const generations = new SharedGenerations();
  const recent = new RecentImages();
  const queue = new WorkQueue({ atOnce: makersAtOnce, mostWaiting });

  async function make({ original, name, width, format, dropped }: Making) {
    const key = `cache/${name}`;
    const stored = await storage?.read(key).catch(() => null);
    const bytes =
      stored ?? (await queue.run(async () => encode(await sourceOf(original), width, format), dropped));
    // A full or read-only disk does not prevent the image from being served, nor does a store that takes no files.
    await cache.write(name, bytes).catch((error: unknown) => {
      if (!cannotKeep(error)) throw error;
    });
    if (!stored) await storage?.write(key, bytes).catch(() => {});
    return bytes;
  }

  return {
    /** How many images wait for their turn to be generated. */
    get waiting(): number {
      return queue.waiting;
    },

    ready: (original: NamedOriginal, width: number, format: PictureFormat): Buffer | null =>
      recent.get(nameOf(original, width, format)) ?? null,

    /** A smaller original keeps its size. @throws {AppError} SYSTEM_ERROR 503 if too many wait; the reason of `left` if the client has gone */
    async get(original: Original, width: number, format: PictureFormat, left: AbortSignal): Promise<Buffer> {
      const pixels = Math.min(width, original.width);
      const name = nameOf(original, width, format);
      const known = recent.get(name) ?? (await cache.read(name).catch(() => null));
      if (!known) left.throwIfAborted();
      const bytes =
        known ??
        (await generations.get(
          name,
          (dropped) => make({ original, name, width: pixels, format, dropped }),
          left,
        ));
      recent.add(name, bytes);
      return bytes;
    },

    /** Changes whenever the bytes do. */
    etag: (original: NamedOriginal, width: number, format: PictureFormat): string =>
      `"${/-([0-9a-f]+)\.\w+$/.exec(original.urlName)?.[1]}-${Math.min(width, original.width)}-${format}-${recipe}"`,
  };
}

function nameOf({ urlName, width: widest }: NamedOriginal, width: number, format: PictureFormat): string {
  return `${Math.min(width, widest)}-${recipe}/${urlName}.${format}`;
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

/** Photos keep wood grain and weave beside the original at twice the size: AVIF 58 loses them, and 72 takes half as many bytes again. */
async function encode(source: string | Buffer, width: number, format: PictureFormat): Promise<Buffer> {
  const sharp = await loadSharp();
  const picture = sharp(source, decoding)
    .autoOrient()
    .flatten({ background: paper })
    .resize({ width, withoutEnlargement: true });
  if (format === 'avif') return await picture.avif({ quality: 72, effort: 2 }).toBuffer();
  if (format === 'webp')
    return await picture.webp({ quality: 80, effort: 3, smartSubsample: true }).toBuffer();
  return await picture.jpeg({ quality: 82, progressive: true }).toBuffer();
}

/** What the images take together, bytes: about the images of forty pages. */
const mostBytes = 8 * 1024 * 1024;
/** A larger image is read from disk each time, bytes. */
const largest = 256 * 1024;

class RecentImages {
  readonly #images = new Map<string, Buffer>();
  #bytes = 0;

  get(name: string): Buffer | undefined {
    const image = this.#images.get(name);
    if (image) {
      // Moved to the end, which is dropped last.
      this.#images.delete(name);
      this.#images.set(name, image);
    }
    return image;
  }

  add(name: string, image: Buffer): void {
    if (image.length > largest || this.#images.has(name)) return;
    this.#images.set(name, image);
    this.#bytes += image.length;
    for (const [oldest, { length }] of this.#images) {
      if (this.#bytes <= mostBytes) break;
      this.#images.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** An image under way, for one or more clients. */
interface Generation {
  bytes: Promise<Buffer>;
  clients: number;
  dropped: AbortController;
}

class SharedGenerations {
  readonly #running = new Map<string, Generation>();

  /** By `make`, if it is not under way already; its signal aborts when the last client has gone. @throws the reason of `left` */
  get(name: string, make: (dropped: AbortSignal) => Promise<Buffer>, left: AbortSignal): Promise<Buffer> {
    const generation = this.#running.get(name) ?? this.#start(name, make);
    generation.clients += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(left.reason);
        generation.clients -= 1;
        if (generation.clients > 0) return;
        this.#forget(name, generation);
        generation.dropped.abort(left.reason);
      };
      left.addEventListener('abort', leave, { once: true });
      const stay = () => left.removeEventListener('abort', leave);
      generation.bytes.finally(stay).then(resolve, reject);
    });
  }

  #start(name: string, make: (dropped: AbortSignal) => Promise<Buffer>): Generation {
    const dropped = new AbortController();
    const bytes = make(dropped.signal).finally(() => this.#forget(name, generation));
    const generation: Generation = { bytes, clients: 0, dropped };
    this.#running.set(name, generation);
    return generation;
  }

  #forget(name: string, generation: Generation): void {
    if (this.#running.get(name) === generation) this.#running.delete(name);
  }
}
