/** Product lists: pages, counts and facets, filtered, sorted and searched. */
import { limits, type SortValue } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { type CardRow, cardJson } from './card.ts';
import { createListCounts } from './list-counts.ts';
import { type ListFilter, scopeFilters } from './list-filter.ts';
import { sortColumns } from './listing-record.ts';
import { cardsByNo, cardsOfList, type FacetColumn, facetsOfList } from './lists.repository.ts';
import type { QueryPlanner } from './search/plan-query.ts';
import { scopeToken } from './search/tokens.ts';
import {
  countResults,
  facetsOfResults,
  resultsByRelevance,
  resultsBySort,
  type SearchResult,
} from './search-results.repository.ts';
import { categoryChain, countOf, scopeNames, type Taxonomy } from './taxonomy.ts';

export interface ListPage {
  sortby?: SortValue | undefined;
  /** Products to skip; the default is 0. */
  startingPosition?: number | undefined;
  /** The default is 12. */
  numberToLoad?: number | undefined;
}

/** Cards as JSON, ready to send. */
export interface CardList {
  cards: string[];
  correctedTo: string | null;
}

interface ListsDeps {
  db: Database;
  taxonomy: () => Promise<Taxonomy>;
  /** The shop's currency, ISO 4217. */
  currency: () => Promise<string>;
  interpreter: QueryPlanner;
}

export function createLists({ db, taxonomy, currency, interpreter }: ListsDeps) {
  const counts = createListCounts(db);

  /** The result of a search; null if nothing can match. */
  async function search(
    filter: ListFilter,
    known: Taxonomy,
  ): Promise<{ found: SearchResult | null; correctedTo: string | null }> {
    recordReads(topics.search);
    const { rankGroups: tiers, correctedTo } = await interpreter.plan(filter.nameLike ?? '');
    const filters = scopeFilters(filter, known).flatMap(({ kind, scopeId }) => (kind === 'all' ? [] : [scopeToken(scopeId)]));
    return { found: tiers.length > 0 ? { tiers, filters } : null, correctedTo };
  }

  async function cardsJson(rows: readonly CardRow[]): Promise<string[]> {
    recordReads(...rows.map((row) => topics.product(row.product_no)));
    const shopCurrency = await currency();
    return rows.map((row) => cardJson(row, shopCurrency));
  }

  async function count(filter: ListFilter): Promise<number> {
    const known = await taxonomy();
    if (filter.nameLike === undefined) return await counts.count(scopeFilters(filter, known), known);
    const { found } = await search(filter, known);
    return found ? await countResults(db, found) : 0;
  }

  async function countBy(column: FacetColumn, filter: ListFilter, known: Taxonomy): Promise<ReadonlyMap<number, number>> {
    if (filter.nameLike === undefined) return await facetsOfList(db, scopeFilters(filter, known), column);
    const { found } = await search(filter, known);
    return found ? await facetsOfResults(db, found, column, allScopeId(known)) : new Map();
  }

  return {
    /** A page of cards. `correctedTo` is the text that was searched instead, null if the original text was used. */
    async page(filter: ListFilter, page: ListPage, locale: Locale): Promise<CardList> {
      const { sortby = 'default', startingPosition: offset = 0, numberToLoad: limit = limits.pageSize } = page;
      const known = await taxonomy();
      const sort = sortby === 'default' ? sortColumns.default : sortby === 'price' ? sortColumns.price : locale;
      if (filter.nameLike === undefined) {
        const filters = scopeFilters(filter, known);
        recordReads(...filters.map(({ scopeId }) => topics.list(scopeId, sort)));
        const window = { sort, language: locale, offset, limit, count: counts.known(filters, known) };
        return { cards: await cardsJson(await cardsOfList(db, filters, window)), correctedTo: null };
      }
      const { found, correctedTo } = await search(filter, known);
      if (!found) return { cards: [], correctedTo: null };
      if (sortby !== 'default') recordReads(topics.list(allScopeId(known), sort));
      const nos =
        sortby === 'default'
          ? await resultsByRelevance(db, found, offset, limit)
          : await resultsBySort(db, found, sort, allScopeId(known), offset, limit);
      return { cards: await cardsJson(await cardsByNo(db, nos, locale)), correctedTo };
    },
    count,
    /** The number of products of each brand and category, each counted without its own filter. */
    async facets(filter: ListFilter): Promise<ProductFacets> {
      const known = await taxonomy();
      const { brandName: _brand, ...anyBrand } = filter;
      const { categoryName: _category, ...anyCategory } = filter;
      // The taxonomy has the counts of unfiltered lists.
      const brands = isUnfiltered(anyBrand) ? null : await countBy('brand_scope', anyBrand, known);
      const categories = isUnfiltered(anyCategory)
        ? null
        : withDescendantCounts(await countBy('category_scope', anyCategory, known), known);
      return { count: await count(filter), ...facetsOf(filter, known, brands, categories) };
    },
  };
}

/**
 * Brands and categories with products, and those that the filter names. `brands` are counts by scope id,
 * `categories` by id; null if the list is not filtered otherwise.
 */
function facetsOf(
  filter: ListFilter,
  taxonomy: Taxonomy,
  brands: ReadonlyMap<number, number> | null,
  categories: ReadonlyMap<string, number> | null,
): Omit<ProductFacets, 'count'> {
  const brandCount = (id: string) => {
    const scope = scopeNames.brand(id);
    return brands ? (brands.get(taxonomy.scopes.get(scope)?.id ?? 0) ?? 0) : countOf(taxonomy, scope);
  };
  const categoryCount = (id: string) => (categories ? (categories.get(id) ?? 0) : countOf(taxonomy, scopeNames.category(id)));
  return {
    brands: [...taxonomy.brands.values()]
      .map(({ id, name }) => ({ name: id, nameContent: name, count: brandCount(id) }))
      .filter((brand) => brand.count > 0 || brand.name === filter.brandName),
    categories: [...taxonomy.categories.values()]
      .map(({ id, name, parentId }) => ({ name: id, nameContent: name, parent: parentId, count: categoryCount(id) }))
      .filter((category) => category.count > 0 || category.name === filter.categoryName),
  };
}

function isUnfiltered(filter: ListFilter): boolean {
  return Object.values(filter).every((value) => value === undefined || value === false);
}

function allScopeId(taxonomy: Taxonomy): number {
  return taxonomy.scopes.get(scopeNames.all)?.id ?? 0;
}

/** Counts of categories including their descendants. */
function withDescendantCounts(counts: ReadonlyMap<number, number>, taxonomy: Taxonomy): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [scopeId, count] of counts) {
    const id = taxonomy.scopesById.get(scopeId)?.name.slice('category:'.length) ?? '';
    for (const category of categoryChain(taxonomy, id)) sums.set(category.id, (sums.get(category.id) ?? 0) + count);
  }
  return sums;
}
