import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { addressDefaults, type CheckoutMethod } from '#contract/limits.ts';
import type { AddressInput, LineItem } from '#contract/schemas/order.ts';
import { addressFormQuery } from '#web/lib/address-form.ts';
import { type ApiClient, callQuery, storesQuery } from '#web/lib/api.ts';

export const checkoutConfigQuery = (api: ApiClient) => callQuery(api, 'checkoutConfig');

export const paymentConfigQuery = (api: ApiClient) => callQuery(api, 'paymentConfig');

export const countriesQuery = (api: ApiClient) =>
  callQuery(api, 'supportedCountries', {}, { staleTime: Number.POSITIVE_INFINITY });

/** `isPlaced`: whether country and province are known, as far as the country has provinces. */
export function shippingMethodsQuery(
  api: ApiClient,
  cartVersion: number,
  country: string,
  province: string,
  isPlaced: boolean,
) {
  return queryOptions({
    queryKey: ['shippingMethods', api.locale, cartVersion, country, province],
    queryFn: ({ signal }) => api.call('shippingMethods', { query: { country, province }, signal }),
    enabled: isPlaced,
    // The rates of the previous province show until the new ones load; another country's would mislead.
    placeholderData: (previous, query) => (query?.queryKey[3] === country ? previous : undefined),
  });
}

/** Whether a store delivers the cart to an address itself. `address` is null while it is incomplete. */
export function localDeliveryQuery(api: ApiClient, cartVersion: number, address: AddressInput | null) {
  return queryOptions({
    queryKey: ['localDelivery', api.locale, cartVersion, address],
    queryFn: ({ signal }) => (address ? api.call('localDelivery', { body: { address }, signal }) : null),
    enabled: address !== null,
    // Stores close.
    staleTime: 60_000,
  });
}

export interface BillEstimateQuery {
  methodName: CheckoutMethod;
  localStoreName?: string;
  country?: string;
  province?: string;
  shippingMethod?: string;
  partySize?: string;
}

/** The bill of the cart at version `cartVersion` for a delivery that is not stored yet. */
export function billEstimateQuery(api: ApiClient, cartVersion: number, query: BillEstimateQuery | null) {
  return queryOptions({
    queryKey: ['billEstimate', api.locale, cartVersion, query],
    queryFn: ({ signal }) => (query ? api.call('billEstimate', { query: { ...query }, signal }) : null),
    enabled: query !== null,
    // The previous bill shows until the new one loads.
    placeholderData: (previous) => previous,
  });
}

/** A store's times on one day. They fill up, so they are requested again each time. */
export const pickupSlotsQuery = (api: ApiClient, localStoreName: string, date: string) =>
  callQuery(
    api,
    'pickupSlots',
    { query: { localStoreName, date } },
    { enabled: localStoreName !== '' && date !== '', staleTime: 15_000 },
  );

export function lineStockQuery(api: ApiClient, line: Pick<LineItem, 'product' | 'optionPairs' | 'sku'>) {
  return queryOptions({
    queryKey: ['lineStock', line.sku],
    queryFn: ({ signal }) =>
      api.call('inventory', {
        params: { productID: line.product },
        query: line.optionPairs ? { optionPair: line.optionPairs } : {},
        signal,
      }),
    staleTime: 15_000,
  });
}

/**
 * Loads delivery and payment methods, stores, the countries, and the address form of the usual one. On the server only: in the browser
 * the screens load them, and show meanwhile that they do. Whatever fails to load here is left to the browser as well.
 */
export async function loadCheckoutFacts({
  api,
  queryClient,
}: {
  api: ApiClient;
  queryClient: QueryClient;
}): Promise<void> {
  if (!import.meta.env.SSR) return;
  await Promise.all([
    queryClient.prefetchQuery(checkoutConfigQuery(api)),
    queryClient.prefetchQuery(paymentConfigQuery(api)),
    queryClient.prefetchQuery(storesQuery(api)),
    queryClient.prefetchQuery(countriesQuery(api)),
    queryClient.prefetchQuery(addressFormQuery(api, addressDefaults.countryISOCode)),
  ]);
}
