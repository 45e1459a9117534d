/** Calculates the available quantity of a line, and its status. */
import { limits } from '#contract/limits.ts';
import { pickupStores, sellsAt, tableStores } from '#contract/rules/method.ts';
import type { InventoryProcessingStatus, OrderState } from '#contract/schemas/order.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { warehouse } from '#server/modules/stores/index.ts';
import { locationOf, type OrderHead, type OrderLine } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/**
 * Units of a line available to the order's delivery method, at most 98. An order ships from one location, so while the location
 * is undecided it is the most that any location has.
 */
export function availableQuantities(
  line: OrderLine,
  order: Pick<OrderHead, 'method' | 'storeId'>,
  stock: StockLevels,
  settings: OrderSettings,
): number {
  if (!line.offered) return 0;
  const levels = stock.get(line.sku);
  const units = locationsFor(line, order, settings).map((place) => levels?.get(place) ?? 0);
  return Math.min(limits.quantityMax, Math.max(0, ...units));
}

function locationsFor(
  line: OrderLine,
  order: Pick<OrderHead, 'method' | 'storeId'>,
  { checkout, stores }: OrderSettings,
): string[] {
  if (order.method === 'shipping') return line.inStoreOnly ? [] : [warehouse];
  const settled = locationOf(order);
  if (settled) return [settled];
  if (order.method === 'pickup') return checkout.enablePickup ? pickupStores(stores).map(({ id }) => id) : [];
  if (order.method === 'instore') return checkout.inStoreEnabled ? tableStores(stores).map(({ id }) => id) : [];
  const storesThatSell = stores.filter((store) => sellsAt(store, checkout)).map(({ id }) => id);
  return checkout.domesticShippingEnabled && !line.inStoreOnly ? [warehouse, ...storesThatSell] : storesThatSell;
}

/** The `inventoryProcessingStatus` of a line, by its order's state. */
export function lineStatus(state: OrderState, quantity: number, obtainable: number): InventoryProcessingStatus {
  if (state === 'cart') return obtainable >= quantity ? 'available' : 'notAvailable';
  if (state === 'paying') return 'processing';
  return state === 'lapsed' || state === 'cancelled' ? 'processingFailed' : 'processed';
}
