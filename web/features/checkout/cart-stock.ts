/** Determines which stores, and the shipping warehouse, have the items of the cart in stock. */
import { useQueries } from '@tanstack/react-query';
import type { CheckoutMethod } from '#contract/limits.ts';
import { locales } from '#contract/locales.ts';
import { pickupStores, tableStores } from '#contract/rules/method.ts';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api.ts';
import { lineStockQuery } from './queries.ts';

/** Stock by SKU; a SKU whose stock is not loaded yet is missing, and counts as available. */
export type CartStock = ReadonlyMap<string, Inventory>;

type Line = Pick<LineItem, 'sku' | 'quantity' | 'inStoreOnly'>;

/** Units of a SKU in all lines that have it. */
const unitsOf = (sku: string, lines: readonly Line[]) =>
  lines.reduce((sum, line) => (line.sku === sku ? sum + line.quantity : sum), 0);

/** Lines of which a store has fewer units than requested. */
export function lackingAt<L extends Line>(store: string, lines: readonly L[], stock: CartStock): L[] {
  return lines.filter((line) => {
    const { inventoryStoreInfos: stores, oversell } = stock.get(line.sku) ?? {};
    const here = stores?.find(({ localStoreName }) => localStoreName === store);
    if (!stores || (oversell && here && !here.soldOutToday)) return false;
    return (here?.number ?? 0) < unitsOf(line.sku, lines);
  });
}

/**
 * Why no store has everything: the lines that none has, or else those that no store has `together`. Null if one has all.
 * `stores` are `localStoreName`s.
 */
function missingFrom<L extends Line>(
  stores: readonly string[],
  lines: readonly L[],
  stock: CartStock,
): { lines: L[]; together: boolean } | null {
  const lacking = stores.map((store) => lackingAt(store, lines, stock));
  if (lacking.some((some) => some.length === 0)) return null;
  const nowhere = lines.filter((line) => lacking.every((some) => some.includes(line)));
  if (nowhere.length > 0) return { lines: nowhere, together: false };
  return { lines: lines.filter((line) => lacking.some((some) => some.includes(line))), together: true };
}

/** Lines that cannot be shipped: sold in stores only, or fewer units in the warehouse than requested. */
export function notShippable<L extends Line>(lines: readonly L[], stock: CartStock): L[] {
  return lines.filter(
    (line) =>
      line.inStoreOnly ||
      (stock.get(line.sku)?.shippable ?? Number.POSITIVE_INFINITY) < unitsOf(line.sku, lines),
  );
}

/** Why a line that cannot be shipped is not: no store may have it either. `count`: of fewer units than requested, those in one place. */
export function noShipReason<L extends Line>(
  line: L,
  lines: readonly L[],
  stock: CartStock,
): { key: 'noShipInStoreOnly' | 'noShipStock' | 'noShipSoldOut' } | { key: 'noShipFew'; count: number } {
  if (line.inStoreOnly) return { key: 'noShipInStoreOnly' };
  const { inventoryStoreInfos: stores = [], oversell, shippable = 0 } = stock.get(line.sku) ?? {};
  const inStores = stores.map(({ number, soldOutToday }) =>
    oversell && !soldOutToday ? Number.POSITIVE_INFINITY : number,
  );
  if (inStores.some((units) => units >= unitsOf(line.sku, lines))) return { key: 'noShipStock' };
  const count = Math.max(shippable, ...inStores);
  return count > 0 ? { key: 'noShipFew', count } : { key: 'noShipSoldOut' };
}

/** Live stock of every line of the cart; lines whose stock is still loading are missing. */
export function useCartStock(lines: LineItem[]): CartStock {
  const api = useApi();
  const first = lines.filter(({ sku }, index) => lines.findIndex((other) => other.sku === sku) === index);
  const queries = useQueries({ queries: first.map((line) => lineStockQuery(api, line)) });
  const known = first.flatMap(({ sku }, index): [string, Inventory][] => {
    const stock = queries[index]?.data;
    return stock ? [[sku, stock]] : [];
  });
  return new Map(known);
}

/** For each unavailable method, why it cannot serve this cart. */
export function useUnableMethods(lines: LineItem[], stores: PickupLocation[], stock: CartStock) {
  const t = useT();
  const locale = useLocale();
  const unable: Partial<Record<CheckoutMethod, string>> = {};
  const unshippable = notShippable(lines, stock)[0];
  const isDelivered = stores.some(
    (store) => store.delivers && lackingAt(store.localStoreName, lines, stock).length === 0,
  );
  if (unshippable && !isDelivered) {
    const product = unshippable.productName;
    const reason = noShipReason(unshippable, lines, stock);
    unable.shipping =
      reason.key === 'noShipFew'
        ? t('checkout.method.noShipFew', { product, count: reason.count })
        : t(`checkout.method.${reason.key}`, { product });
  }
  const visit = (method: 'pickup' | 'instore', offered: PickupLocation[]) => {
    if (offered.length === 0) return;
    const missing = missingFrom(
      offered.map(({ localStoreName }) => localStoreName),
      lines,
      stock,
    );
    if (!missing) return;
    const names = new Set(missing.lines.map(({ productName }) => productName));
    const products = new Intl.ListFormat(locales[locale].tag).format(names);
    const key = missing.together ? 'checkout.method.noneHasTogether' : 'checkout.method.noneHas';
    unable[method] = t(key, { method: t(`checkout.method.${method}`), products });
  };
  visit('pickup', pickupStores(stores));
  visit('instore', tableStores(stores));
  return unable;
}
