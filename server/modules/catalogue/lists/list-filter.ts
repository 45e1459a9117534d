/** What a list is filtered by, as scopes; and the ranges of prices that a shop offers. */
import type { Query } from '#contract/endpoints.ts';
import { capacityRanges, type FilterRange, filterColourNames, formatFilterRange } from '#contract/list-filters.ts';
import { notFound } from '#server/platform/errors.ts';
import { scopeNames } from '../products/listing.ts';
import { type TaxonomyNames, withDescendants } from '../taxonomy/taxonomy.ts';

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
