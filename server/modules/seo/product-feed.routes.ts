/** Serves the feeds of products, one for each language: `/feeds/products.en.xml` for Google Merchant Center, `.jsonl` for ChatGPT. */
import type { FastifyInstance } from 'fastify';
import { inLocale, isOffered, type Locale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { createGzipFiles, sendXml } from './gzip-files.ts';
import {
  categoryPath,
  cut,
  type FeedPlace,
  feedHead,
  feedTail,
  itemsXml,
  longest,
  mostImages,
  offerOf,
} from './product-feed-xml.ts';

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

/**
 * Formats products for the feeds of ChatGPT (https://developers.openai.com/commerce/specs/file-upload/products): a line for each SKU.
 * Who sells: the same in every line.
 */
function sellerOf(
  { shopName, footer, countries }: Pick<ShopSettings, 'shopName' | 'footer' | 'countries'>,
  storeCountry: string | undefined,
  { origin, locale }: FeedPlace,
): Record<string, unknown> {
  const page = (pattern: RegExp) => {
    const link = footer.links.find((each) => pattern.test(each.link))?.link;
    return link?.startsWith('/') ? origin + link : link;
  };
  return {
    seller_name: cut(inLocale(shopName, locale), 70),
    seller_url: origin,
    seller_privacy_policy: page(/privacy/),
    seller_tos: page(/terms/),
    return_policy: page(/refund|return/),
    target_countries: countries.map(({ countryISOCode }) => countryISOCode),
    store_country: storeCountry,
  };
}

/** None for a product in store only. Nothing is bought within ChatGPT: its customers come to the shop. */
function itemsJson(product: Product, place: FeedPlace, seller: Record<string, unknown>): string {
  if (product.inStoreOnly) return '';
  const { locale } = place;
  const { brand, category, description, shortDesciption, skus, id, productName } = product;
  return skus
    .map((info) => {
      const { values, images, title, link, price, salePrice, availability } = offerOf(product, info, place);
      const { gtin, sku, weightGrams } = info;
      const grams = weightGrams ?? product.weightGrams;
      const line = {
        is_eligible_search: true,
        is_eligible_checkout: false,
        item_id: sku,
        gtin,
        title,
        description: cut([shortDesciption, ...description].join('\n') || productName, longest.description),
        url: link,
        brand: cut(inLocale(brand.nameContent, locale), longest.brand),
        condition: 'new',
        product_category: cut(categoryPath(category, locale).join(' > '), longest.productType),
        image_url: images[0],
        additional_image_urls: images.length > 1 ? images.slice(1, mostImages + 1) : undefined,
        price,
        sale_price: salePrice ?? undefined,
        availability,
        group_id: id,
        listing_has_variations: skus.length > 1,
        variant_dict: values.length > 0 ? Object.fromEntries(values.map(({ label, text }) => [label, text])) : undefined,
        ...(grams ? { weight: String(grams), item_weight_unit: 'g' } : {}),
        ...seller,
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
