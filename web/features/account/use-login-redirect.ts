import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { splitLocale } from '#contract/locale-path.ts';
import { sameSitePath } from '#contract/rules/account.ts';
import { urls } from '#web/lib/urls.ts';
import { useSession } from './queries.ts';

/** SPEC §2: a customer who is signed in, or signs in here, returns to the page they came from. `during` wraps the call that signs in. */
export function useLoginRedirect(asked: string | undefined) {
  const navigate = useNavigate();
  const { session } = useSession();
  const [here, setHere] = useState(false);
  const referFrom = returnPath(asked);
  const away = !here && Boolean(session?.user);
  useEffect(() => {
    if (away) void navigate({ href: urls.account(), replace: true });
  }, [away, navigate]);
  return {
    referFrom,
    during: async <T>(call: () => Promise<T>): Promise<T> => {
      setHere(true);
      try {
        return await call();
      } catch (error) {
        setHere(false);
        throw error;
      }
    },
    arrive: () => void navigate({ href: referFrom ?? urls.account(), replace: true }),
  };
}

/** A path of this shop without its language. Undefined if `referFrom` leads out of the shop or back to signing in. */
export function returnPath(referFrom: unknown): string | undefined {
  const path = sameSitePath(referFrom);
  if (path === null) return undefined;
  const at = path.search(/[?#]|$/);
  const { pathname } = splitLocale(path.slice(0, at));
  const loops = pathname === '/account/login' || pathname === '/account/signup';
  // `/zh//host` is a path of this shop, but without its language it would name another host.
  return loops || pathname.startsWith('//') ? undefined : pathname + path.slice(at);
}
