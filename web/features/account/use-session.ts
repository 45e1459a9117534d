import { useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { sessionQuery } from './queries.ts';

export interface SessionState {
  /** Undefined until the session is known, and during hydration, because the server's page is the same for everybody. */
  session: SessionInfo | undefined;
  /** The session failed to load. */
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
