import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AddressType, limits } from '#contract/limits.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { type ApiClient, ApiError } from '#web/lib/api.ts';

export const sessionKey = ['session'] as const;
/** What belongs to one customer lies under this key, so that it can be forgotten at once. */
const ownKey = 'own';

/** What the shop says of somebody who is not signed in. */
export const guest: SessionInfo = { user: null, lastLoginDate: null, userID: null };

/**
 * Who the session belongs to; a guest has no user. Asked for once the page is there, and again whenever
 * the shopper comes back to this tab, since they may have signed in or out in another.
 */
export function sessionQuery(api: ApiClient) {
  return queryOptions({
    queryKey: sessionKey,
    queryFn: ({ signal }) => api.call('userInfo2', { signal }),
    refetchOnWindowFocus: 'always',
  });
}

/** The customer's orders, latest first; each page asks for one order list page more. */
export function ordersQuery(api: ApiClient, customerid: string) {
  return infiniteQueryOptions({
    queryKey: [ownKey, 'orders', api.locale, customerid],
    queryFn: ({ pageParam, signal }) =>
      api.call('customerOrders', {
        params: { customerid },
        query: { startingPosition: pageParam, numberToLoad: limits.pageSize },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < limits.pageSize ? undefined : pages.length * limits.pageSize),
    staleTime: 0,
  });
}

/** The customer's addresses of a type, the default one first. */
export function addressesQuery(api: ApiClient, userId: string, addressType: AddressType) {
  return queryOptions({
    queryKey: addressesKey(api, userId, addressType),
    queryFn: ({ signal }) => api.call('getAddresses', { params: { userId, addressType }, signal }),
    staleTime: 0,
  });
}

/** Where the customer is signed in. */
export function sessionsQuery(api: ApiClient) {
  return queryOptions({
    queryKey: [ownKey, 'sessions'] as const,
    queryFn: ({ signal }) => api.call('accountSessions', { signal }),
    staleTime: 0,
  });
}

export function addressesKey(api: ApiClient, userId: string, addressType: AddressType) {
  return [ownKey, 'addresses', api.locale, userId, addressType] as const;
}

/** Forgets what a customer has seen of their own. */
export function clearPersonalData(client: QueryClient): void {
  client.removeQueries({ queryKey: [ownKey] });
  client.removeQueries({ queryKey: ['order'] });
}

/** The session ended elsewhere: the shop says so by 401, and the screens of an account then lead to signing in. */
export function noticeSignedOut(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) client.setQueryData(sessionKey, guest);
}
