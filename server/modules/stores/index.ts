/** Stores: locations, opening hours and pickup slots. */
export { closingAfter } from './open-hours.ts';
export type { PickupService } from './pickup.service.ts';
export { type Store, StoreInput } from './store-input.ts';
export { mainStoreIn, shopTimeZone, storedStoreProblems, storesIn } from './stored-stores.ts';
export { removedAmong } from './stores.repository.ts';
export type { StoresService } from './stores.service.ts';
