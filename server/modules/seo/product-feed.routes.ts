/** Serves the feeds of products for Google Merchant Center: `/feeds/products.en.xml`, one for each language. */
import type { FastifyInstance } from 'fastify';
import { inLocale, isOffered, type Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { createGzipFiles, sendXml } from './gzip-files.ts';
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
  async function* parts(name: string): AsyncGenerator<string> {
    const locale = name as Locale;
    const place = { origin: origin(), locale };
    const { shopName, tagline } = await settings.all();
    yield feedHead({ title: inLocale(shopName, locale), description: inLocale(tagline, locale) }, place);
    for await (const products of catalogue.everyProduct(locale, partSize))
      yield products.map((product) => itemsXml(product, place)).join('');
    yield feedTail;
  }

  const files = createGzipFiles({ version: async () => db.catalogueVersion(), parts });
  app.addHook('onClose', () => files.close());

  app.get<{ Params: { file: string } }>('/feeds/:file', async (request, reply) => {
    const [, locale] = /^products\.([\w-]+)\.xml$/.exec(request.params.file) ?? [];
    await settings.all();
    if (!isOffered(locale)) return unknownEndpoint(request, reply);
    return sendXml(files, locale, { request, reply: reply.header('x-robots-tag', 'noindex') });
  });
}
