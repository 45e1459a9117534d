/** Takes over the server's page in the browser. */
import './styles/main.css';
import { hydrate as hydrateQueries } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { hydrate as hydrateRouter } from '@tanstack/react-router/ssr/client';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadI18n } from './i18n/i18n.tsx';
import { createApiClient, fetchTransport } from './lib/api.ts';
import { splitLocale } from './lib/locale-path.ts';
import { readPageState } from './lib/page-state.ts';
import { createAppRouter, createQueryClient } from './router.tsx';

async function start(): Promise<void> {
  const { origin, queries, matches } = readPageState();
  const { locale } = splitLocale(location.pathname);
  const queryClient = createQueryClient();
  hydrateQueries(queryClient, queries);
  const router = createAppRouter({ i18n: await loadI18n(locale), api: createApiClient(locale, fetchTransport), queryClient, origin });
  // The router takes its matches from here; it would have had them written by inline scripts.
  const ignore = () => {};
  window.$_TSR = { router: { manifest: undefined, matches }, buffer: [], h: ignore, e: ignore, c: ignore, p: ignore };
  await hydrateRouter(router);
  startTransition(() => {
    hydrateRoot(document, <RouterProvider router={router} />);
  });
}

await start();
