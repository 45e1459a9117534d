import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

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
