import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { User } from '#contract/schemas/shop.ts';
import { urls } from '#web/lib/urls.ts';
import { LoadFailed } from './load-failed.tsx';
import { useSession } from './use-session.ts';

export interface CustomerOnlyProps {
  /** Shown until the session is known. The server renders it for every visitor. */
  skeleton: ReactNode;
  children: (user: User) => ReactNode;
}

/** SPEC §6: content that requires signing in. Guests are sent to the sign-in page and return afterwards. */
export function CustomerOnly({ skeleton, children }: CustomerOnlyProps) {
  const router = useRouter();
  const { session, failed, retry } = useSession();
  const signedOut = session?.user === null;
  useEffect(() => {
    if (!signedOut) return;
    // Read once: the location changes as soon as the navigation starts.
    const { pathname, searchStr } = router.state.location;
    // Signing in leads to the menu by default.
    const referFrom = pathname === urls.account() ? undefined : pathname + searchStr;
    void router.navigate({ href: urls.login(referFrom), replace: true });
  }, [signedOut, router]);
  if (session?.user) return children(session.user);
  return failed ? <LoadFailed onRetry={retry} /> : skeleton;
}
