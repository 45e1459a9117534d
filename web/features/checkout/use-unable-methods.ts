import type { CheckoutMethod } from '#contract/limits.ts';
import { pickupStores, tableStores } from '#contract/rules/method.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { type CartStock, lackingAt, notShippable } from './cart-stock.ts';

/** For each unavailable method, why it cannot serve this cart. */
export function useUnableMethods(lines: LineItem[], stores: PickupLocation[], stock: CartStock) {
  const t = useT();
  const unable: Partial<Record<CheckoutMethod, string>> = {};
  const unshippable = notShippable(lines, stock)[0];
  if (unshippable) {
    const key = unshippable.inStoreOnly ? 'checkout.method.noShipInStoreOnly' : 'checkout.method.noShipStock';
    unable.shipping = t(key, { product: unshippable.productName });
  }
  const anyHasAll = (some: PickupLocation[]) =>
    some.some(({ localStoreName }) => lackingAt(localStoreName, lines, stock).length === 0);
  const pickup = pickupStores(stores);
  if (pickup.length > 0 && !anyHasAll(pickup)) unable.pickup = t('checkout.method.noneHasAll');
  const tables = tableStores(stores);
  if (tables.length > 0 && !anyHasAll(tables)) unable.instore = t('checkout.method.noneHasAll');
  return unable;
}
