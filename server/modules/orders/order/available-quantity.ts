/** Calculates the available quantity of a line, and its status. */
import type { FieldErrors } from '#contract/errors.ts';
import { type CheckoutMethod, limits } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { enabledMethods, pickupStores, sellsAt, tableStores } from '#contract/rules/method.ts';
import type { InventoryProcessingStatus, OrderState } from '#contract/schemas/order.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { isSoldOutAt } from '#server/modules/stores/index.ts';
import { warehouse } from '#server/platform/locations.ts';
import { allModifiers, choiceErrors, placeOf, unitsIn, unitsOf } from './line-modifiers.ts';
import { deliveringStores, locationOf, type OrderHead, type OrderLine, type OrderModifier } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/**
 * Units of a line available to the order's delivery method, at most 98: each takes its SKU and those of its modifiers, of which
 * `before`, the lines above it, take theirs first. An order ships from one location, so while the location is undecided it is the
 * most that any location has.
 */
export function availableQuantities(
  line: OrderLine,
  order: Pick<OrderHead, 'method' | 'storeId'>,
  stock: StockLevels,
  settings: OrderSettings,
  before: readonly OrderLine[] = [],
): number {
  if (!line.offered) return 0;
  const units = unitsIn(line);
  const taken = new Map(
    unitsOf(before.filter(({ modifiers, sku }) => modifiers.length > 0 || units.has(sku))).map(({ sku, quantity }) => [
      sku,
      quantity,
    ]),
  );
  let most = 0;
  for (const place of locationsFor(line, order, settings)) {
    if (isSoldOutAt(settings.soldOut, place, line)) continue;
    let least: number = limits.quantityMax;
    for (const [sku, each] of units)
      least = Math.min(least, Math.floor(((stock.get(sku)?.get(place) ?? 0) - (taken.get(sku) ?? 0)) / each));
    most = Math.max(most, least);
  }
  return most;
}

type Where = Parameters<typeof availableQuantities> extends [unknown, ...infer W] ? W : never;

/** The modifier of a line that nothing is left of, while its product could be had; null if there is none. */
export function lackedModifier(line: OrderLine, ...where: Where): OrderModifier | null {
  const has = (modifiers: OrderModifier[]) => availableQuantities({ ...line, modifiers }, ...where) > 0;
  if (line.modifiers.length === 0 || !has([])) return null;
  return allModifiers(line.modifiers).find((each) => each.sku !== null && !has([{ ...each, modifiers: [] }])) ?? null;
}

/** Every location that sells, by the settings, which stay the same object until they change: with the warehouse, and without. */
const sellingBySettings = new WeakMap<OrderSettings, { shipped: readonly string[]; inStores: readonly string[] }>();

function sellingLocations(settings: OrderSettings): { shipped: readonly string[]; inStores: readonly string[] } {
  let found = sellingBySettings.get(settings);
  if (!found) {
    const { checkout, stores } = settings;
    const inStores = stores.filter((store) => sellsAt(store, checkout)).map(({ id }) => id);
    found = { inStores, shipped: checkout.domesticShippingEnabled ? [warehouse, ...inStores] : inStores };
    sellingBySettings.set(settings, found);
  }
  return found;
}

function locationsFor(line: OrderLine, order: Pick<OrderHead, 'method' | 'storeId'>, settings: OrderSettings): readonly string[] {
  const { checkout, stores } = settings;
  if (order.method === 'shipping' && order.storeId === null) return line.inStoreOnly ? [] : [warehouse];
  const settled = locationOf(order);
  if (settled) return [settled];
  if (order.method === 'pickup') return checkout.enablePickup ? pickupStores(stores).map(({ id }) => id) : [];
  if (order.method === 'instore') return checkout.inStoreEnabled ? tableStores(stores).map(({ id }) => id) : [];
  const { shipped, inStores } = sellingLocations(settings);
  return line.inStoreOnly ? inStores : shipped;
}

/** The delivery methods that can serve all lines together. An order is served from one location. */
export function servingMethods(lines: readonly OrderLine[], stock: StockLevels, settings: OrderSettings): CheckoutMethod[] {
  const { checkout, stores, soldOut } = settings;
  const delivering = deliveringStores(settings).map(({ id }) => id);
  const places: Record<CheckoutMethod, string[]> = {
    shipping: lines.some(({ inStoreOnly }) => inStoreOnly) ? delivering : [warehouse, ...delivering],
    pickup: pickupStores(stores).map(({ id }) => id),
    instore: tableStores(stores).map(({ id }) => id),
  };
  if (!lines.every(({ offered }) => offered)) return [];
  const units = unitsOf(lines);
  const hasAll = (place: string) =>
    units.every(({ sku, quantity }) => (stock.get(sku)?.get(place) ?? 0) >= quantity) &&
    !lines.some((line) => isSoldOutAt(soldOut, place, line));
  return enabledMethods(checkout).filter((method) => places[method].some(hasAll));
}

/** Why lines cannot be ordered at the store of their order, or as they were chosen, by `lineItems.<sku>`. */
export function lineErrors(
  lines: readonly OrderLine[],
  order: Pick<OrderHead, 'method' | 'storeId'>,
  { soldOut, stores }: Pick<OrderSettings, 'soldOut' | 'stores'>,
  locale: Locale,
): FieldErrors {
  const store = stores.find(({ id }) => id === order.storeId);
  const place = placeOf(order, { soldOut });
  const errors: FieldErrors = {};
  for (const line of lines) {
    const [unchosen] = Object.values(choiceErrors(line, place, locale));
    if (store && isSoldOutAt(soldOut, store.id, line)) {
      const values = { product: inLocale(line.name, locale), store: inLocale(store.name, locale) };
      errors[`lineItems.${line.sku}`] = { key: 'rule.soldOutLine', values };
    } else if (unchosen) errors[`lineItems.${line.sku}`] = unchosen;
  }
  return errors;
}

/** The `inventoryProcessingStatus` of a line, by its order's state. */
export function lineStatus(state: OrderState, quantity: number, obtainable: number): InventoryProcessingStatus {
  if (state === 'cart') return obtainable >= quantity ? 'available' : 'notAvailable';
  if (state === 'paying') return 'processing';
  return state === 'lapsed' || state === 'cancelled' ? 'processingFailed' : 'processed';
}
