/** Stores: locations, opening hours and pickup slots. */
export type { DeliveryZone, Point } from '#contract/schemas/store.ts';
export { closingAfter, nextDaysOpening, statusNow } from './open-hours.ts';
export type { PickupService } from './pickup.service.ts';
export { type SlotUse, usesNothing } from './pickup.service.ts';
export {
  deleteEndedSoldOut,
  deleteSoldOut,
  isSoldOutAt,
  moveSoldOut,
  putSoldOut,
  type SoldOut,
  soldOutIn,
  soldOutRows,
  withSoldOut,
} from './sold-out.repository.ts';
export type { Store } from './store.ts';
export {
  deliversLocally,
  mainStoreIn,
  shopTimeZone,
  storedStoreProblems,
  storesIn,
  zoneOf,
} from './store.ts';
export { removedAmong } from './stores.repository.ts';
export type { StoresService, TodayChange } from './stores.service.ts';
