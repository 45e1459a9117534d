/** Serves the feeds of products, one for each language: `/feeds/products.en.xml` for Google Merchant Center, `.jsonl` for ChatGPT. */
import type { FastifyInstance } from 'fastify';
import { inLocale, isOffered, type Locale, localizePath } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import { decimalText } from '#contract/money.ts';
import { attributesOfOptions, parseOptionPairs, variantName } from '#contract/option-pairs.ts';
import { startingPrice } from '#contract/rules/modifiers.ts';
import type { CategoryRef, Product, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { escapeHtml, withoutInvalidXml } from '#server/platform/html.ts';
import { createGzipFiles, sendXml } from './gzip-files.ts';

/** Products read and formatted at a time, which takes about 20 ms. */
const partSize = 200;

export interface ProductFeedDeps {
  db: Database;
  now: () => number;
  catalogue: CatalogueService;
  settings: SettingsService;
  stores: StoresService;
  origin: () => string;
}

export function registerProductFeeds(
  app: FastifyInstance,
  { db, now, catalogue, settings, stores, origin }: ProductFeedDeps,
): void {
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

  const files = createGzipFiles({ version: async () => db.catalogueVersion(), parts, now });
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
        variant_dict:
          values.length > 0 ? Object.fromEntries(values.map(({ label, text }) => [label, text])) : undefined,
        ...(grams ? { weight: String(grams), item_weight_unit: 'g' } : {}),
        ...seller,
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}

export interface FeedPlace {
  origin: string;
  locale: Locale;
}

/** The longest values that Google accepts, in characters. */
export const longest = {
  title: 150,
  description: 5000,
  brand: 70,
  attribute: 100,
  productType: 750,
} as const;
/** Images besides the main one. */
const mostImages = 10;
/** Px. */
const pictureWidth = 1280;

const feedTail = '</channel>\n</rss>\n';

/** The start of a feed, with the name and tagline of the shop. */
function feedHead(
  { title, description }: { title: string; description: string },
  { origin, locale }: FeedPlace,
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n',
    element('title', title),
    element('link', origin + localizePath('/', locale)),
    element('description', description || title),
    '\n',
  ].join('');
}

/** The items of a product. None for a product in store only, which Google does not list. */
function itemsXml(product: Product, place: FeedPlace): string {
  if (product.inStoreOnly) return '';
  const shared = sharedXml(product, place);
  return product.skus.map((sku) => `<item>${ofSku(product, sku, place)}${shared}</item>\n`).join('');
}

function sharedXml(product: Product, { locale }: FeedPlace): string {
  const { brand, category, description, shortDesciption, skus } = product;
  return [
    ...(skus.length > 1 ? [attribute('item_group_id', product.id)] : []),
    element('description', cut([shortDesciption, ...description].join('\n'), longest.description)),
    attribute('brand', cut(inLocale(brand.nameContent, locale), longest.brand)),
    attribute('condition', 'new'),
    attribute('product_type', cut(categoryPath(category, locale).join(' > '), longest.productType)),
  ].join('');
}

/** What every feed says of a SKU. */
export function offerOf(
  product: Product,
  { optionPairs, priceInfo, image, inStock, backorder }: SkuInfo,
  { origin, locale }: FeedPlace,
) {
  const { listPrice, currency } = priceInfo;
  const chosenPrice = startingPrice({
    groups: product.modifierGroups ?? [],
    optionPairs,
    storeId: null,
  }).price;
  const money = (cents: number) => `${decimalText(cents, currency)} ${currency}`;
  const chosen = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  const values = valuesOf(product, chosen, locale);
  const images = imagesOf(product, [image ?? null, ...values.map((value) => value.image)]).map(
    (path) => origin + path,
  );
  const title = variantName(
    inLocale(product.nameContent, locale),
    values.map(({ text }) => text),
  );
  const query = new URLSearchParams([...chosen]).toString();
  const link =
    origin + localizePath(`/product/${encodeURIComponent(product.id)}`, locale) + (query && `?${query}`);
  // Feeds call the price before a reduction the price.
  const price = money((listPrice ?? priceInfo.price) + chosenPrice);
  const salePrice = listPrice === null ? null : money(priceInfo.price + chosenPrice);
  const availability = backorder ? 'backorder' : inStock ? 'in_stock' : 'out_of_stock';
  return { values, images, title: cut(title, longest.title), link, price, salePrice, availability };
}

function ofSku(product: Product, info: SkuInfo, place: FeedPlace): string {
  const { sku, gtin, weightGrams } = info;
  const { values, images, title, link, price, salePrice, availability } = offerOf(product, info, place);
  const grams = weightGrams ?? product.weightGrams;
  return [
    attribute('id', sku),
    // The shop stores no part numbers of manufacturers.
    gtin === undefined ? attribute('identifier_exists', 'no') : attribute('gtin', gtin),
    element('title', title),
    element('link', link),
    ...images.slice(0, 1).map((url) => attribute('image_link', url)),
    ...images.slice(1, mostImages + 1).map((url) => attribute('additional_image_link', url)),
    attribute('availability', availability),
    attribute('price', price),
    ...(salePrice === null ? [] : [attribute('sale_price', salePrice)]),
    ...(grams ? [attribute('shipping_weight', `${grams} g`)] : []),
    ...values.map(({ name, label, text }) => valueXml(name, label, text)),
  ].join('');
}

/** An option that Google does not know becomes a detail of the product. */
function valueXml(name: string | undefined, label: string, text: string): string {
  const value = cut(text, longest.attribute);
  if (name) return attribute(name, value);
  const detail =
    attribute('attribute_name', cut(label, longest.attribute)) + attribute('attribute_value', value);
  return `<g:product_detail>${detail}</g:product_detail>`;
}

interface ChosenValue {
  name: string | undefined;
  label: string;
  text: string;
  image: Product['mediaInfo']['imageInfos'][number] | null;
}

function valuesOf(
  { specification: { options } }: Product,
  chosen: Map<string, string>,
  locale: Locale,
): ChosenValue[] {
  const attributes = attributesOfOptions(options);
  return options.flatMap(({ name, nameContent, values }) => {
    const found = values.find(({ value }) => value === chosen.get(name));
    if (!found) return [];
    const text = inLocale(found.valueContent, locale);
    return [{ name: attributes.get(name), label: inLocale(nameContent, locale), text, image: found.image }];
  });
}

function imagesOf({ mediaInfo }: Product, ofValues: ChosenValue['image'][]): string[] {
  const all = [...ofValues, ...mediaInfo.imageInfos].flatMap((image) =>
    image ? [fittingUrl(image, pictureWidth)] : [],
  );
  return [...new Set(all)];
}

export function categoryPath(category: CategoryRef, locale: Locale): string[] {
  const names: string[] = [];
  for (
    let at: Pick<CategoryRef, 'categoryNameContent'> & { parent: unknown } = category;
    ;
    at = at.parent as typeof at
  ) {
    names.unshift(inLocale(at.categoryNameContent, locale));
    if (!at.parent) return names;
  }
}

/** Cuts a text to so many characters, never inside one. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('');
}

function attribute(name: string, value: string): string {
  return element(`g:${name}`, value);
}

function element(name: string, value: string): string {
  return `<${name}>${escapeHtml(withoutInvalidXml(value))}</${name}>`;
}
