/** Calculates the available quantity of a line, and its status. */
import { createHash } from 'node:crypto';
import type { FieldErrors } from '#contract/errors.ts';
import { type CheckoutMethod, limits, warehouse } from '#contract/limits.ts';
import { defaultLocale, inLocale, type Locale } from '#contract/locales.ts';
import { enabledMethods, pickupStores, sellsAt, tableStores } from '#contract/rules/method.ts';
import {
  type ChosenModifier,
  canonicalSelections,
  chooseModifiers,
  defaultSelections,
  priceOfModifiers,
  type Selection,
} from '#contract/rules/modifiers.ts';
import type { InventoryProcessingStatus, OrderState } from '#contract/schemas/order.ts';
import type { StoredGroup } from '#server/modules/catalogue/index.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { linePartsOf } from '#server/modules/pricing/index.ts';
import { isSoldOutAt, type SoldOut, withSoldOut } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { deliveringStores, locationOf, type OrderHead, type OrderLine, type OrderModifier } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/** A SKU that modifiers take, as the catalogue has it. */
export interface TakenSku {
  price: number;
  taxClass: string;
  singleServings: number;
}

/** Where a line is made: what stores have none of today, and the store; null while that is open, and for what is shipped. */
export interface LinePlace {
  storeId: string | null;
  soldOut: SoldOut;
}

export const placeOf = (
  { storeId }: Pick<OrderHead, 'storeId'>,
  { soldOut }: { soldOut: SoldOut },
): LinePlace => ({
  storeId,
  soldOut,
});

/** What a line is to have instead of what it has. */
export interface LineWish {
  /** Left out: what it has, or the defaults for a line that is not there yet. */
  modifiers?: readonly Selection[] | undefined;
  note?: string | undefined;
  /** Nothing that is sold out there is a default. */
  place: LinePlace;
}

type Chosen = readonly ChosenModifier<StoredGroup>[];

/** The same for lines with the same SKU, modifiers and note: adding the same again raises the quantity. */
export function identityOf(sku: string, selections: readonly Selection[], note: string): string {
  if (selections.length === 0 && note === '') return sku;
  const text = JSON.stringify([canonicalSelections(selections), note]);
  return `${sku}#${createHash('sha256').update(text).digest('base64url')}`;
}

/** A line with what is chosen for it: what is `kept`, or what is wished instead. Modifiers that are no longer offered are left out. */
export function chosenLine(
  line: OrderLine,
  groups: readonly StoredGroup[],
  kept: { modifiers: readonly Selection[]; note: string },
  wish: LineWish | undefined,
): { line: OrderLine; chosen: Chosen } {
  const { optionPairs } = line;
  const defaults = ({ storeId, soldOut }: LinePlace) =>
    defaultSelections({ groups: withSoldOut(groups, soldOut), optionPairs, storeId });
  const unchosen = () =>
    wish && line.quantity === 0 && groups.length > 0 ? defaults(wish.place) : kept.modifiers;
  const selections = wish?.modifiers ?? unchosen();
  // On one line, as it is printed.
  const note = (wish?.note ?? kept.note).replace(/\s+/g, ' ').trim();
  const identity = wish ? identityOf(line.sku, selections, note) : line.identity;
  if (groups.length === 0 && selections.length === 0)
    return { line: { ...line, identity, note }, chosen: [] };
  const { chosen } = chooseModifiers({ groups, optionPairs, storeId: null }, selections, defaultLocale);
  return { line: { ...line, identity, note, choice: { groups, selections } }, chosen };
}

/** A line with the prices of its modifiers. */
export function pricedLine(line: OrderLine, chosen: Chosen, skus: ReadonlyMap<string, TakenSku>): OrderLine {
  if (chosen.length === 0) return line;
  const { unitPrice: price, listPrice, taxClass, singleServings } = line;
  const modifiers = orderModifiers(chosen, skus);
  const added = priceOfModifiers(chosen);
  return {
    ...line,
    modifiers,
    unitPrice: price + added,
    listPrice: listPrice === null ? null : listPrice + added,
    parts: linePartsOf({ price, taxClass, singleServings }, modifiers),
  };
}

/** A line of a placed order with what it consists of, for a new bill. */
export function agreedParts(line: OrderLine): OrderLine {
  const { unitPrice, taxClass, singleServings, modifiers } = line;
  if (modifiers.length === 0) return line;
  return {
    ...line,
    parts: linePartsOf(
      { price: unitPrice - priceOfModifiers(modifiers), taxClass, singleServings },
      modifiers,
    ),
  };
}

/** What is chosen for a line, as its columns keep it. */
export function chosenColumns({ identity, choice, note }: OrderLine) {
  const selections = canonicalSelections(choice?.selections ?? []);
  return { identity, modifiers: selections.length > 0 ? JSON.stringify(selections) : null, note };
}

/** Chosen modifiers as an order keeps them. Those that are products of a set are taxed as these are. */
function orderModifiers(chosen: Chosen, skus: ReadonlyMap<string, TakenSku>): OrderModifier[] {
  return chosen.map(({ group, modifier, quantity, amount, modifiers }) => {
    const product = (group.setParts && modifier.sku !== null && skus.get(modifier.sku)) || null;
    const own = modifier.taxClass !== null ? modifier : product;
    return {
      group: group.id,
      modifier: modifier.id,
      nameContent: modifier.nameContent,
      quantity,
      amount,
      taxClass: own?.taxClass ?? null,
      singleServings: (own ?? modifier).singleServings,
      sku: modifier.sku,
      ownPrice: product?.price ?? null,
      modifiers: orderModifiers(modifiers, skus),
    };
  });
}

/** The SKUs of chosen modifiers. */
export function modifierSkus(chosen: Chosen): string[] {
  return chosen.flatMap(({ modifier, modifiers }) => [
    ...(modifier.sku === null ? [] : [modifier.sku]),
    ...modifierSkus(modifiers),
  ]);
}

/** With those that they open. */
export const allModifiers = (modifiers: readonly OrderModifier[]): OrderModifier[] =>
  modifiers.flatMap((each) => [each, ...allModifiers(each.modifiers)]);

/** Units of each SKU, its own and those of its modifiers, in a unit of a line. */
export function unitsIn({ sku, modifiers }: Pick<OrderLine, 'sku' | 'modifiers'>): Map<string, number> {
  const units = new Map([[sku, 1]]);
  const count = (chosen: readonly OrderModifier[], times: number) => {
    for (const each of chosen) {
      if (each.sku !== null) units.set(each.sku, (units.get(each.sku) ?? 0) + each.quantity * times);
      count(each.modifiers, each.quantity * times);
    }
  };
  count(modifiers, 1);
  return units;
}

/** Units of each SKU in lines together, which may share SKUs. */
export function unitsOf(
  lines: readonly Pick<OrderLine, 'sku' | 'modifiers' | 'quantity'>[],
): { sku: string; quantity: number }[] {
  const units = new Map<string, number>();
  for (const line of lines)
    for (const [sku, each] of unitsIn(line)) units.set(sku, (units.get(sku) ?? 0) + each * line.quantity);
  return [...units].map(([sku, quantity]) => ({ sku, quantity }));
}

/** Why a line cannot be ordered as it was chosen; empty if it can. Names in messages are in `locale`. */
export function choiceErrors(
  { choice, optionPairs }: OrderLine,
  { storeId, soldOut }: LinePlace,
  locale: Locale,
): FieldErrors {
  if (!choice) return {};
  const groups = withSoldOut(choice.groups, soldOut);
  return chooseModifiers({ groups, optionPairs, storeId }, choice.selections, locale).errors;
}

/** The modifiers on one line, in a language; '' for none. */
export function modifierTextOf(modifiers: readonly OrderModifier[], locale: Locale): string {
  const names = (chosen: readonly OrderModifier[]): string[] =>
    chosen.flatMap(({ nameContent, quantity, modifiers: opened }) => {
      const name = inLocale(nameContent, locale);
      return [quantity > 1 ? `${quantity} × ${name}` : name, ...names(opened)];
    });
  return names(modifiers).join(translate(locale)('ui.listSeparator'));
}

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
  const places = locationsFor(line, order, settings).filter(
    (place) => !isSoldOutAt(settings.soldOut, place, line),
  );
  return Math.max(0, ...unitsLeft(line, before, places, (sku, place) => stock.get(sku)?.get(place) ?? 0));
}

/** How many units of a line each place has, of units `there`, after the lines `before` it; negative if these take more. */
export function unitsLeft<P>(
  line: OrderLine,
  before: readonly OrderLine[],
  places: readonly P[],
  there: (sku: string, place: P) => number,
): number[] {
  const units = unitsIn(line);
  const taken = new Map(
    unitsOf(before.filter(({ modifiers, sku }) => modifiers.length > 0 || units.has(sku))).map(
      ({ sku, quantity }) => [sku, quantity],
    ),
  );
  return places.map((place) => {
    let least: number = limits.quantityMax;
    for (const [sku, each] of units)
      least = Math.min(least, Math.floor((there(sku, place) - (taken.get(sku) ?? 0)) / each));
    return least;
  });
}

type Where = Parameters<typeof availableQuantities> extends [unknown, ...infer W] ? W : never;

/** The modifier of a line that nothing is left of, while its product could be had; null if there is none. */
export function lackedModifier(line: OrderLine, ...where: Where): OrderModifier | null {
  const has = (modifiers: OrderModifier[]) => availableQuantities({ ...line, modifiers }, ...where) > 0;
  if (line.modifiers.length === 0 || !has([])) return null;
  return (
    allModifiers(line.modifiers).find((each) => each.sku !== null && !has([{ ...each, modifiers: [] }])) ??
    null
  );
}

/** Every location that sells, by the settings, which stay the same object until they change: with the warehouse, and without. */
const sellingBySettings = new WeakMap<
  OrderSettings,
  { shipped: readonly string[]; inStores: readonly string[] }
>();

function sellingLocations(settings: OrderSettings): {
  shipped: readonly string[];
  inStores: readonly string[];
} {
  let found = sellingBySettings.get(settings);
  if (!found) {
    const { checkout, stores } = settings;
    const inStores = stores.filter((store) => sellsAt(store, checkout)).map(({ id }) => id);
    found = { inStores, shipped: checkout.domesticShippingEnabled ? [warehouse, ...inStores] : inStores };
    sellingBySettings.set(settings, found);
  }
  return found;
}

function locationsFor(
  line: OrderLine,
  order: Pick<OrderHead, 'method' | 'storeId'>,
  settings: OrderSettings,
): readonly string[] {
  const { checkout, stores } = settings;
  if (order.method === 'shipping' && order.storeId === null) return line.inStoreOnly ? [] : [warehouse];
  const settled = locationOf(order);
  if (settled) return [settled];
  if (order.method === 'pickup') return checkout.enablePickup ? pickupStores(stores).map(({ id }) => id) : [];
  if (order.method === 'instore')
    return checkout.inStoreEnabled ? tableStores(stores).map(({ id }) => id) : [];
  const { shipped, inStores } = sellingLocations(settings);
  return line.inStoreOnly ? inStores : shipped;
}

/** The delivery methods that can serve all lines together. An order is served from one location. */
export function servingMethods(
  lines: readonly OrderLine[],
  stock: StockLevels,
  settings: OrderSettings,
): CheckoutMethod[] {
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
export function lineStatus(
  state: OrderState,
  quantity: number,
  obtainable: number,
): InventoryProcessingStatus {
  if (state === 'cart') return obtainable >= quantity ? 'available' : 'notAvailable';
  if (state === 'paying') return 'processing';
  return state === 'lapsed' || state === 'cancelled' ? 'processingFailed' : 'processed';
}
