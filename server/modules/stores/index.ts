/** Stores: locations, opening hours and pickup slots. */
export { createPickupService, type PickupService } from './pickup/pickup.service.ts';
export { registerStoresRoutes } from './stores.routes.ts';
export { createStoresService, mainStoreIn, type Store, type StoresService, shopTimeZone, storesIn } from './stores.service.ts';
