/** All the data of a product's lists, cards and search entry, and pure functions that derive them. */
import { limits } from '#contract/limits.ts';
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { startingPrice } from '#contract/rules/modifiers.ts';
import type { Badge, PriceInfo } from '#contract/schemas/catalogue.ts';
import type { ProductModifierGroup } from '../modifiers/modifier-group-input.ts';
import type { StoredGroup } from '../modifiers/modifier-groups.ts';
import type { SearchTexts } from '../search/tokens.ts';
import { categoryChain, type TaxonomyNames } from '../taxonomy/taxonomy.ts';
import type { LocalParagraphs, ProductDetails, StoredOption, StoredOptions } from './product-input.ts';

export interface CatalogueSku {
  sku: string;
  optionPairs: string;
  priceCents: number;
  compareAtCents: number | null;
  gtin: string | null;
  singleServings: number;
  /** Without stores where it is sold out today. */
  quantity: number;
  stock: Record<string, number>;
}

export interface CatalogueProduct {
  no: number;
  id: string;
  published: boolean;
  name: LocalText;
  shortDescription: LocalText;
  description: LocalParagraphs;
  brand: string;
  category: string;
  tags: string[];
  priceCents: number;
  compareAtCents: number | null;
  clearance: boolean;
  newArrival: boolean;
  inStoreOnly: boolean;
  soldOut: boolean;
  /** With units and not sold out today, in the order of the ids. */
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

export function isReduced({ priceCents, compareAtCents }: Pick<CatalogueProduct, 'priceCents' | 'compareAtCents'>): boolean {
  return compareAtCents !== null && compareAtCents > priceCents;
}

/** SPEC §9: SALE for a discounted price, but CLEARANCE for a product on clearance. */
export function badgesOf(product: Pick<CatalogueProduct, 'clearance' | 'priceCents' | 'compareAtCents'>): Badge[] {
  if (product.clearance) return ['CLEARANCE'];
  return isReduced(product) ? ['SALE'] : [];
}

type Priced = Pick<CatalogueProduct, 'skus' | 'priceCents' | 'groups'>;

/** Cents, as it is offered; lists show it and sort by it. */
export function lowestPrice(product: Priced): number {
  return product.skus.length === 0 ? product.priceCents : Math.min(...offersOf(product).map(({ price }) => price));
}

export function priceInfo(product: Priced & Pick<CatalogueProduct, 'compareAtCents'>, currency: string): PriceInfo {
  const price = lowestPrice(product);
  const from = offersOf(product).some((offer) => offer.price > price || offer.from);
  return { price, listPrice: listPrice(price, product), currency, from };
}

/** With default modifiers, and the cheapest of those that must be chosen. */
function offersOf({ skus, groups }: Priced): { price: number; from: boolean }[] {
  return skus.map(({ priceCents, optionPairs }) => {
    const { price, from } = startingPrice({ groups, optionPairs, storeId: null });
    return { price: priceCents + price, from };
  });
}

/** Before the product's discount, cents: the same difference as the product's. */
export function listPrice(price: number, product: Pick<CatalogueProduct, 'priceCents' | 'compareAtCents'>): number | null {
  return isReduced(product) ? price + (product.compareAtCents ?? 0) - product.priceCents : null;
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
      ...product.groups.flatMap(({ modifiers }) => modifiers.flatMap(({ nameContent }) => allTexts(nameContent))),
    ],
    details: [...allTexts(product.shortDescription), ...localeCodes.flatMap((locale) => product.description[locale] ?? [])],
    skus: product.skus.map((sku) => sku.sku),
  };
}

function allTexts(text: LocalText): string[] {
  return localeCodes.flatMap((locale) => text[locale] ?? []);
}

/** File names, each once. */
export function imagesOf({ images, options }: Pick<CatalogueProduct, 'images' | 'options'>): string[] {
  return [...new Set([...images, ...options.flatMap(({ values }) => values.flatMap((value) => value.image ?? []))])];
}
