/** Compressed part by part, so that no large text is ever in memory; a thirtieth of the size, kept for the catalogue version. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type { SitemapService } from './sitemap.service.ts';
import { entryXml, sitemapHead, sitemapTail } from './sitemap-xml.ts';

const defaultMostBytes = 16 * 1024 * 1024;

/** `mostBytes` is the size of the cache; the least recently used file is evicted first. */
export function createSitemapFiles(sitemaps: SitemapService, origin: () => string, mostBytes: number = defaultMostBytes) {
  let version = -1;
  let bytes = 0;
  const kept = new Map<string, Promise<Buffer | null>>();

  async function make(name: string): Promise<Buffer | null> {
    const entries = await sitemaps.entries(name);
    if (!entries) return null;
    const host = origin();
    async function* xml() {
      yield sitemapHead;
      for await (const part of entries ?? []) yield part.map((entry) => entryXml(entry, host)).join('');
      yield sitemapTail;
    }
    const source = Readable.from(xml());
    const gzip = createGzip();
    source.on('error', (error) => gzip.destroy(error));
    return await buffer(source.pipe(gzip));
  }

  function keep(name: string, size: number): void {
    bytes += size;
    // Maps iterate in insertion order.
    for (const [oldest, made] of kept) {
      if (bytes <= mostBytes || oldest === name) break;
      kept.delete(oldest);
      void made.then((body) => {
        bytes -= body?.length ?? 0;
      });
    }
  }

  return {
    /** A sitemap by name, as gzipped XML; null if there is none. Parallel requests share one generation. */
    async gzipped(name: string, current: number): Promise<Buffer | null> {
      if (current !== version) {
        kept.clear();
        bytes = 0;
        version = current;
      }
      const known = kept.get(name);
      if (known) return known;
      const making = make(name);
      kept.set(name, making);
      const forget = () => {
        if (kept.get(name) === making) kept.delete(name);
      };
      making.then((body) => {
        if (body === null) forget();
        else if (kept.get(name) === making) keep(name, body.length);
      }, forget);
      return making;
    },
  };
}
