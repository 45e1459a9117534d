import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { LowStockEvents } from '#server/modules/webhooks/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type CatalogueEditor, createCatalogueEditor } from './catalogue.editor.ts';
import { registerCatalogueRoutes } from './catalogue.routes.ts';
import { type CatalogueService, createCatalogueService } from './catalogue.service.ts';
import { type CatalogueExport, createCatalogueExport } from './catalogue-export.ts';
import { type CatalogueRemoval, createCatalogueRemoval } from './catalogue-removal.ts';
import { createThreadedReads } from './list-index/threaded-reads.ts';
import { createQueryPlanner } from './search/plan-query.ts';
import { registerSearchRoutes } from './search/search.routes.ts';
import { createSearchService, type SearchService } from './search/search.service.ts';
import { registerSearchCounter } from './searches/search-counter.ts';
import { createSearchCounts, type SearchCounts } from './searches/search-counts.ts';
import { countOf, scopeNames } from './taxonomy.ts';

/** How often a process makes sure that the index of lists is there, ms: the catalogue may have grown. */
const startIndexEveryMs = 60_000;
/** How often a process writes the searches that it has counted, ms. */
const writeSearchesEveryMs = 5000;

export interface CatalogueDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  settings: SettingsService;
  stores: StoresService;
  lowStock: LowStockEvents;
  /** The number of products from which lists and searches are read in a thread of their own; for tests. */
  listThreadFrom?: number;
}

/** Below it, every list and search is read in less time than it takes to render a page. */
const listThreadFrom = 10_000;

export interface CatalogueServices {
  catalogue: CatalogueService;
  editor: CatalogueEditor;
  search: SearchService;
  searchCounts: SearchCounts;
  /** The catalogue in the form in which it is imported. */
  catalogueExport: CatalogueExport;
  catalogueRemoval: CatalogueRemoval;
}

export function createCatalogueModule(deps: CatalogueDeps): ServerModule<CatalogueServices> {
  const { db, listThreadFrom: threadedFrom = listThreadFrom } = deps;
  const threadedReads = db.file === undefined ? null : createThreadedReads(db.file);
  const catalogue = createCatalogueService({ ...deps, interpreter: createQueryPlanner(deps), threadedReads, threadedFrom });
  const searchCounts = createSearchCounts({ ...deps, catalogue });
  const startIndex = async () => {
    if (!threadedReads || countOf(await catalogue.taxonomy(), scopeNames.all) < threadedFrom) return;
    if (threadedReads.isReady) await threadedReads.build();
    else threadedReads.start();
  };
  const services = {
    catalogue,
    editor: createCatalogueEditor(deps),
    search: createSearchService({ catalogue }),
    searchCounts,
    catalogueExport: createCatalogueExport(deps),
    catalogueRemoval: createCatalogueRemoval(deps),
  };
  return {
    services,
    registerRoutes(app) {
      registerSearchCounter(app, searchCounts);
      registerCatalogueRoutes(app, services);
      registerSearchRoutes(app, services);
    },
    maintenance: [{ run: () => searchCounts.prune() }, { run: () => services.editor.reindexIfOutdated() }],
    jobs: [
      { name: 'search counts', everyMs: writeSearchesEveryMs, run: () => searchCounts.flush() },
      // The first search need not wait for the index.
      { name: 'list index', everyMs: startIndexEveryMs, atStart: true, run: startIndex },
    ],
    async stop() {
      await searchCounts.flush();
      await threadedReads?.close();
    },
  };
}
