import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { isApiError } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { isKept } from '#web/lib/offline.ts';
import { urls } from '#web/lib/urls.ts';

/** Shown if a page's data failed to load. Retrying requests it again. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  // Not on the server; in the browser, the page's code may be what failed to load.
  const offline = (isApiError(error) && error.status === 0) || globalThis.navigator?.onLine === false;
  useEffect(() => {
    // The page was visited before, so the service worker has its document.
    if (offline) void isKept(location.href).then((kept) => kept && location.reload());
  }, [offline]);
  const retry = () => {
    queries.reset();
    void router.invalidate().then(() => reset?.());
  };
  return (
    <Frame>
      <EmptyState
        as="h1"
        icon={offline ? 'offline' : 'warning'}
        title={t(offline ? 'shell.error.offlineTitle' : 'shell.error.title')}
        actions={
          <>
            <Button onClick={retry}>{t('shell.error.retry')}</Button>
            <LinkButton href={urls.home()} variant="secondary">
              {t('shell.error.home')}
            </LinkButton>
          </>
        }
      >
        {t(offline ? 'shell.error.offlineText' : 'shell.error.text')}
      </EmptyState>
    </Frame>
  );
}
