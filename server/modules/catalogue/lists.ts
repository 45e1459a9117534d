/** Product lists: pages, counts and facets, filtered, sorted and searched. */
import { limits, type SortValue } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { type CardRow, cardJson } from './card.ts';
import { countFacets } from './facet-counts.ts';
import type { FacetValue } from './facet-values.ts';
import { facetsOf } from './facets.ts';
import { createListCounts } from './list-counts.ts';
import { type ListFilter, type ScopeFilter, scopeFilters } from './list-filter.ts';
import type { ThreadedReads } from './list-index/threaded-reads.ts';
import { createSqlListReads, type ListQuery, type ListReads, type PageQuery } from './list-reads.ts';
import { sortColumns } from './listing-record.ts';
import { cardsByNo, cardsOfList } from './lists.repository.ts';
import { countOfPair } from './scope-pairs.repository.ts';
import type { QueryPlanner } from './search/plan-query.ts';
import { countOf, scopeNames, type Taxonomy } from './taxonomy.ts';

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
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all'>;
  interpreter: QueryPlanner;
  /** Reads of a large catalogue; null where the database itself reads beside the thread that answers. */
  threadedReads: ThreadedReads | null;
  /** The number of products from which a catalogue counts as large. */
  threadedFrom: number;
}

/** The products that a scan of a list's beginning or end may pass; further pages of a large catalogue are read elsewhere. */
const nearEnd = 1000;

export function createLists({ db, taxonomy, settings, stores, interpreter, threadedReads, threadedFrom }: ListsDeps) {
  const sqlReads = createSqlListReads(db, interpreter);
  function readsFor(known: Taxonomy): ListReads {
    if (threadedReads === null || countOf(known, scopeNames.all) < threadedFrom) return sqlReads;
    if (threadedReads.isReady) return threadedReads;
    threadedReads.start();
    return sqlReads;
  }
  const counts = createListCounts();

  async function count(filter: ListFilter): Promise<number> {
    const known = await taxonomy();
    await checkStore(stores, filter);
    const query = queryOf(filter, known);
    const pair = pairOf(query.filters);
    const read = () => (pair ? countOfPair(db, pair.scopeId, pair.otherId) : readsFor(known).count(query));
    return query.text === undefined ? await counts.count(query.filters, known, read) : await readsFor(known).count(query);
  }

  async function listPage(query: PageQuery, known: Taxonomy, locale: Locale): Promise<CardList> {
    const { filters, sort, offset, limit } = query;
    recordReads(...filters.map(({ scopeId }) => topics.list(scopeId, sort)));
    const length = counts.known(filters, known);
    const reads = readsFor(known);
    if (reads === sqlReads || isNear(query, length)) {
      const window = { sort, language: locale, offset, limit, count: length };
      return { cards: await cardsJson(settings, await cardsOfList(db, filters, window)), correctedTo: null };
    }
    const { nos } = await reads.page(query);
    return { cards: await cardsJson(settings, await cardsByNo(db, nos, locale)), correctedTo: null };
  }

  return {
    /** A page of cards. `correctedTo` is the text that was searched instead, null if the original text was used. */
    async page(filter: ListFilter, page: ListPage, locale: Locale): Promise<CardList> {
      const { sortby = 'default', startingPosition: offset = 0, numberToLoad: limit = limits.pageSize } = page;
      const known = await taxonomy();
      await checkStore(stores, filter);
      const sort = sortby === 'default' ? sortColumns.default : sortby === 'price' ? sortColumns.price : locale;
      const query = { ...queryOf(filter, known), sort, offset, limit };
      if (query.text === undefined) return await listPage(query, known, locale);
      if (sortby !== 'default') recordReads(topics.list(query.allScope, sort));
      const { nos, correctedTo } = await readsFor(known).page(query);
      return { cards: await cardsJson(settings, await cardsByNo(db, nos, locale)), correctedTo };
    },
    count,
    /** What the list can be filtered by, each with its number of products, counted without its own filter. */
    async facets(filter: ListFilter): Promise<ProductFacets> {
      const known = await taxonomy();
      const [{ currency, listFilters }, offered] = await Promise.all([settings.all(), stores.all()]);
      const read = (narrowed: ListFilter, values: readonly FacetValue[]) =>
        readsFor(known).facets(queryOf(narrowed, known), values);
      const facets = await countFacets({ db, taxonomy: known, read }, filter);
      const names = { stores: offered.filter((store) => store.display), tags: listFilters.tags };
      return { count: await count(filter), currency, ...facetsOf(filter, known, facets, names) };
    },
  };
}

function queryOf(filter: ListFilter, known: Taxonomy): ListQuery {
  if (filter.nameLike !== undefined) recordReads(topics.search);
  return { text: filter.nameLike, filters: scopeFilters(filter, known), allScope: allScopeId(known) };
}

async function cardsJson(settings: ListsDeps['settings'], rows: readonly CardRow[]): Promise<string[]> {
  recordReads(...rows.map((row) => topics.product(row.product_no)));
  const { currency } = await settings.all();
  return rows.map((row) => cardJson(row, currency));
}

/** @throws {AppError} 404 for a store that customers do not see. Whether a store has a scope says only whether it has products. */
async function checkStore(stores: ListsDeps['stores'], { localStoreName }: ListFilter): Promise<void> {
  if (localStoreName === undefined) return;
  const isShown = (await stores.all()).some(({ id, display }) => display && id === localStoreName);
  if (!isShown) throw notFound();
}

/** Whether a page of a list is read by one short scan. */
function isNear({ filters, offset, limit }: PageQuery, length: number | undefined): boolean {
  return filters.length === 1 && Math.min(offset, (length ?? 0) - offset) + limit <= nearEnd;
}

function allScopeId(taxonomy: Taxonomy): number {
  return taxonomy.scopes.get(scopeNames.all)?.id ?? 0;
}

/** Two scopes whose common products are counted when products are listed: at least one of them is a filter. */
function pairOf(filters: readonly ScopeFilter[]): { scopeId: number; otherId: number } | null {
  const filter = filters.find(({ kind }) => kind !== 'flag' && kind !== 'all');
  const [other, ...more] = filters.filter((each) => each !== filter);
  return filter && other && more.length === 0 ? { scopeId: other.scopeId, otherId: filter.scopeId } : null;
}
