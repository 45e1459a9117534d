import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type CatalogueEditor, createCatalogueEditor } from './catalogue.editor.ts';
import { registerCatalogueRoutes } from './catalogue.routes.ts';
import { type CatalogueService, createCatalogueService } from './catalogue.service.ts';
import { createQueryPlanner } from './search/plan-query.ts';
import { registerSearchRoutes } from './search/search.routes.ts';
import { createSearchService, type SearchService } from './search/search.service.ts';

export interface CatalogueDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  settings: SettingsService;
}

export interface CatalogueServices {
  catalogue: CatalogueService;
  editor: CatalogueEditor;
  search: SearchService;
}

export function createCatalogueModule(deps: CatalogueDeps): ServerModule<CatalogueServices> {
  const catalogue = createCatalogueService({ ...deps, interpreter: createQueryPlanner(deps) });
  const services = { catalogue, editor: createCatalogueEditor(deps), search: createSearchService({ catalogue }) };
  return {
    services,
    registerRoutes(app) {
      registerCatalogueRoutes(app, services);
      registerSearchRoutes(app, services);
    },
  };
}
