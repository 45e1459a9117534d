/** Stores: locations, opening hours and pickup slots. */
export type { DeliveryZone, Point } from '#contract/schemas/store.ts';
export { zoneOf } from './delivery-zones.ts';
export { closingAfter, nextDaysOpening } from './open-hours.ts';
export type { PickupService } from './pickup.service.ts';
export { type SlotUse, usesNothing } from './slot-use.ts';
export { deleteEndedSoldOut, deleteSoldOut, moveSoldOut, putSoldOut, soldOutRows } from './sold-out.repository.ts';
export { isSoldOutAt, type SoldOut, soldOutIn, withSoldOut } from './sold-out.ts';
export type { Store } from './store-input.ts';
export { statusNow } from './store-status.ts';
export { deliversLocally, mainStoreIn, shopTimeZone, storedStoreProblems, storesIn } from './stored-stores.ts';
export type { TodayChange } from './stores.editor.ts';
export { removedAmong } from './stores.repository.ts';
export type { StoresService } from './stores.service.ts';
