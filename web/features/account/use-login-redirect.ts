import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { urls } from '#web/lib/urls.ts';
import { returnPath } from './return-path.ts';
import { useSession } from './use-session.ts';

/**
 * For the screens of guests. SPEC §2: a customer who is already signed in is sent to the menu, and one who signs in here
 * returns to the page they came from. `during` wraps the call that signs in, `arrive` navigates afterwards.
 */
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
