import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { User } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useSession } from './use-session.ts';

export interface CustomerOnlyProps {
  /** Stands there until the customer is known; it is also what the server renders, for everybody. */
  skeleton: ReactNode;
  children: (user: User) => ReactNode;
}

/** SPEC §6: what needs a login. Everybody else is sent there, and comes back afterwards. */
export function CustomerOnly({ skeleton, children }: CustomerOnlyProps) {
  const t = useT();
  const navigate = useNavigate();
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  const { session, failed, retry } = useSession();
  const signedOut = session?.user === null;
  useEffect(() => {
    // The menu is where signing in leads anyway.
    if (signedOut) void navigate({ href: urls.login(here === urls.account() ? undefined : here), replace: true });
  }, [signedOut, here, navigate]);
  if (session?.user) return children(session.user);
  if (!failed) return skeleton;
  return (
    <Notice tone="bad" title={t('shell.error.text')}>
      <Button variant="quiet" size="small" onClick={retry}>
        {t('shell.error.retry')}
      </Button>
    </Notice>
  );
}
