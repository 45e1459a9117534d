import { type ApiClient, callQuery } from './api.ts';

/** The displayed stores. Their details rarely change, so an answer stays fresh for ten minutes. */
export const storesQuery = (api: ApiClient) => callQuery(api, 'pickupLocations', {}, { staleTime: 10 * 60_000 });
