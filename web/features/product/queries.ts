/** The queries of the product page: the product before it renders, live stock and the rest afterwards. */
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';
import { dayInZone, nextDay } from './store-day.ts';

export function productQuery(api: ApiClient, id: string) {
  return queryOptions({
    queryKey: ['product', api.locale, id],
    queryFn: ({ signal }) => api.call('product', { params: { id }, signal }),
  });
}

/** The shop's terms, for structured data. The browser never reads them. */
export function offerTermsQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['offerTerms'],
    queryFn: ({ signal }) => api.call('offerTerms', { signal }),
    meta: { serverOnly: true },
  });
}

export function relatedQuery(api: ApiClient, productid: string) {
  return queryOptions({
    queryKey: ['product', 'related', api.locale, productid],
    queryFn: async ({ signal }) => (await api.call('relatedProducts', { params: { productid }, signal })).products,
  });
}

/** Live stock of one combination. Never part of a rendered page, which is the same for every visitor. */
export function inventoryQuery(api: ApiClient, productID: string, optionPair: string) {
  return queryOptions({
    queryKey: ['product', 'inventory', api.locale, productID, optionPair],
    queryFn: ({ signal }) =>
      api.call('inventory', { params: { productID }, query: { optionPair: optionPair || undefined }, signal }),
    staleTime: 15_000,
    refetchOnWindowFocus: true,
  });
}

/** The number of days searched for the first pickup time. */
const daysAhead = 3;

/** The earliest pickup time at a store (epoch ms); null if there is none within those days. */
export function firstPickupQuery(api: ApiClient, localStoreName: string, timeZone: string) {
  return queryOptions({
    queryKey: ['pickup', 'first', localStoreName],
    queryFn: async ({ signal }) => {
      let date = dayInZone(Date.now(), timeZone);
      for (let day = 0; day <= daysAhead; day += 1) {
        const { slots } = await api.call('pickupSlots', { query: { localStoreName, date }, signal });
        const free = slots.find(({ available }) => available);
        if (free) return free.at;
        date = nextDay(date);
      }
      return null;
    },
    staleTime: 60_000,
  });
}

/** When a parcel ordered now would arrive, and what shipping costs. It changes at the shop's midnight, so no page contains it. */
export function deliveryPromiseQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['deliveryPromise'],
    queryFn: ({ signal }) => api.call('deliveryPromise', { signal }),
    staleTime: 600_000,
  });
}
