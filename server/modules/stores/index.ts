/** Stores: locations, opening hours and pickup slots. */
export { createStoresModule } from './module.ts';
export { closingAfter } from './open-hours.ts';
export type { PickupService } from './pickup/pickup.service.ts';
export { removedAmong } from './stores.repository.ts';
export { mainStoreIn, type Store, type StoresService, shopTimeZone, storesIn } from './stores.service.ts';
