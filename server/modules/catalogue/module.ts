import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { recorded, serve } from '#server/http/endpoint.ts';
import { PreSerializedJson } from '#server/http/validation.ts';
import type { BulkChanges, ChangesService } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { RedirectsService, SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { LowStockEvents } from '#server/modules/webhooks/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type CatalogueService, createCatalogueService } from './lists/catalogue.service.ts';
import type { ListFilter } from './lists/filters.ts';
import type { ListPage } from './lists/lists.ts';
import { createGoodsChanges } from './office/goods-changes.ts';
import { createGoodsExport } from './office/goods-export.ts';
import { registerOfficeGoods } from './office/office-goods.ts';
import { registerOfficeMedia } from './office/office-media.ts';
import { registerOfficeModifiers } from './office/office-modifiers.ts';
import { createOfficeTaxonomy, registerOfficeTaxonomy } from './office/office-taxonomy.ts';
import { createCatalogueEditor } from './products/catalogue.editor.ts';
import { createCatalogueExport } from './products/catalogue-export.ts';
import { createCatalogueRemoval } from './products/catalogue-removal.ts';
import {
  createSearchCounts,
  outcomeOf,
  registerSearchCounter,
  type SearchCounts,
} from './search/search-counts.ts';
import { type CardList, createSearchService, type SearchService } from './search/suggestions.ts';

/** For a process that nobody asks for lists. */
const warmEveryMs = 10 * 60_000;
/** How often a process writes the searches that it has counted, ms. */
const writeSearchesEveryMs = 5000;

export interface CatalogueDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  bulkChanges: BulkChanges;
  media: MediaService;
  settings: SettingsService;
  redirects: RedirectsService;
  stores: StoresService;
  lowStock: LowStockEvents;
}

export function createCatalogueModule(deps: CatalogueDeps) {
  const catalogue = createCatalogueService(deps);
  const searchCounts = createSearchCounts({ ...deps, catalogue });
  const editor = createCatalogueEditor(deps);
  const services = {
    catalogue,
    editor,
    goodsChanges: createGoodsChanges({ ...deps, catalogue, editor }),
    officeTaxonomy: createOfficeTaxonomy({ ...deps, editor }),
    goodsExport: createGoodsExport({ ...deps, catalogue }),
    search: createSearchService(catalogue),
    searchCounts,
    catalogueExport: createCatalogueExport(deps),
    catalogueRemoval: createCatalogueRemoval(deps),
  };
  return {
    services,
    registerRoutes(app) {
      registerSearchCounter(app, searchCounts);
      registerCatalogueRoutes(app, services);
      registerOfficeGoods(app, { ...deps, ...services });
      registerOfficeModifiers(app, { ...deps, ...services });
      registerOfficeTaxonomy(app, { ...deps, ...services });
      registerOfficeMedia(app, { ...deps, ...services });
    },
    maintenance: [
      { run: () => services.editor.endSoldOut() },
      { run: () => editor.publishDue() },
      { run: () => searchCounts.prune() },
    ],
    jobs: [
      { name: 'search counts', everyMs: writeSearchesEveryMs, run: () => searchCounts.flush() },
      { name: 'lists', everyMs: warmEveryMs, atStart: true, run: () => catalogue.warm() },
    ],
    stop: () => searchCounts.flush(),
  } satisfies ServerModule<typeof services>;
}

interface CatalogueRoutesDeps {
  catalogue: CatalogueService;
  search: SearchService;
  searchCounts: SearchCounts;
}

function registerCatalogueRoutes(app: FastifyInstance, deps: CatalogueRoutesDeps): void {
  const { catalogue, search } = deps;
  const { page, count } = catalogue;
  serve(app, 'offerTerms', () => catalogue.offerTerms(), recorded);
  serve(app, 'categories', ({ params, lang }) => catalogue.categoryTree(params.id, lang), recorded);
  serve(app, 'category', ({ params, lang }) => catalogue.category(params.name, lang), recorded);
  serve(app, 'tag', ({ params, lang }) => catalogue.tag(params.name, lang), recorded);
  serve(app, 'brand', ({ params, lang }) => catalogue.brand(params.name, lang), recorded);
  serve(app, 'brands', ({ lang }) => catalogue.brands(lang), recorded);
  serve(app, 'product', ({ params, lang }) => catalogue.product(params.id, lang), recorded);
  serve(
    app,
    'productSet',
    async ({ params, lang }) => ({ pieces: await catalogue.set(params.productid, lang) }),
    recorded,
  );
  serve(
    app,
    'relatedProducts',
    ({ params, lang }) => catalogue.related(params.productid, lang).then(productList),
    recorded,
  );
  serve(
    app,
    'taggedProducts',
    (call) => page({ tagName: call.params.tagid }, call.query, call.lang).then(productList),
    recorded,
  );
  serve(
    app,
    'productsByTag',
    (call) => page({ tagName: call.params.tagName }, call.query, call.lang).then(productList),
    recorded,
  );
  serve(
    app,
    'productsOnSale',
    ({ query, lang }) => page({ onSale: true }, query, lang).then(productList),
    recorded,
  );
  serve(app, 'productSuggestions', ({ params, lang }) => search.suggest(params.nameLike, lang), recorded);
  serve(
    app,
    'productCount',
    async ({ query: { lang: _, ...filter } }) => ({ count: await count(filter) }),
    recorded,
  );
  serve(app, 'productFacets', ({ query: { lang: _, ...filter } }) => catalogue.facets(filter), recorded);
  registerSearches(app, deps);
}

function registerSearches(app: FastifyInstance, { catalogue, searchCounts }: CatalogueRoutesDeps): void {
  const { page, count } = catalogue;
  const results = async (filter: ListFilter, range: ListPage, lang: Locale) => {
    const list = await page(filter, range, lang);
    if (isWholeSearch(filter, range)) searchCounts.note(filter.nameLike ?? '', outcomeOf(list));
    return searchList(list);
  };
  serve(
    app,
    'products',
    ({ query, lang }) => {
      const { lang: _, sortby, infiniteLoad: _infinite, startingPosition, numberToLoad, ...filter } = query;
      return results(filter, { sortby, startingPosition, numberToLoad }, lang);
    },
    recorded,
  );
  serve(
    app,
    'productsByConditions',
    ({ body: { sortby, startingPosition, numberToLoad, ...filter }, lang }) =>
      page(filter, { sortby, startingPosition, numberToLoad }, lang).then(searchList),
    recorded,
  );
  serve(
    app,
    'productSearch',
    ({ params, query, lang }) => results({ nameLike: params.nameLike }, query, lang),
    recorded,
  );
  serve(
    app,
    'productsByNameAndCondition',
    async ({ params: { nameLike, condition }, query, lang }) =>
      searchList(await page({ ...(await conditionOf(catalogue, condition)), nameLike }, query, lang)),
    recorded,
  );
  serve(
    app,
    'productSearchCount',
    async ({ params: { nameLike } }) => {
      const start = performance.now();
      const found = await count({ nameLike });
      return { count: found, searchTime: Math.round((performance.now() - start) * 100) / 100 };
    },
    recorded,
  );
}

const conditions: Readonly<Record<string, ListFilter>> = {
  all: {},
  onSale: { onSale: true },
  clearance: { clearance: true },
  newArrival: { newArrival: true },
};

/** 'all', 'onSale', 'clearance', 'newArrival' (SPEC §7) or a category's name. @throws {AppError} 404 for any other name */
async function conditionOf(catalogue: CatalogueService, name: string): Promise<ListFilter> {
  const fixed = Object.hasOwn(conditions, name) ? conditions[name] : undefined;
  if (fixed) return fixed;
  if (!(await catalogue.taxonomy()).categories.has(name)) throw notFound();
  return { categoryName: name };
}

/** The beginning of a search's results, without filters. */
function isWholeSearch(filter: ListFilter, { startingPosition = 0 }: ListPage): boolean {
  return filter.nameLike !== undefined && startingPosition === 0 && Object.keys(filter).length === 1;
}

function productList({ cards }: CardList): PreSerializedJson {
  return new PreSerializedJson(`{"products":[${cards.join(',')}]}`);
}

function searchList({ cards, correctedTo, partial }: CardList): PreSerializedJson {
  const told = `"correctedTo":${JSON.stringify(correctedTo)},"partial":${partial}`;
  return new PreSerializedJson(`{"products":[${cards.join(',')}],${told}}`);
}
