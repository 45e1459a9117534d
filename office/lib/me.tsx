/** The person who is signed in. */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Me, SignInOptions } from '#contract/staff/schemas.ts';
import { ApiError } from '#ui/errors.ts';
import { useCall } from './api.tsx';

/** Null for nobody. */
export function useMeQuery(): UseQueryResult<Me | null> {
  const call = useCall();
  return useQuery({
    queryKey: ['me'],
    queryFn: () =>
      call('me').catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }),
    staleTime: 60_000,
    retry: 2,
  });
}

export function useSignInOptions(): UseQueryResult<SignInOptions> {
  const call = useCall();
  return useQuery({ queryKey: ['sign-in'], queryFn: () => call('signInOptions') });
}

/** Takes over who has signed in, or that nobody has; everything that was shown before is forgotten. */
export function useEnter(): (me: Me | null) => void {
  const queries = useQueryClient();
  return (me) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    queries.setQueryData(['me'], me);
  };
}

export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe outside of the office');
  return me;
}
