import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, callQuery } from '#web/lib/api.ts';

export const productQuery = (api: ApiClient, id: string) => callQuery(api, 'product', { params: { id } });

/** The shop's terms, for structured data. The browser never reads them. */
export const offerTermsQuery = (api: ApiClient) =>
  callQuery(api, 'offerTerms', {}, { meta: { serverOnly: true } });

export function relatedQuery(api: ApiClient, productid: string) {
  return queryOptions({
    queryKey: ['product', 'related', api.locale, productid],
    queryFn: async ({ signal }) =>
      (await api.call('relatedProducts', { params: { productid }, signal })).products,
  });
}

/** Live stock of one combination. Never part of a rendered page, which is the same for every visitor. */
export const inventoryQuery = (api: ApiClient, productID: string, optionPair: string) =>
  callQuery(
    api,
    'inventory',
    { params: { productID }, query: { optionPair: optionPair || undefined } },
    { staleTime: 15_000, refetchOnWindowFocus: true },
  );
