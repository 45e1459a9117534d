import { useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { sessionQuery } from './queries.ts';

export interface SessionState {
  /** Undefined until the session is known, and during hydration of a page that is the same for everybody. */
  session: SessionInfo | undefined;
  /** The session failed to load. */
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
