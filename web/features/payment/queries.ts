import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

/** The order with its bill as it would be placed now; never a cached one. */
export function billingQuery(api: ApiClient, gatewayName: string, payAtStore: boolean | undefined) {
  return queryOptions({
    queryKey: ['billing', gatewayName, payAtStore ?? null],
    queryFn: ({ signal }) =>
      api.call('getBilling', { params: { gatewayName }, query: { pickUpAandPayAtStore: payAtStore }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
}
