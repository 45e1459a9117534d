/** Product lists: pages, counts and facets, filtered, sorted and searched. */
import { limits, type SortValue } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import { type CardRow, cardJson } from './card.ts';
import { type ListFilter, type ScopeFilter, scopeFilters } from './list-filter.ts';
import { sortColumns } from './listing-record.ts';
import { cardsByNo, cardsOfList, countListRows, type FacetColumn, facetsOfList } from './lists.repository.ts';
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
  /** Products before the page; 0 unless said otherwise. */
  startingPosition?: number | undefined;
  /** 12 unless said otherwise. */
  numberToLoad?: number | undefined;
}

/** Cards as JSON, ready to send. */
export interface CardList {
  cards: string[];
  correctedTo: string | null;
}

export interface Lists {
  page(filter: ListFilter, page: ListPage, locale: Locale): Promise<CardList>;
  count(filter: ListFilter): Promise<number>;
  facets(filter: ListFilter): Promise<ProductFacets>;
}

/** Counts of narrowed lists that are remembered. */
const mostCounts = 10_000;

export function createLists({
  db,
  taxonomy,
  currency,
  interpreter,
}: {
  db: Database;
  taxonomy: () => Promise<Taxonomy>;
  /** The shop's currency, ISO 4217. */
  currency: () => Promise<string>;
  interpreter: QueryPlanner;
}): Lists {
  /** What a search finds; null where nothing can be found. */
  async function search(
    filter: ListFilter,
    known: Taxonomy,
  ): Promise<{ found: SearchResult | null; correctedTo: string | null }> {
    const { rankGroups: tiers, correctedTo } = await interpreter.plan(filter.nameLike ?? '');
    const filters = scopeFilters(filter, known).flatMap(({ kind, scopeId }) => (kind === 'all' ? [] : [scopeToken(scopeId)]));
    return { found: tiers.length > 0 ? { tiers, filters } : null, correctedTo };
  }

  /** Counts of narrowed lists, for as long as the catalogue stands as it is. */
  const counted = new WeakMap<Taxonomy, Map<string, number>>();

  function countsOf(known: Taxonomy): Map<string, number> {
    const counts = counted.get(known) ?? new Map<string, number>();
    counted.set(known, counts);
    return counts;
  }

  /** Undefined where nobody has counted yet. */
  function knownCount(confined: readonly ScopeFilter[], known: Taxonomy): number | undefined {
    return confined.length === 1 ? confined[0]?.count : countsOf(known).get(keyOf(confined));
  }

  async function countOfList(confined: readonly ScopeFilter[], known: Taxonomy): Promise<number> {
    const before = knownCount(confined, known);
    if (before !== undefined) return before;
    const count = await countListRows(db, confined);
    const counts = countsOf(known);
    if (counts.size >= mostCounts) counts.clear();
    counts.set(keyOf(confined), count);
    return count;
  }

  async function complete(rows: readonly CardRow[]): Promise<string[]> {
    const shopCurrency = await currency();
    return rows.map((row) => cardJson(row, shopCurrency));
  }

  async function count(filter: ListFilter): Promise<number> {
    const known = await taxonomy();
    if (filter.nameLike === undefined) return await countOfList(scopeFilters(filter, known), known);
    const { found } = await search(filter, known);
    return found ? await countResults(db, found) : 0;
  }

  async function facetCounts(filter: ListFilter, known: Taxonomy, column: FacetColumn): Promise<ReadonlyMap<number, number>> {
    if (filter.nameLike !== undefined) {
      const { found } = await search(filter, known);
      return found ? await facetsOfResults(db, found, column, known.scopes.get(scopeNames.all)?.id ?? 0) : new Map();
    }
    return await facetsOfList(db, scopeFilters(filter, known), column);
  }

  return {
    async page(filter, { sortby = 'default', startingPosition: offset = 0, numberToLoad: limit = limits.pageSize }, locale) {
      const known = await taxonomy();
      const sort = sortby === 'default' ? sortColumns.default : sortby === 'price' ? sortColumns.price : locale;
      if (filter.nameLike === undefined) {
        const confined = scopeFilters(filter, known);
        const walk = { sort, language: locale, offset, limit, count: knownCount(confined, known) };
        const rows = await cardsOfList(db, confined, walk);
        return { cards: await complete(rows), correctedTo: null };
      }
      const { found, correctedTo } = await search(filter, known);
      if (!found) return { cards: [], correctedTo: null };
      const allScope = known.scopes.get(scopeNames.all)?.id ?? 0;
      const nos =
        sortby === 'default'
          ? await resultsByRelevance(db, found, offset, limit)
          : await resultsBySort(db, found, sort, allScope, offset, limit);
      return { cards: await complete(await cardsByNo(db, nos, locale)), correctedTo };
    },
    count,
    async facets(filter) {
      const known = await taxonomy();
      const { brandName: _brand, ...anyBrand } = filter;
      const { categoryName: _category, ...anyCategory } = filter;
      // A list of everything has its counts at hand.
      const unfiltered = (rest: ListFilter) => Object.values(rest).every((value) => value === undefined || value === false);
      const brands = unfiltered(anyBrand) ? null : await facetCounts(anyBrand, known, 'brand_scope');
      const categories = unfiltered(anyCategory)
        ? null
        : rolledUp(await facetCounts(anyCategory, known, 'category_scope'), known);
      const scopeId = (name: string) => known.scopes.get(name)?.id ?? 0;
      const brandCount = (id: string) =>
        brands ? (brands.get(scopeId(scopeNames.brand(id))) ?? 0) : countOf(known, scopeNames.brand(id));
      const categoryCount = (id: string) => (categories ? (categories.get(id) ?? 0) : countOf(known, scopeNames.category(id)));
      return {
        count: await count(filter),
        brands: [...known.brands.values()]
          .map(({ id, name }) => ({ name: id, nameContent: name, count: brandCount(id) }))
          .filter((brand) => brand.count > 0 || brand.name === filter.brandName),
        categories: [...known.categories.values()]
          .map(({ id, name, parentId }) => ({ name: id, nameContent: name, parent: parentId, count: categoryCount(id) }))
          .filter((category) => category.count > 0 || category.name === filter.categoryName),
      };
    },
  };
}

/** Of a list without its order. */
function keyOf(confined: readonly ScopeFilter[]): string {
  return confined.map(({ scopeId }) => scopeId).join(' ');
}

/** Counts of categories with those of all below them. */
function rolledUp(counts: ReadonlyMap<number, number>, taxonomy: Taxonomy): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [scopeId, count] of counts) {
    const id = taxonomy.scopesById.get(scopeId)?.name.slice('category:'.length) ?? '';
    for (const category of categoryChain(taxonomy, id)) sums.set(category.id, (sums.get(category.id) ?? 0) + count);
  }
  return sums;
}
