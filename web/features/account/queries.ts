import { infiniteQueryOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { type AddressType, limits } from '#contract/limits.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { ApiError } from '#ui/errors.ts';
import { type ApiClient, useApi } from '#web/lib/api.ts';

export const sessionKey = ['session'] as const;
/** The root key of all data of one customer, so that all of it can be removed at once. */
const ownKey = 'own';

export const guest: SessionInfo = { user: null, lastLoginDate: null, userID: null };

/** Requested after the page has loaded, unless that is rendered for its visitor, and again when the customer returns to this tab. */
export function sessionQuery(api: ApiClient) {
  return queryOptions({
    queryKey: sessionKey,
    queryFn: ({ signal }) => api.call('userInfo2', { signal }),
    refetchOnWindowFocus: 'always',
  });
}

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
    getNextPageParam: (last, pages) =>
      last.length < limits.pageSize ? undefined : pages.length * limits.pageSize,
    staleTime: 0,
  });
}

export function addressesQuery(api: ApiClient, userId: string, addressType: AddressType) {
  return queryOptions({
    queryKey: addressesKey(api, userId, addressType),
    queryFn: ({ signal }) => api.call('getAddresses', { params: { userId, addressType }, signal }),
    staleTime: 0,
  });
}

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

export function clearPersonalData(client: QueryClient): void {
  client.removeQueries({ queryKey: [ownKey] });
  client.removeQueries({ queryKey: ['order'] });
}

/** Handles a session that ended elsewhere: the shop answers 401, and the account's screens then lead to signing in. */
export function noticeSignedOut(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) client.setQueryData(sessionKey, guest);
}

interface SessionState {
  /** Undefined until the session is known, and during hydration of a page that is the same for everybody. */
  session: SessionInfo | undefined;
  failed: boolean;
  retry: () => void;
}

export function useSession(): SessionState {
  const api = useApi();
  const hydrated = useHydrated() || api.visitor;
  const query = useQuery(sessionQuery(api));
  return {
    session: hydrated ? query.data : undefined,
    failed: hydrated && query.isError && !query.data,
    retry: () => void query.refetch(),
  };
}
