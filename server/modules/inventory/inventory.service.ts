import { limits, warehouse } from '#contract/limits.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import { sellsAt, takesOrders } from '#contract/rules/method.ts';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import { skuPriceInfo } from '#server/modules/pricing/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { isSoldOutAt, type StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { publishedProduct, skuOfOptions, unitsByPlace } from './stock/levels.repository.ts';

export type InventoryService = ReturnType<typeof createInventoryService>;

export function createInventoryService(deps: {
  db: Database;
  settings: SettingsService;
  stores: StoresService;
}) {
  const { db, settings, stores } = deps;
  return {
    /**
     * Of `#name:value` pairs in any order, '' for none. Options that no SKU has are 'NotAvailable', not an error, and so is all of a shop that offers no way to get an order yet. Counts only
     * stock that a customer can buy: the warehouse if the shop ships, unless the product is in store only, and stores with pickup
     * or dine-in. @throws {AppError} NOT_FOUND for an unknown product
     */
    async of(productId: string, optionPair: string): Promise<Inventory> {
      const product = await publishedProduct(db.read, productId);
      if (!product) throw notFound();
      const pairs = canonicalOptionPairs(optionPair);
      const sku = pairs === null ? undefined : await skuOfOptions(db.read, productId, pairs);
      const { currency, checkoutConfig: checkout } = await settings.all();
      const displayed = (await stores.all())
        .filter(({ display }) => display)
        .map((store) => ({ ...store, localStoreName: store.id }));
      const [isUncounted, oversells] = [sku?.counted === 0, sku?.counted === 1 && sku.oversell === 1];
      const there = sku ? await unitsByPlace(db.read, sku.id) : new Map<string, number>();
      const soldOut = await stores.soldOut();
      const gone = displayed.filter(({ id }) => sku && isSoldOutAt(soldOut, id, { sku: sku.id, productId }));
      const isGone = new Set(gone.map(({ id }) => id));
      const unitsAt = (place: string) =>
        isGone.has(place) ? 0 : isUncounted ? limits.quantityMax : Math.max(0, there.get(place) ?? 0);
      const mostAt = (place: string) =>
        oversells && !isGone.has(place) ? limits.quantityMax : unitsAt(place);
      const inventoryStoreInfos = displayed.map((store) => ({
        localStoreName: store.id,
        nameContent: store.name,
        number: unitsAt(store.id),
        allowPickup: checkout.enablePickup && store.allowPickup,
        ...(isGone.has(store.id) ? { soldOutToday: true } : {}),
      }));
      if (!sku)
        return {
          sku: null,
          status: 'NotAvailable',
          priceInfo: null,
          shippable: 0,
          obtainable: 0,
          inventoryStoreInfos,
        };
      const ships = checkout.domesticShippingEnabled && product.in_store_only === 0;
      const shippable = ships ? mostAt(warehouse) : 0;
      const selling = displayed.filter((store) => sellsAt(store, checkout)).map(({ id }) => id);
      const obtainable = Math.min(limits.quantityMax, Math.max(shippable, ...selling.map(mostAt)));
      const isOpen = takesOrders(displayed, checkout);
      const isLeft = [...(ships ? [warehouse] : []), ...selling].some((place) => unitsAt(place) > 0);
      return {
        sku: sku.id,
        status: !isOpen ? 'NotAvailable' : obtainable > 0 ? 'InStock' : 'OutOfStock',
        priceInfo: skuPriceInfo(
          { priceCents: sku.price_cents, compareAtCents: sku.compare_at_cents },
          currency,
        ),
        shippable,
        obtainable,
        inventoryStoreInfos,
        ...(isOpen ? {} : { notForSaleYet: true }),
        ...(isUncounted ? { uncounted: true } : {}),
        ...(oversells ? { oversell: true } : {}),
        ...(oversells && obtainable > 0 && !isLeft ? { backorder: true } : {}),
      };
    },
  };
}
