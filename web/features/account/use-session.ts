import { useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { sessionQuery } from './queries.ts';

export interface SessionState {
  /** Undefined until it is known, and while a page of the server, which is for everybody, is taken over. */
  session: SessionInfo | undefined;
  /** It could not be had. */
  failed: boolean;
  retry: () => void;
}

export function useSession(): SessionState {
  const hydrated = useHydrated();
  const query = useQuery(sessionQuery(useApi()));
  return {
    session: hydrated ? query.data : undefined,
    failed: hydrated && query.isError && !query.data,
    retry: () => void query.refetch(),
  };
}
