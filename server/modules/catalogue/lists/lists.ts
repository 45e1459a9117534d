import { limits, type SortValue } from '#contract/limits.ts';
import type { FilterRange } from '#contract/list-filters.ts';
import type { Locale } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { scopeNames, sorts } from '../products/listing.ts';
import type { QueryPlanner } from '../search/plan-query.ts';
import type { CardList } from '../search/suggestions.ts';
import type { TaxonomyNames } from '../taxonomy/taxonomy.ts';
import type { TaxonCount } from '../taxonomy/taxonomy-views.ts';
import {
  type CountOfScope,
  countCategory,
  countFacets,
  type FilterContext,
  facetsOf,
  filterScopes,
  type ListFilter,
  scopesOfStore,
} from './filters.ts';
import type { ListIndex, Selection } from './list-index.ts';
import type { ReadCards } from './product-views.ts';

export interface ListPage {
  sortby?: SortValue | undefined;
  /** Products to skip; the default is 0. */
  startingPosition?: number | undefined;
  numberToLoad?: number | undefined;
}

export interface ListsDeps {
  names: () => Promise<TaxonomyNames>;
  index: () => Promise<ListIndex>;
  planner: QueryPlanner;
  cards: ReadCards;
  priceRanges: () => Promise<readonly FilterRange[]>;
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all'>;
}

export interface NumbersOfPage extends Pick<CardList, 'correctedTo' | 'partial'> {
  nos: number[];
  /** Of the whole list. */
  total: number;
}

export type Lists = ReturnType<typeof createLists>;

export function createLists(deps: ListsDeps) {
  const { names, index, settings, stores, cards } = deps;

  async function counterOf(filter: ListFilter): Promise<CountOfScope> {
    const { selection } = await selectionOf(deps, filter);
    return await (await index()).counter(selection);
  }

  async function count(filter: ListFilter): Promise<number> {
    recordReads(topics.counts);
    const { selection } = await selectionOf(deps, filter);
    return await (await index()).count(selection);
  }

  return {
    async page(filter: ListFilter, page: ListPage, locale: Locale): Promise<CardList> {
      const { nos, correctedTo, partial } = await pageOf(deps, filter, page, locale);
      return { cards: await cards(nos, locale), correctedTo, partial };
    },
    /** The numbers of a page's products, and how many products the whole list has. */
    async numbers(filter: ListFilter, page: ListPage, locale: Locale): Promise<NumbersOfPage> {
      recordReads(topics.counts);
      const { nos, selection, correctedTo, partial } = await pageOf(deps, filter, page, locale);
      return { nos, total: await (await index()).count(selection), correctedTo, partial };
    },
    count,
    /** Each with its number of products, counted without its own filter. */
    async facets(filter: ListFilter): Promise<ProductFacets> {
      const [known, { currency, listFilters }, offered] = await Promise.all([
        contextOf(deps),
        settings.all(),
        stores.all(),
      ]);
      const counts = await countFacets(filter, counterOf);
      const values = { stores: offered.filter((store) => store.display), tags: listFilters.tags };
      return { count: await count(filter), currency, ...facetsOf(filter, known, counts, values) };
    },
    async taxonCounts(): Promise<TaxonCount> {
      recordReads(topics.counts);
      const known = await names();
      const counter = await (await index()).counter({ scopes: [] });
      return (kind, id) =>
        kind === 'category' ? countCategory(known, counter, id) : counter(scopeNames[kind](id));
    },
    async nosOfCategory(id: string, limit: number): Promise<number[]> {
      recordReads(topics.list(scopeNames.category(id), sorts.default));
      const { selection } = await selectionOf(deps, { categoryName: id });
      return await (await index()).bySort(selection, sorts.default, 0, limit);
    },
  };
}

/** The numbers of its products, in its order. */
async function pageOf(deps: ListsDeps, filter: ListFilter, page: ListPage, locale: Locale) {
  const { sortby = 'default', startingPosition: offset = 0, numberToLoad: limit = limits.pageSize } = page;
  const { selection, scopes, correctedTo, partial } = await selectionOf(deps, filter);
  const sort = sortby === 'default' ? sorts.default : sortby === 'price' ? sorts.price : locale;
  recordReads(...(scopes.length === 0 ? [scopeNames.all] : scopes).map((scope) => topics.list(scope, sort)));
  const index = await deps.index();
  const nos =
    (selection.ranks || selection.someOf) && sort === sorts.default
      ? await index.byRelevance(selection, offset, limit)
      : await index.bySort(selection, sort, offset, limit);
  recordReads(...nos.map(topics.product));
  return { nos, selection, correctedTo, partial };
}

interface Selected {
  selection: Selection;
  scopes: string[];
  correctedTo: string | null;
  partial: boolean;
}

/** @throws {AppError} 404 for unknown names and ranges */
async function selectionOf(deps: ListsDeps, filter: ListFilter): Promise<Selected> {
  await checkStore(deps.stores, filter);
  const parts = filterScopes(filter, await contextOf(deps));
  const selection = { scopes: [...parts.values()] };
  const scopes = [
    ...new Set([
      ...parts.keys(),
      ...(filter.localStoreName === undefined ? [] : scopesOfStore(filter.localStoreName)),
    ]),
  ];
  if (filter.nameLike === undefined) return { selection, scopes, correctedTo: null, partial: false };
  recordReads(topics.search);
  const { rankGroups, someOf, correctedTo } = await deps.planner.plan(filter.nameLike);
  const words = someOf ? { someOf } : { ranks: rankGroups };
  return { selection: { ...selection, ...words }, scopes, correctedTo, partial: someOf !== null };
}

async function contextOf({ names, priceRanges }: ListsDeps): Promise<FilterContext> {
  return { names: await names(), prices: await priceRanges() };
}

/** @throws {AppError} 404 for a store that customers do not see. Whether a store has a scope says only whether it has products. */
async function checkStore(stores: ListsDeps['stores'], { localStoreName }: ListFilter): Promise<void> {
  if (localStoreName === undefined) return;
  const isShown = (await stores.all()).some(({ id, display }) => display && id === localStoreName);
  if (!isShown) throw notFound();
}
