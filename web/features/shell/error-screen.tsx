import { useQuery, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button, LinkButton } from '#ui/button.tsx';
import { isApiError } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { shellQuery } from './queries.ts';
import { SearchBox } from './search-box.tsx';

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
            <Button label={t('shell.error.retry')} onClick={retry} />
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

export function NotFoundScreen() {
  const t = useT();
  const { data } = useQuery(shellQuery(useApi()));
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The server knows where an old address leads, and has not been asked if a link of the shop led here.
    const [loaded] = performance.getEntriesByType('navigation');
    if (loaded && new URL(loaded.name).pathname !== location.pathname) location.reload();
  }, []);
  return (
    <Frame>
      <EmptyState
        as="h1"
        title={t('shell.notFound.title')}
        actions={
          <div className="mx-auto flex max-w-md flex-wrap justify-center gap-3 *:w-27">
            {data?.menu.map(({ name, label }) => (
              <LinkButton
                key={name}
                href={urls.category(name)}
                variant="secondary"
                size="small"
                className="px-2"
              >
                {label}
              </LinkButton>
            ))}
          </div>
        }
      >
        <p>{t('shell.notFound.text')}</p>
        <div className="mt-6 text-ink">
          <SearchBox input={input} />
        </div>
      </EmptyState>
    </Frame>
  );
}

/** Whether this page is cached, so that loading its document shows it without a network. */
async function isKept(href: string): Promise<boolean> {
  return 'caches' in globalThis && (await caches.match(href, { ignoreVary: true })) !== undefined;
}
