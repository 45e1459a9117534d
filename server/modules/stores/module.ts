import type { Database } from '#db/database.ts';
import { recorded, serve } from '#server/http/endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createPickupService, type PickupService } from './pickup.service.ts';
import { registerOfficeStores } from './store.kind.ts';
import { createStoresService, type StoresService } from './stores.service.ts';

export interface StoresDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  changes: ChangesService;
  settings: SettingsService;
}

export interface StoresServices {
  stores: StoresService;
  pickup: PickupService;
}

export function createStoresModule(deps: StoresDeps): ServerModule<StoresServices> {
  const stores = createStoresService(deps);
  const services = { stores, pickup: createPickupService({ ...deps, stores }) };
  return {
    services,
    registerRoutes(app) {
      serve(app, 'pickupLocations', ({ lang }) => stores.locations(lang), recorded);
      registerOfficeStores(app, { ...deps, ...services });
    },
  };
}
