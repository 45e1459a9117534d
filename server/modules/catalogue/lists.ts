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
import type { ThreadedReads } from './list-index/threaded-reads.ts';
import { createSqlListReads, type ListQuery, type ListReads, type PageQuery } from './list-reads.ts';
import { sortColumns } from './listing-record.ts';
import { cardsByNo, cardsOfList, type FacetColumn } from './lists.repository.ts';
import type { QueryPlanner } from './search/plan-query.ts';
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

export interface ListsDeps {
  db: Database;
  taxonomy: () => Promise<Taxonomy>;
  /** The shop's currency, ISO 4217. */
  currency: () => Promise<string>;
  interpreter: QueryPlanner;
  /** Reads of a large catalogue; null where the database itself reads beside the thread that answers. */
  threadedReads: ThreadedReads | null;
  /** The number of products from which a catalogue counts as large. */
  threadedFrom: number;
}

/** The products that a scan of a list's beginning or end may pass; further pages of a large catalogue are read elsewhere. */
const nearEnd = 1000;

export function createLists({ db, taxonomy, currency, interpreter, threadedReads, threadedFrom }: ListsDeps) {
  const sqlReads = createSqlListReads(db, interpreter);
  function readsFor(known: Taxonomy): ListReads {
    if (threadedReads === null || countOf(known, scopeNames.all) < threadedFrom) return sqlReads;
    if (threadedReads.isReady) return threadedReads;
    threadedReads.start();
    return sqlReads;
  }
  const counts = createListCounts();

  function queryOf(filter: ListFilter, known: Taxonomy): ListQuery {
    if (filter.nameLike !== undefined) recordReads(topics.search);
    return { text: filter.nameLike, filters: scopeFilters(filter, known), allScope: allScopeId(known) };
  }

  async function cardsJson(rows: readonly CardRow[]): Promise<string[]> {
    recordReads(...rows.map((row) => topics.product(row.product_no)));
    const shopCurrency = await currency();
    return rows.map((row) => cardJson(row, shopCurrency));
  }

  async function count(filter: ListFilter): Promise<number> {
    const known = await taxonomy();
    const query = queryOf(filter, known);
    const read = () => readsFor(known).count(query);
    return query.text === undefined ? await counts.count(query.filters, known, read) : await read();
  }

  /** Whether a page of a list is read by one short scan. */
  function isNear({ filters, offset, limit }: PageQuery, length: number | undefined): boolean {
    return filters.length === 1 && Math.min(offset, (length ?? 0) - offset) + limit <= nearEnd;
  }

  async function listPage(query: PageQuery, known: Taxonomy, locale: Locale): Promise<CardList> {
    const { filters, sort, offset, limit } = query;
    recordReads(...filters.map(({ scopeId }) => topics.list(scopeId, sort)));
    const length = counts.known(filters, known);
    const reads = readsFor(known);
    if (reads === sqlReads || isNear(query, length)) {
      const window = { sort, language: locale, offset, limit, count: length };
      return { cards: await cardsJson(await cardsOfList(db, filters, window)), correctedTo: null };
    }
    const { nos } = await reads.page(query);
    return { cards: await cardsJson(await cardsByNo(db, nos, locale)), correctedTo: null };
  }

  return {
    /** A page of cards. `correctedTo` is the text that was searched instead, null if the original text was used. */
    async page(filter: ListFilter, page: ListPage, locale: Locale): Promise<CardList> {
      const { sortby = 'default', startingPosition: offset = 0, numberToLoad: limit = limits.pageSize } = page;
      const known = await taxonomy();
      const sort = sortby === 'default' ? sortColumns.default : sortby === 'price' ? sortColumns.price : locale;
      const query = { ...queryOf(filter, known), sort, offset, limit };
      if (query.text === undefined) return await listPage(query, known, locale);
      if (sortby !== 'default') recordReads(topics.list(query.allScope, sort));
      const { nos, correctedTo } = await readsFor(known).page(query);
      return { cards: await cardsJson(await cardsByNo(db, nos, locale)), correctedTo };
    },
    count,
    /** The number of products of each brand and category, each counted without its own filter. */
    async facets(filter: ListFilter): Promise<ProductFacets> {
      const known = await taxonomy();
      const countBy = (column: FacetColumn, narrowed: ListFilter) => readsFor(known).facets(queryOf(narrowed, known), column);
      const { brandName: _brand, ...anyBrand } = filter;
      const { categoryName: _category, ...anyCategory } = filter;
      // The taxonomy has the counts of unfiltered lists.
      const brands = isUnfiltered(anyBrand) ? null : await countBy('brand_scope', anyBrand);
      const categories = isUnfiltered(anyCategory)
        ? null
        : withDescendantCounts(await countBy('category_scope', anyCategory), known);
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
