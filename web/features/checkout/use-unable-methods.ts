import type { CheckoutMethod } from '#contract/limits.ts';
import { locales } from '#contract/locales.ts';
import { pickupStores, tableStores } from '#contract/rules/method.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { type CartStock, missingFrom, notShippable } from './cart-stock.ts';

/** For each unavailable method, why it cannot serve this cart. */
export function useUnableMethods(lines: LineItem[], stores: PickupLocation[], stock: CartStock) {
  const t = useT();
  const locale = useLocale();
  const unable: Partial<Record<CheckoutMethod, string>> = {};
  const unshippable = notShippable(lines, stock)[0];
  if (unshippable) {
    const key = unshippable.inStoreOnly ? 'checkout.method.noShipInStoreOnly' : 'checkout.method.noShipStock';
    unable.shipping = t(key, { product: unshippable.productName });
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
