import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { User } from '#contract/schemas/shop.ts';
import { urls } from '#web/lib/urls.ts';
import { LoadFailed } from './load-failed.tsx';
import { useSession } from './use-session.ts';

export interface CustomerOnlyProps {
  /** Stands there until the customer is known; it is also what the server renders, for everybody. */
  skeleton: ReactNode;
  children: (user: User) => ReactNode;
}

/** SPEC §6: what needs a login. Everybody else is sent there, and comes back afterwards. */
export function CustomerOnly({ skeleton, children }: CustomerOnlyProps) {
  const router = useRouter();
  const { session, failed, retry } = useSession();
  const signedOut = session?.user === null;
  useEffect(() => {
    if (!signedOut) return;
    // Read here once: the location is another as soon as one is on the way.
    const { pathname, searchStr } = router.state.location;
    // The menu is where signing in leads anyway.
    const referFrom = pathname === urls.account() ? undefined : pathname + searchStr;
    void router.navigate({ href: urls.login(referFrom), replace: true });
  }, [signedOut, router]);
  if (session?.user) return children(session.user);
  return failed ? <LoadFailed onRetry={retry} /> : skeleton;
}
