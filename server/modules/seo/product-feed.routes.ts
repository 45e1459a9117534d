/** Serves the feeds of products for Google Merchant Center: `/feeds/products.en.xml`, one for each language. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { inLocale, isOffered, type Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { acceptsGzip } from '#server/http/encoding.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { createProductFeedFiles } from './product-feed-files.ts';
import { feedHead, feedTail, itemsXml } from './product-feed-xml.ts';

/** Products read and formatted at a time, which takes about 20 ms. */
const partSize = 200;

export interface ProductFeedDeps {
  db: Database;
  catalogue: CatalogueService;
  settings: SettingsService;
  /** Returns scheme and host of the shop. */
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
