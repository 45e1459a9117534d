/** All the data of a product's lists, cards and search entry, and pure functions that derive them. */
import { limits } from '#contract/limits.ts';
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { categoryChain } from '#contract/rules/categories.ts';
import { startingPrice } from '#contract/rules/modifiers.ts';
import type { Badge, PriceInfo } from '#contract/schemas/catalogue.ts';
import type { ProductModifierGroup } from '#contract/schemas/modifier-input.ts';
import type {
  LocalParagraphs,
  ProductDetails,
  Status,
  StoredOption,
  StoredOptions,
} from '#contract/schemas/product.ts';
import { picturesInHtml, plainParagraphs } from '#server/platform/html.ts';
import type { StoredGroup } from '../modifiers/modifier-groups.ts';
import { type SearchTexts, skuToken } from '../search/tokens.ts';
import type { TaxonomyNames } from '../taxonomy/taxonomy.ts';

/** In place of the ids of all stores, also of those that are still to open. */
export const anyStore = '*';

export interface CatalogueSku {
  sku: string;
  optionPairs: string;
  priceCents: number;
  compareAtCents: number | null;
  /** Null: that of its options. */
  image: string | null;
  counted: boolean;
  /** Sold beyond stock. */
  oversell: boolean;
  gtin: string | null;
  singleServings: number;
  /** In place of what the product and its options make. */
  hasOwnPrice: boolean;
  hasOwnCompareAt: boolean;
  costCents: number | null;
  /** Null: the product's. */
  weightGrams: number | null;
  /** On sale, without stores where it is sold out today. */
  units: number;
  /** What can be had: units, or if it does not run out, no fewer than an order may have. */
  quantity: number;
  stock: Record<string, number>;
}

export interface CatalogueProduct {
  no: number;
  id: string;
  /** Whether customers see it now. */
  published: boolean;
  status: Status;
  publishAt: number | null;
  unpublishAt: number | null;
  name: LocalText;
  shortDescription: LocalText;
  description: LocalParagraphs;
  /** Sanitised; null: the paragraphs of `description`. */
  descriptionHtml: LocalText | null;
  seoTitle: LocalText | null;
  seoDescription: LocalText | null;
  brand: string;
  category: string;
  tags: string[];
  priceCents: number;
  compareAtCents: number | null;
  clearance: boolean;
  newArrival: boolean;
  inStoreOnly: boolean;
  soldOut: boolean;
  /** Where it can be had, and is not sold out today, in the order of the ids; `anyStore` alone if it does not run out. */
  stores: string[];
  details: ProductDetails;
  options: StoredOptions;
  images: string[];
  modifierGroups: ProductModifierGroup[];
  /** The groups themselves, and all that they open. */
  groups: StoredGroup[];
  createdAt: number;
  skus: CatalogueSku[];
}

const isSkuReduced = ({
  priceCents,
  compareAtCents,
}: Pick<CatalogueSku, 'priceCents' | 'compareAtCents'>): boolean =>
  compareAtCents !== null && compareAtCents > priceCents;

export const isReduced = ({ skus }: Pick<CatalogueProduct, 'skus'>): boolean => skus.some(isSkuReduced);

/** SPEC §9: SALE for a discounted price, but CLEARANCE for a product on clearance. */
export function badgesOf(product: Pick<CatalogueProduct, 'clearance' | 'skus'>): Badge[] {
  if (product.clearance) return ['CLEARANCE'];
  return isReduced(product) ? ['SALE'] : [];
}

type Priced = Pick<CatalogueProduct, 'skus' | 'priceCents' | 'groups'>;

/** Cents, as it is offered; lists show it and sort by it. */
export const lowestPrice = (product: Priced): number =>
  cheapest(offersOf(product))?.price ?? product.priceCents;

/** Of the cheapest SKU. */
export function priceInfo(product: Priced, currency: string): PriceInfo {
  const offers = offersOf(product);
  const { price, listPrice } = cheapest(offers) ?? { price: product.priceCents, listPrice: null };
  return { price, listPrice, currency, from: offers.some((offer) => offer.price > price || offer.from) };
}

interface Offer {
  price: number;
  /** Before a reduction. */
  listPrice: number | null;
  from: boolean;
}

const cheapest = (offers: readonly Offer[]): Offer | undefined =>
  offers.toSorted((a, b) => a.price - b.price)[0];

/** With default modifiers, and the cheapest of those that must be chosen. */
function offersOf({ skus, groups }: Priced): Offer[] {
  return skus.map((sku) => {
    const { price: added, from } = startingPrice({ groups, optionPairs: sku.optionPairs, storeId: null });
    return {
      price: sku.priceCents + added,
      listPrice: isSkuReduced(sku) ? (sku.compareAtCents ?? 0) + added : null,
      from,
    };
  });
}

export function quantityOf(product: Pick<CatalogueProduct, 'skus'>): number {
  return product.skus.reduce((sum, sku) => sum + sku.quantity, 0);
}

/** At 205 characters and '…' (SPEC §3, §9), never inside a character. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length > limits.shortDescriptionLength
    ? `${characters.slice(0, limits.shortDescriptionLength).join('')}…`
    : text;
}

export function colourOption(options: StoredOptions): StoredOption | undefined {
  return options.find((option) => option.values.some((value) => value.color !== null));
}

export function searchTexts(product: CatalogueProduct, taxonomy: TaxonomyNames): SearchTexts {
  const brand = taxonomy.brands.get(product.brand);
  return {
    names: allTexts(product.name),
    labels: [
      ...(brand ? allTexts(brand.name) : []),
      ...categoryChain(taxonomy, product.category).flatMap((category) => allTexts(category.name)),
      ...product.tags.flatMap((id) => allTexts(taxonomy.tags.get(id)?.name ?? { en: '' })),
      ...product.options.flatMap((option) => option.values.flatMap((value) => allTexts(value.name))),
      ...(product.details.materials ? allTexts(product.details.materials) : []),
      ...product.groups.flatMap(({ modifiers }) =>
        modifiers.flatMap(({ nameContent }) => allTexts(nameContent)),
      ),
    ],
    details: [
      ...allTexts(product.shortDescription),
      ...localeCodes.flatMap((locale) => product.description[locale] ?? []),
      ...allTexts(product.descriptionHtml ?? {}).flatMap(plainParagraphs),
      // Those that are no single word are found by their words.
      ...product.skus.flatMap(({ sku }) => (skuToken(sku) === null ? sku : [])),
    ],
    skus: product.skus.map((sku) => sku.sku),
  };
}

function allTexts(text: LocalText): string[] {
  return localeCodes.flatMap((locale) => text[locale] ?? []);
}

interface Pictured extends Pick<CatalogueProduct, 'images' | 'options'> {
  skus: readonly { image?: string | null }[];
  descriptionHtml?: LocalText | null;
}

/** File names, each once: its own, those of its options and SKUs, and those in its description. */
export function imagesOf(product: Pictured): string[] {
  return [
    ...new Set([
      ...ownImages(product),
      ...Object.values(product.descriptionHtml ?? {}).flatMap(picturesInHtml),
    ]),
  ];
}

/** Without those in its description. */
export function ownImages({ images, options, skus }: Omit<Pictured, 'descriptionHtml'>): string[] {
  const ofOptions = options.flatMap(({ values }) => values.flatMap(({ image }) => image ?? []));
  return [...new Set([...images, ...ofOptions, ...skus.flatMap(({ image }) => image ?? [])])];
}
