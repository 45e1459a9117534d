/** What a list is filtered by, as scopes; and the ranges of prices that a shop offers. */
import type { Query } from '#contract/endpoints.ts';
import { capacityRanges, type FilterRange, filterColourNames, formatFilterRange } from '#contract/list-filters.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { type TaxonomyNames, withDescendants } from '../taxonomy.ts';
import { scopeNames } from './listing.ts';

export type ListFilter = Omit<Query<'productCount'>, 'lang'>;

export interface FilterContext {
  names: TaxonomyNames;
  prices: readonly FilterRange[];
}

/**
 * The scopes of a filter, each with those that stand for it: a category's own and those of the categories below it.
 * @throws {AppError} 404 for unknown names and ranges
 */
export function filterScopes(filter: ListFilter, { names, prices }: FilterContext): ReadonlyMap<string, readonly string[]> {
  const { categoryName, brandName, tagName, priceRange, capacityRange, colour, localStoreName } = filter;
  const scopes = new Map<string, readonly string[]>();
  const add = (scope: string, isKnown = true, parts = [scope]) => {
    if (!isKnown) throw notFound();
    scopes.set(scope, parts);
  };
  const isRange = (ranges: readonly FilterRange[], wanted: string) => ranges.some((range) => formatFilterRange(range) === wanted);
  if (categoryName !== undefined) {
    const below = withDescendants(names, categoryName).map(scopeNames.category);
    add(scopeNames.category(categoryName), names.categories.has(categoryName), below);
  }
  if (brandName !== undefined) add(scopeNames.brand(brandName), names.brands.has(brandName));
  if (tagName !== undefined) add(scopeNames.tag(tagName), names.tags.has(tagName));
  if (priceRange !== undefined) add(`price:${priceRange}`, isRange(prices, priceRange));
  if (capacityRange !== undefined) add(`capacity:${capacityRange}`, isRange(capacityRanges, capacityRange));
  if (colour !== undefined) add(scopeNames.colour(colour), (filterColourNames as readonly string[]).includes(colour));
  if (localStoreName !== undefined) add(scopeNames.store(localStoreName));
  if (filter.onSale) add(scopeNames.sale);
  if (filter.clearance) add(scopeNames.clearance);
  if (filter.newArrival) add(scopeNames.new);
  return scopes;
}

/** Prices at which a range ends and the next begins, in units of the currency. Others have those of the Canadian dollar. */
const usualLimits: Readonly<Record<string, readonly number[]>> = {
  CNY: [150, 300, 500],
  HKD: [250, 450, 800],
  TWD: [1000, 2000, 3000],
  JPY: [3000, 6000, 10_000],
  KRW: [30_000, 60_000, 100_000],
  INR: [1500, 3000, 6000],
  MXN: [500, 1000, 2000],
  SEK: [300, 600, 1000],
  NOK: [300, 600, 1000],
  DKK: [200, 400, 700],
  CZK: [500, 1000, 2000],
  PLN: [100, 200, 400],
};

/** The price ranges that lists are filtered by, cents: those of the settings, or usual ones of the shop's currency. */
export function priceRanges({ currency, listFilters }: Pick<ShopSettings, 'currency' | 'listFilters'>): FilterRange[] {
  const usual = (usualLimits[currency] ?? [30, 60, 100]).map((units) => units * 100);
  const limits = listFilters.priceLimitsCents.length > 0 ? listFilters.priceLimitsCents : usual;
  return [...limits, null].map((limit, index) => ({
    from: limits[index - 1] ?? null,
    to: limit === null ? null : limit - 1,
  }));
}
