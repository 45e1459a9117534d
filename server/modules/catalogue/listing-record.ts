/** Records how a product is listed. Stored with the product, so that it can be unlisted exactly, whatever has changed since. */
import { type Locale, localeCodes } from '#contract/locales.ts';
import type { SqlValue } from '#db/bulk-writes.ts';
import { filterValues } from './filter-scopes.ts';
import type { NameKeys } from './name-ranks.ts';
import { type CatalogueProduct, flagsOf, keyOf, lowestPrice, scopesOf } from './product.ts';
import { scopeNames, type Taxonomy } from './taxonomy.ts';

export interface ListingRecord {
  /** The position in the default order; also the key of the search entry. */
  key: number;
  price: number;
  names: NameKeys;
  /** Ids of the scopes that list it. */
  scopes: number[];
  brand: number;
  category: number;
  flags: number;
  /** Ids of the stores that have units. A record may be older than these. */
  stores?: string[];
}

/** `sort` of the default order and of prices; name orders use their language's code. */
export const sortColumns = { default: 'd', price: 'p' } as const;

export const listingColumns = ['scope_id', 'sort', 'key', 'product_no', 'brand_scope', 'category_scope', 'flags'] as const;

export function recordOf(product: CatalogueProduct, taxonomy: Taxonomy, names: NameKeys): ListingRecord {
  const id = (name: string) => {
    const scope = taxonomy.scopes.get(name);
    if (!scope) throw new Error(`No scope ${name}`);
    return scope.id;
  };
  const filters = filterValues(product, taxonomy.priceRanges);
  return {
    key: keyOf(product),
    price: lowestPrice(product),
    names,
    scopes: [...scopesOf(product, taxonomy), ...filters.scopes].map(id),
    brand: id(scopeNames.brand(product.brand)),
    category: id(scopeNames.category(product.category)),
    flags: flagsOf(product) | filters.bits,
    stores: product.stores,
  };
}

/** Every order with the product's key in it. */
export function sortKeys(record: ListingRecord): [sort: string, key: number][] {
  return [
    [sortColumns.default, record.key],
    [sortColumns.price, record.price],
    // A record may be older than a language.
    ...localeCodes.flatMap((locale: Locale) =>
      locale in record.names ? [[locale, record.names[locale]] as [string, number]] : [],
    ),
  ];
}

/** The rows of `listings` as `deleteListings` names them. */
export function listingKeys(no: number, record: ListingRecord): SqlValue[][] {
  return record.scopes.flatMap((scope) => sortKeys(record).map(([sort, key]) => [scope, sort, key, no]));
}

/** Rows of `listings`, in the order of `listingColumns`. */
export function listingRows(no: number, record: ListingRecord): SqlValue[][] {
  return record.scopes.flatMap((scope) =>
    sortKeys(record).map(([sort, key]) => [scope, sort, key, no, record.brand, record.category, record.flags]),
  );
}
