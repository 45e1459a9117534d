import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createPickupService, type PickupService } from './pickup/pickup.service.ts';
import { registerStoresRoutes } from './stores.routes.ts';
import { createStoresService, type StoresService } from './stores.service.ts';

export interface StoresDeps {
  db: Database;
  now: () => number;
  media: MediaService;
}

export interface StoresServices {
  stores: StoresService;
  pickup: PickupService;
}

export function createStoresModule(deps: StoresDeps): ServerModule<StoresServices> {
  const stores = createStoresService(deps);
  const services = { stores, pickup: createPickupService({ ...deps, stores }) };
  return { services, registerRoutes: (app) => registerStoresRoutes(app, services) };
}
