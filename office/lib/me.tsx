import {
  type QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { officeMe } from '#contract/limits.ts';
import { inLocale, localeCodes, offerLocales } from '#contract/locales.ts';
import type { Me, SignInOptions } from '#contract/staff/schemas.ts';
import { ApiError } from '#ui/errors.ts';
import { type Call, useCall } from './api.ts';
import { useLanguage } from './i18n.tsx';

/** Who was signed in last, for a page that is opened without a network. */
const known = officeMe;
/** Of keys of what the device keeps for a person until they sign out. */
export const keptForMe = 'office-desk';
/** Of keys of what was done at the desk and is not sent yet. */
export const keptSteps = `${keptForMe}-waiting:`;

/** Whether somebody's session ended by itself: they did not sign out, and are no station's. */
export const isAway = (me: Me | null): boolean =>
  me !== null && me.station === null && localStorage.getItem(known) !== null;

/** Null for nobody. */
export const meQuery = (call: Call) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: (): Promise<Me | null> =>
      call('me').then(
        (me) => {
          localStorage.setItem(known, JSON.stringify(me));
          return me;
        },
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) return null;
          const me = error instanceof ApiError && error.status === 0 ? localStorage.getItem(known) : null;
          if (me === null) throw error;
          return JSON.parse(me) as Me;
        },
      ),
    staleTime: 60_000,
    retry: 2,
  });

export function useMeQuery(): UseQueryResult<Me | null> {
  return useQuery({
    ...meQuery(useCall()),
    // At a station, the person leaves by themselves. An office that could not open tries again.
    refetchInterval: ({ state }) => (state.data?.station ? 60_000 : state.error ? 5000 : false),
  });
}

export const signInOptionsQuery = (call: Call) =>
  queryOptions({ queryKey: ['sign-in'], queryFn: () => call('signInOptions') });

export const useSignInOptions = (): UseQueryResult<SignInOptions> => useQuery(signInOptionsQuery(useCall()));

/** Takes over who is there now. An answer that is on its way would say who was there before, and is dropped. */
export async function takeMe(queries: QueryClient, me: Me | null): Promise<void> {
  await queries.cancelQueries({ queryKey: ['me'] });
  queries.setQueryData(['me'], me);
}

/** Takes over who has signed in, or that nobody has; everything that was shown before is forgotten. */
export function useEnter(): (me: Me | null) => Promise<void> {
  const queries = useQueryClient();
  return (me) => {
    if (me === null) {
      for (const key of Object.keys(localStorage))
        if (key === known || key.startsWith(keptForMe)) localStorage.removeItem(key);
      // Nothing of it is left in the page's memory either.
      location.reload();
    }
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    return takeMe(queries, me);
  };
}

const MeContext = createContext<Me | null>(null);

/** Who is signed in, for all below, and the languages of their shop: which one a name is stored in, and shown in where others lack. */
export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  // What a device kept from before an update may not have them.
  offerLocales(me.shop.languages ?? localeCodes);
  return <MeContext value={me}>{children}</MeContext>;
}

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe outside of the office');
  return me;
}

/** The stores of the shop as choices, those that this person works in, and the name of one, which may be gone. */
export function useStores() {
  const { shop, stores, locale } = useOffice();
  const all = shop.stores.map(({ id, nameContent }) => ({ value: id, label: inLocale(nameContent, locale) }));
  const nameOf = (id: string) => all.find(({ value }) => value === id)?.label;
  return { all, own: all.filter(({ value }) => stores === null || stores.includes(value)), nameOf };
}

/** What a room works with: who is signed in, their language, the calls, and what the calls have answered. */
export function useOffice() {
  return { ...useMe(), ...useLanguage(), call: useCall(), queries: useQueryClient() };
}
