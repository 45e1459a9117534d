/** A feed may be larger than memory: it is compressed part by part, into a temporary folder of this process, one for each language. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Locale } from '#contract/locales.ts';

export interface FeedFile {
  /** The catalogue version that it was generated for. */
  version: number;
  path: string;
}

export interface FeedSource {
  version: () => Promise<number>;
  /** The text of a feed, part by part. */
  parts: (locale: Locale) => AsyncIterable<string>;
}

/** Feeds are generated one at a time, and once for all who ask meanwhile, however often the catalogue changes. */
export function createProductFeedFiles({ version, parts }: FeedSource) {
  const made = new Map<Locale, FeedFile>();
  const waiting = new Map<Locale, Promise<FeedFile>>();
  let folder: Promise<string> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function upToDate(locale: Locale): Promise<{ wanted: number; known: FeedFile | undefined }> {
    const wanted = await version();
    const known = made.get(locale);
    return { wanted, known: known?.version === wanted ? known : undefined };
  }

  async function make(locale: Locale): Promise<FeedFile> {
    waiting.delete(locale);
    const { wanted, known } = await upToDate(locale);
    if (known) return known;
    folder ??= mkdtemp(join(tmpdir(), 'shopwright-feeds-'));
    const path = join(await folder, `products.${locale}.${wanted}.xml.gz`);
    try {
      await pipeline(Readable.from(parts(locale)), createGzip(), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    const before = made.get(locale);
    made.set(locale, { version: wanted, path });
    // A response that is reading it has it open, and goes on.
    if (before) await rm(before.path, { force: true }).catch(() => undefined);
    return { version: wanted, path };
  }

  function enqueue(locale: Locale): Promise<FeedFile> {
    const next = queue.then(() => make(locale));
    waiting.set(locale, next);
    queue = next.catch(() => undefined);
    return next;
  }

  return {
    async current(locale: Locale): Promise<FeedFile> {
      const { known } = await upToDate(locale);
      return known ?? waiting.get(locale) ?? enqueue(locale);
    },
    async close(): Promise<void> {
      await queue;
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
