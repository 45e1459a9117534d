import { numberFormat } from '#contract/formatters.ts';
import { canonicalText, inLocale, type Locale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo, ServedTimes } from '#contract/schemas/common.ts';
import { translate } from '#server/platform/i18n.ts';
import type { TaxonBrand } from '../taxonomy/taxonomy.ts';
import {
  badgesOf,
  type CatalogueProduct,
  colourOption,
  priceInfo,
  quantityOf,
  shortened,
} from './product.ts';

/** Measures of products in words. */
export function measureText(value: number, locale: Locale): string {
  return numberFormat(locale, { maximumFractionDigits: 2 }).format(value);
}

/** From 1000 `millilitres` on in litres. */
export function capacityText(millilitres: number, locale: Locale): string {
  const t = translate(locale);
  return millilitres < 1000
    ? t('spec.ml', { value: measureText(millilitres, locale) })
    : t('spec.litres', { value: measureText(millilitres / 1000, locale) });
}

/** Such as "50 g" or "16 cm". */
const amount = /^\d+(?:[.,]\d+)?\s?(?:g|kg|ml|l|cm|mm|oz|lb)$/i;

/** What the merchant says, or what the data do. */
export function cardFact(
  { details, options }: Pick<CatalogueProduct, 'details' | 'options'>,
  locale: Locale,
): string | undefined {
  const { keyFact, dimensions = {} } = details;
  if (keyFact) return inLocale(keyFact, locale);
  const amounts = options.find(({ values }) => values.every(({ name }) => amount.test(canonicalText(name))));
  const [first] = amounts?.values ?? [];
  if (first) return inLocale(first.name, locale);
  const { capacityMl, heightCm, lengthCm, widthCm, diameterCm } = dimensions;
  if (capacityMl) return capacityText(capacityMl, locale);
  const isUpright = heightCm && heightCm >= Math.max(lengthCm ?? 0, widthCm ?? 0, diameterCm ?? 0);
  return isUpright ? translate(locale)('spec.height', { value: measureText(heightCm, locale) }) : undefined;
}

/** Amounts in cents. */
export interface CardRow {
  product_no: number;
  card: string;
  price_cents: number;
  /** Null if the product is not discounted. */
  list_price_cents: number | null;
  price_from: number;
  quantity: number;
}

/** A card shows the leading image, and on hover the next one. */
const cardImages = 2;

/** In one language. Without the currency: the shop may change it at any time. */
export function cardRow(
  product: CatalogueProduct,
  brand: TaxonBrand,
  images: ReadonlyMap<string, ImageInfo>,
  locale: Locale,
): CardRow {
  const { price, listPrice, from } = priceInfo(product, '');
  const card: Omit<ProductSummary, 'inventory' | 'note' | 'priceInfo' | 'served'> = {
    id: product.id,
    productName: inLocale(product.name, locale),
    nameContent: product.name,
    ...optional('fact', cardFact(product, locale)),
    ...optional('sku', onlySku(product)),
    shortDesciption: shortened(inLocale(product.shortDescription, locale)),
    badges: badgesOf(product),
    newArrival: product.newArrival,
    inStoreOnly: product.inStoreOnly,
    brand: { name: brand.id, nameContent: brand.name },
    mediaInfo: { imageInfos: product.images.flatMap((file) => images.get(file) ?? []).slice(0, cardImages) },
    swatches: (colourOption(product.options)?.values ?? []).flatMap(({ name, color, image }) =>
      color === null
        ? []
        : [
            {
              value: canonicalText(name),
              valueContent: name,
              color,
              image: (image && images.get(image)) || null,
            },
          ],
    ),
  };
  return {
    product_no: product.no,
    card: JSON.stringify(card),
    price_cents: price,
    list_price_cents: listPrice,
    price_from: from ? 1 : 0,
    quantity: quantityOf(product),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { [Key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [Key in K]?: V });
}

/** It can be added to the cart without any choice. */
function onlySku({ options, groups, skus, inStoreOnly }: CatalogueProduct): string | undefined {
  return options.length === 0 && groups.length === 0 && !inStoreOnly ? skus[0]?.sku : undefined;
}

interface CardTerms {
  currency: string;
  /** Whether stores deliver what is not shipped. */
  delivers: boolean;
  served: ServedTimes | undefined;
}

/** Joins strings, because parsing the card would cost more than reading it. */
export function cardJson(row: CardRow, { currency, delivers, served }: CardTerms, locale: Locale): string {
  const { card, price_cents: price, list_price_cents: listPrice, price_from: from, quantity } = row;
  const priceJson = JSON.stringify({
    price,
    listPrice,
    currency,
    from: from === 1,
  } satisfies ProductSummary['priceInfo']);
  // In JSON nothing but the field looks like this: quotes in texts are escaped.
  const inStoreOnly = card.includes('"inStoreOnly":true');
  const where = inStoreOnly ? translate(locale)(delivers ? 'card.inStoreOrNearby' : 'card.inStoreOnly') : '';
  const note = [where, served?.text].filter(Boolean).join('\n');
  const noteJson = note ? `,"note":${JSON.stringify(note)}` : '';
  const servedJson = served ? `,"served":${JSON.stringify(served)}` : '';
  return `${card.slice(0, -1)},"priceInfo":${priceJson},"inventory":{"quantity":${quantity}}${noteJson}${servedJson}}`;
}
