import './styles/main.css';
import { RouterProvider } from '@tanstack/react-router';
import { hydrate } from '@tanstack/react-router/ssr/client';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { offerLocales, splitLocale } from '#contract/locales.ts';
import { isApiError } from '#ui/errors.ts';
import { savesData } from '#ui/page.tsx';
import { isCheckout, preloadCheckoutFrame } from './features/shell/shell.tsx';
import { loadI18n } from './i18n/messages.ts';
import { createApiClient, fetchTransport } from './lib/api.ts';
import { type PageMatch, readPageState, repeatEarlyPresses } from './lib/page-state.ts';
import { readTab, writeTab } from './lib/tab-storage.ts';
import { type AppRouter, createAppRouter, createQueryClient } from './router.tsx';

/** Reports programming errors only: a rejected call, and code that fails to load, have their own views. */
function onCaughtError(error: unknown): void {
  if (!isApiError(error) && navigator.onLine) console.error(error);
}

async function start(): Promise<void> {
  const { origin, languages, queries, matches, visitor } = readPageState();
  offerLocales(languages);
  const { locale, pathname } = splitLocale(location.pathname);
  const queryClient = createQueryClient();
  for (const [key, data] of queries) queryClient.setQueryData(key, data);
  const i18n = await loadI18n(locale);
  // The frame of checkout must be there when its page is taken over: a late one would be taken out and put back.
  await Promise.all([i18n.loadMessages(pathname), isCheckout(pathname) && preloadCheckoutFrame()]);
  const router = createAppRouter({
    i18n,
    api: createApiClient(locale, fetchTransport, visitor),
    queryClient,
    origin,
  });
  // Loader data was typed where it was loaded; after the JSON round trip it is untyped.
  const loaded = matches.map((match: Omit<PageMatch, 'l' | 'e'>) => ({ ...match, u: Date.now() }));
  // The router reads its matches from here; by default it expects inline scripts.
  const ignore = () => {};
  window.$_TSR = {
    router: { manifest: undefined, matches: loaded },
    buffer: [],
    h: ignore,
    e: ignore,
    c: ignore,
    p: ignore,
  };
  keepVisitedPages(router);
  followNewBuilds(router);
  await hydrate(router);
  startTransition(() => {
    hydrateRoot(document, <RouterProvider router={router} />, { onCaughtError });
  });
  repeatEarlyPresses();
}

// Not awaited: the route files import this one, so awaiting them here would deadlock.
void start();

const reloadedKey = 'reloaded-for-new-build';
/** Milliseconds between two reloads, so that a page that cannot load does not reload in a loop. */
const leastMsBetweenReloads = 60_000;

/** If the shop was rebuilt while a page was open, the code of the next page may be gone: its document is loaded instead. */
function followNewBuilds(router: AppRouter): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(readTab(reloadedKey) ?? 0);
    const needed = router.state.status === 'pending' && navigator.onLine;
    if (!needed || Date.now() - last < leastMsBetweenReloads) return;
    writeTab(reloadedKey, Date.now());
    location.reload();
  });
}

/** Tells the service worker of pages reached without their document, to be read offline too. Each costs a request: off in data-saving mode. */
function keepVisitedPages(router: AppRouter): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Only after the page itself has loaded everything it needs.
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
  if (savesData()) return;
  router.subscribe('onRendered', ({ fromLocation, hrefChanged }) => {
    if (fromLocation && hrefChanged)
      navigator.serviceWorker.controller?.postMessage({ visited: location.href });
  });
}
