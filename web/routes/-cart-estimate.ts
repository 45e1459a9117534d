/** The bill of a cart before the customer has chosen a delivery, for the cart page and for its loader. */
import type { QueryClient } from '@tanstack/react-query';
import { addressDefaults, type CheckoutMethod } from '#contract/limits.ts';
import { pickupStores, tableStores } from '#contract/rules/method.ts';
import type { CheckoutConfig, Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { myCartQuery } from '#web/features/cart/queries.ts';
import { type BillEstimateQuery, billEstimateQuery, checkoutConfigQuery } from '#web/features/checkout/queries.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { storesQuery } from '#web/lib/stores-query.ts';

export interface AssumedDelivery {
  /** Whether everything is shipped. */
  ships: boolean;
  method: CheckoutMethod;
  /** The store of an order that is not shipped; undefined if there is none. */
  store: PickupLocation | undefined;
  /** What to request; null if no bill can be assumed. */
  query: BillEstimateQuery | null;
}

/** The delivery that the bill assumes: the shop's default destination, or its first store if something is not shipped. */
export function assumedDelivery(order: Order, config?: CheckoutConfig, stores?: readonly PickupLocation[]): AssumedDelivery {
  const ships = config?.domesticShippingEnabled === true && !order.lineItems.some(({ inStoreOnly }) => inStoreOnly);
  const store = stores && (pickupStores(stores)[0] ?? tableStores(stores)[0]);
  const method: CheckoutMethod = ships ? 'shipping' : config?.enablePickup ? 'pickup' : 'instore';
  const place = ships
    ? { country: addressDefaults.countryISOCode, province: addressDefaults.province }
    : store && { localStoreName: store.localStoreName };
  return { ships, method, store, query: config && place ? { methodName: method, ...place } : null };
}

/** Loads the assumed bill of the cart that the page shows, if it shows one. If that fails, the browser requests it. */
export async function loadEstimate({ api, queryClient }: { api: ApiClient; queryClient: QueryClient }): Promise<void> {
  const order = queryClient.getQueryData(myCartQuery(api).queryKey);
  if (!order || order.lineItems.length === 0 || order.bill.final) return;
  const config = queryClient.getQueryData(checkoutConfigQuery(api).queryKey);
  const { query } = assumedDelivery(order, config, queryClient.getQueryData(storesQuery(api).queryKey));
  if (query) await queryClient.prefetchQuery(billEstimateQuery(api, order.version, query));
}
