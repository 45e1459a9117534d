import { canonicalText, inLocale, type Locale, mainLocale } from '#contract/locales.ts';
import { formatOptionPairs, parseOptionPairs } from '#contract/option-pairs.ts';
import { categoryChain } from '#contract/rules/categories.ts';
import { menusOf, menusText } from '#contract/rules/menus.ts';
import type { Product, ProductOption } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { ProductDetails, StoredOption } from '#contract/schemas/product.ts';
import { skuPriceInfo } from '#server/modules/pricing/index.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import type { SoldOut } from '#server/modules/stores/index.ts';
import { brand as shopBrand } from '#server/platform/brand.ts';
import { plainParagraphs, shownHtml } from '#server/platform/html.ts';
import { translate } from '#server/platform/i18n.ts';
import { shownGroups } from '../modifiers/modifier-groups.ts';
import { categoryRef, type TaxonomyNames } from '../taxonomy/taxonomy.ts';
import type { SaleTerms } from '../taxonomy/taxonomy-views.ts';
import { capacityText, measureText } from './card.ts';
import {
  badgesOf,
  type CatalogueProduct,
  type CatalogueSku,
  colourOption,
  ownImages,
  priceInfo,
  quantityOf,
  shortened,
} from './product.ts';

export interface ProductViewParts {
  taxonomy: TaxonomyNames;
  images: ReadonlyMap<string, ImageInfo>;
  shop: ShopSettings;
  weightGrams: number | null;
  soldOut: SoldOut;
  terms: SaleTerms;
}

function skuView(
  sku: CatalogueProduct['skus'][number],
  images: ProductViewParts['images'],
  currency: string,
  { takesOrders }: SaleTerms,
): Product['skus'][number] {
  return {
    sku: sku.sku,
    optionPairs: sku.optionPairs,
    priceInfo: skuPriceInfo(sku, currency),
    inStock: takesOrders && sku.quantity > 0,
    ...(sku.oversell && sku.counted && sku.quantity > 0 && sku.units === 0 ? { backorder: true } : {}),
    ...pictureOf(sku, images),
    ...(sku.gtin === null ? {} : { gtin: sku.gtin }),
    ...(sku.weightGrams === null ? {} : { weightGrams: sku.weightGrams }),
  };
}

/** @throws {Error} if its brand or category is missing, which the database rules out */
export function productView(
  product: CatalogueProduct,
  { taxonomy, images, shop, soldOut, terms, weightGrams }: ProductViewParts,
  locale: Locale,
): Product {
  const { currency } = shop;
  const brand = taxonomy.brands.get(product.brand);
  const category = categoryRef(taxonomy, product.category);
  if (!brand || !category) throw new Error(`Product ${product.id} has no brand or category`);
  const productName = inLocale(product.name, locale);
  const shortText = inLocale(product.shortDescription, locale);
  const shortDesciption = shortened(shortText);
  const html = product.descriptionHtml && inLocale(product.descriptionHtml, locale);
  const written =
    product.description[locale] ??
    product.description[mainLocale()] ??
    Object.values(product.description)[0] ??
    [];
  const paragraphs = html ? plainParagraphs(html) : written;
  const options = optionsOf(product, images);
  const extras = shopBrand.productExtras?.(product.details, shop);
  return {
    id: product.id,
    productName,
    nameContent: product.name,
    shortDesciption,
    priceInfo: priceInfo(product, currency),
    badges: badgesOf(product),
    newArrival: product.newArrival,
    inStoreOnly: product.inStoreOnly,
    brand: { name: brand.id, nameContent: brand.name },
    mediaInfo: { imageInfos: gallery(product, images, locale) },
    inventory: { quantity: quantityOf(product) },
    // A cut text stands whole at the head of the description.
    description: shortDesciption === shortText ? paragraphs : [shortText, ...paragraphs],
    ...(html ? { descriptionHtml: shownHtml(html, locale, (file) => images.get(file)) } : {}),
    ...(product.seoTitle ? { seoTitle: inLocale(product.seoTitle, locale) } : {}),
    ...(product.seoDescription ? { seoDescription: inLocale(product.seoDescription, locale) } : {}),
    category,
    tags: product.tags.flatMap((id) => {
      const tag = taxonomy.tags.get(id);
      return tag ? [{ name: id, nameContent: tag.name }] : [];
    }),
    specification: {
      options,
      attributes: [
        ...menuTimes(product, taxonomy, shop, locale),
        ...attributes(product.details, weightGrams, locale),
      ],
    },
    skus: product.skus.map((sku) => skuView(sku, images, currency, terms)),
    ...(terms.takesOrders ? {} : { notForSaleYet: true }),
    ...terms.served?.({ product: product.id, category: product.category }),
    ...groupsOf(product, terms, soldOut),
    weightGrams,
    scene: (product.details.scene && images.get(product.details.scene)) || null,
    ...(product.inStoreOnly
      ? { howToGet: translate(locale)(terms.delivers ? 'spec.servedOrDelivered' : 'spec.servedOnly') }
      : {}),
    returns: returnsOf(product, taxonomy, shop.returnsLine),
    ...(extras ? { extras } : {}),
  };
}

function pictureOf({ image }: CatalogueSku, images: ReadonlyMap<string, ImageInfo>): { image?: ImageInfo } {
  const shown = image === null ? undefined : images.get(image);
  return shown ? { image: shown } : {};
}

function groupsOf(
  { groups }: CatalogueProduct,
  { served }: SaleTerms,
  soldOut: SoldOut,
): Pick<Product, 'modifierGroups'> {
  if (groups.length === 0) return {};
  return {
    modifierGroups: shownGroups(groups, soldOut).map((group) => ({
      ...group,
      ...served?.({ modifierGroup: group.id }),
    })),
  };
}

/** Where the product's category shows it. */
function returnsOf(
  { category, inStoreOnly }: CatalogueProduct,
  taxonomy: TaxonomyNames,
  line: ShopSettings['returnsLine'],
): Product['returns'] {
  if (!line || inStoreOnly) return null;
  const { text, link, categories } = line;
  const shown = !categories || categoryChain(taxonomy, category).some(({ id }) => categories.includes(id));
  return shown ? { textContent: text, link } : null;
}

/** Where SKUs have prices of their own, each value of an option that makes a difference has the price of the cheapest with it. */
function withOwnPrices({ skus }: CatalogueProduct) {
  const lowest = new Map<string, number>();
  for (const { optionPairs, priceCents } of skus)
    for (const pair of parseOptionPairs(optionPairs) ?? []) {
      const key = formatOptionPairs([pair]);
      lowest.set(key, Math.min(priceCents, lowest.get(key) ?? priceCents));
    }
  return ({ name, values }: StoredOption): StoredOption => {
    const prices = values.map(
      (value) => lowest.get(formatOptionPairs([[canonicalText(name), canonicalText(value.name)]])) ?? null,
    );
    const differ = new Set(prices.filter((price) => price !== null)).size > 1;
    return {
      name,
      values: values.map((value, index) => ({
        ...value,
        priceDeltaCents: 0,
        overridePriceCents: (differ && prices[index]) || null,
      })),
    };
  };
}

function optionsOf(product: CatalogueProduct, images: ReadonlyMap<string, ImageInfo>): ProductOption[] {
  const withPrices = product.skus.some(({ hasOwnPrice }) => hasOwnPrice)
    ? product.options.map(withOwnPrices(product))
    : product.options;
  return withPrices.map((option) => ({
    name: canonicalText(option.name),
    nameContent: option.name,
    values: option.values.map((value) => ({
      value: canonicalText(value.name),
      valueContent: value.name,
      priceInfo: { price: value.priceDeltaCents },
      overridePrice: value.overridePriceCents,
      inventoryAttribute: value.skuSuffix,
      color: value.color,
      image: (value.image && images.get(value.image)) || null,
    })),
  }));
}

/** Without duplicates. One without a text has the name of the product, and its colour. */
function gallery(
  product: CatalogueProduct,
  images: ReadonlyMap<string, ImageInfo>,
  locale: Locale,
): ImageInfo[] {
  const productName = inLocale(product.name, locale);
  const colours = new Map<string, string>();
  for (const { image, name } of colourOption(product.options)?.values ?? []) {
    const url = image && images.get(image)?.imageURL;
    if (url) colours.set(url, inLocale(name, locale));
  }
  const shown = new Map<string, ImageInfo>();
  for (const file of ownImages(product)) {
    const image = images.get(file);
    if (!image || shown.has(image.imageURL)) continue;
    const text = product.details.imageTexts?.[file];
    const colour = colours.get(image.imageURL);
    const named =
      colour === undefined ? productName : [productName, colour].join(translate(locale)('ui.listSeparator'));
    shown.set(image.imageURL, { ...image, alt: text ? inLocale(text, locale) : named });
  }
  return [...shown.values()];
}

function menuTimes(
  { id, category }: CatalogueProduct,
  taxonomy: TaxonomyNames,
  { menus }: ShopSettings,
  locale: Locale,
) {
  const categories = categoryChain(taxonomy, category).map((each) => each.id);
  const t = translate(locale);
  const value = menusText(menusOf(menus, { product: id, categories }, null), locale, t).join(' · ');
  return value === '' ? [] : [{ name: t('spec.served'), value }];
}

function attributes(
  { materials, care, dimensions = {} }: ProductDetails,
  weightGrams: number | null,
  locale: Locale,
) {
  const t = translate(locale);
  const number = (value: number) => measureText(value, locale);
  const { lengthCm, widthCm, heightCm, diameterCm, capacityMl } = dimensions;
  const sides = [lengthCm, widthCm, heightCm].filter((side) => typeof side === 'number');
  const size = [
    ...(sides.length > 0 ? [t('spec.cm', { value: sides.map(number).join(' × ') })] : []),
    ...(diameterCm ? [t('spec.diameter', { value: number(diameterCm) })] : []),
  ].join(' · ');
  const entries: [name: string, value: string][] = [
    [t('spec.materials'), materials ? inLocale(materials, locale) : ''],
    [t('spec.size'), size],
    [t('spec.capacity'), capacityMl ? capacityText(capacityMl, locale) : ''],
    [
      t('spec.weight'),
      weightGrams
        ? t(weightGrams < 1000 ? 'spec.grams' : 'spec.kilograms', {
            value: number(weightGrams < 1000 ? weightGrams : weightGrams / 1000),
          })
        : '',
    ],
    [t('spec.care'), care ? inLocale(care, locale) : ''],
  ];
  return entries.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value }));
}
