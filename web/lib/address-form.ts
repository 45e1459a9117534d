import { type ApiClient, callQuery } from './api.ts';

/** What an address in a country (ISO 3166-1) consists of, in the page's language. */
export const addressFormQuery = (api: ApiClient, id: string) =>
  callQuery(
    api,
    'addressForm',
    { params: { id } },
    { staleTime: Number.POSITIVE_INFINITY, enabled: id !== '' },
  );
