/** Serves the feeds of products, one for each language: `/feeds/products.en.xml` for Google Merchant Center, `.jsonl` for ChatGPT. */
import type { FastifyInstance } from 'fastify';
import { inLocale, isOffered, type Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { createGzipFiles, sendXml } from './gzip-files.ts';
import { itemsJson, sellerOf } from './product-feed-jsonl.ts';
import { type FeedPlace, feedHead, feedTail, itemsXml } from './product-feed-xml.ts';

/** Products read and formatted at a time, which takes about 20 ms. */
const partSize = 200;

export interface ProductFeedDeps {
  db: Database;
  catalogue: CatalogueService;
  settings: SettingsService;
  stores: StoresService;
  origin: () => string;
}

export function registerProductFeeds(app: FastifyInstance, { db, catalogue, settings, stores, origin }: ProductFeedDeps): void {
  async function* lines(place: FeedPlace): AsyncGenerator<string> {
    const main = (await stores.all()).find(({ mainStore }) => mainStore);
    const seller = sellerOf(await settings.all(), main?.address.countryISOCode, place);
    for await (const products of catalogue.everyProduct(place.locale, partSize))
      yield products.map((product) => itemsJson(product, place, seller)).join('');
  }

  async function* parts(name: string): AsyncGenerator<string> {
    const [code = '', type] = name.split('.');
    const locale = code as Locale;
    const place = { origin: origin(), locale };
    if (type === 'jsonl') return yield* lines(place);
    const { shopName, tagline } = await settings.all();
    yield feedHead({ title: inLocale(shopName, locale), description: inLocale(tagline, locale) }, place);
    for await (const products of catalogue.everyProduct(locale, partSize))
      yield products.map((product) => itemsXml(product, place)).join('');
    yield feedTail;
  }

  const files = createGzipFiles({ version: async () => db.catalogueVersion(), parts });
  app.addHook('onClose', () => files.close());

  app.get<{ Params: { file: string } }>('/feeds/:file', async (request, reply) => {
    const [, locale, type] = /^products\.([\w-]+)\.(xml|jsonl)$/.exec(request.params.file) ?? [];
    await settings.all();
    if (!isOffered(locale)) return unknownEndpoint(request, reply);
    const name = type === 'xml' ? locale : `${locale}.${type}`;
    return sendXml(files, name, { request, reply: reply.header('x-robots-tag', 'noindex') });
  });
}
