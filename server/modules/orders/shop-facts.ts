/** What the shop has decided and orders depend on, read before a transaction begins. */
import type { CheckoutConfig } from '#contract/schemas/order.ts';
import type { ShippingMethodSetting } from '../pricing/shipping.ts';
import { type TaxTable, taxTableOf } from '../pricing/tax.ts';
import type { ShopSettings } from '../settings/settings.schema.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { Store, StoresService } from '../stores/stores.service.ts';

/** A store by the name the shopper's rules know it under (`contract/rules/method.ts`). */
export type OrderStore = Store & { localStoreName: string };

export interface ShopFacts {
  currency: string;
  /** Order numbers begin with it. */
  numberPrefix: string;
  checkout: CheckoutConfig;
  payment: ShopSettings['paymentConfig'];
  countries: ShopSettings['countries'];
  taxes: TaxTable;
  shippingMethods: readonly ShippingMethodSetting[];
  stores: readonly OrderStore[];
}

/** Reads the facts, anew only when settings or stores have changed. */
export function createShopFacts(deps: { settings: SettingsService; stores: StoresService }): () => Promise<ShopFacts> {
  let kept: { settings: ShopSettings; stores: readonly Store[]; facts: ShopFacts } | null = null;
  return async () => {
    const [settings, stores] = await Promise.all([deps.settings.all(), deps.stores.all()]);
    if (kept?.settings !== settings || kept.stores !== stores) kept = { settings, stores, facts: factsOf(settings, stores) };
    return kept.facts;
  };
}

function factsOf(settings: ShopSettings, all: readonly Store[]): ShopFacts {
  const stores = all.map((store) => ({ ...store, localStoreName: store.id }));
  return {
    currency: settings.currency,
    numberPrefix: settings.orderNumberPrefix,
    checkout: { ...settings.checkoutConfig, inStoreEnabled: stores.some((store) => store.display && store.tables > 0) },
    payment: settings.paymentConfig,
    countries: settings.countries,
    taxes: taxTableOf(settings.taxRates),
    shippingMethods: settings.shippingMethods,
    stores,
  };
}
