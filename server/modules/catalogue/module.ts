import type { Database } from '#db/database.ts';
import type { BulkChanges, ChangesService } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { RedirectsService, SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { LowStockEvents } from '#server/modules/webhooks/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { registerCatalogueRoutes } from './lists/catalogue.routes.ts';
import { createCatalogueService } from './lists/catalogue.service.ts';
import { createGoodsChanges } from './office/goods-changes.ts';
import { createGoodsExport } from './office/goods-export.ts';
import { registerOfficeGoods } from './office/office-goods.ts';
import { registerOfficeMedia } from './office/office-media.ts';
import { registerOfficeModifiers } from './office/office-modifiers.ts';
import { createOfficeTaxonomy, registerOfficeTaxonomy } from './office/office-taxonomy.ts';
import { createCatalogueEditor } from './products/catalogue.editor.ts';
import { createCatalogueExport } from './products/catalogue-export.ts';
import { createCatalogueRemoval } from './products/catalogue-removal.ts';
import { createSearchCounts, registerSearchCounter } from './search/search-counts.ts';
import { createSearchService } from './search/suggestions.ts';

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
      registerOfficeTaxonomy(app, services.officeTaxonomy, deps.changes);
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
