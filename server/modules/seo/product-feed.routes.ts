/** Serves the feeds of products for Google Merchant Center: `/feeds/products.en.xml`, one for each language. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { inLocale, isOffered, type Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { acceptsGzip } from '#server/http/encoding.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { feedHead, feedTail, itemsXml } from './product-feed-xml.ts';

/** Products read and formatted at a time, which takes about 20 ms. */
const partSize = 200;

export interface ProductFeedDeps {
  db: Database;
  catalogue: CatalogueService;
  settings: SettingsService;
  origin: () => string;
}

export function registerProductFeeds(app: FastifyInstance, { db, catalogue, settings, origin }: ProductFeedDeps): void {
  async function* parts(locale: Locale): AsyncGenerator<string> {
    const place = { origin: origin(), locale };
    const { shopName, tagline } = await settings.all();
    yield feedHead({ title: inLocale(shopName, locale), description: inLocale(tagline, locale) }, place);
    for await (const products of catalogue.everyProduct(locale, partSize))
      yield products.map((product) => itemsXml(product, place)).join('');
    yield feedTail;
  }

  const files = createProductFeedFiles({ version: async () => db.catalogueVersion(), parts });
  app.addHook('onClose', () => files.close());

  app.get<{ Params: { file: string } }>('/feeds/:file', async (request, reply) => {
    const [, locale] = /^products\.([\w-]+)\.xml$/.exec(request.params.file) ?? [];
    await settings.all();
    if (!isOffered(locale)) return unknownEndpoint(request, reply);
    const tagOf = (version: number) => `W/"products-${locale}-${version}"`;
    reply.headers({ 'cache-control': 'public, no-cache', vary: 'Accept-Encoding', 'x-robots-tag': 'noindex' });
    const asked = request.headers['if-none-match'];
    if (asked !== undefined && asked === tagOf(await db.catalogueVersion()))
      return reply.header('etag', asked).status(304).send();
    const { version, path } = await files.current(locale);
    reply.header('etag', tagOf(version)).type('application/xml; charset=utf-8');
    const file = createReadStream(path);
    if (acceptsGzip(request.headers['accept-encoding'])) return reply.header('content-encoding', 'gzip').send(file);
    const plain = createGunzip();
    file.on('error', (error) => plain.destroy(error));
    return reply.send(file.pipe(plain));
  });
}

interface FeedFile {
  /** The catalogue version that it was generated for. */
  version: number;
  path: string;
}

interface FeedSource {
  version: () => Promise<number>;
  parts: (locale: Locale) => AsyncIterable<string>;
}

/**
 * A feed may be larger than memory: it is compressed part by part into a temporary folder. Feeds are generated one at a time, and
 * once for all who ask meanwhile, however often the catalogue changes.
 */
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
