import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { locales } from '#contract/locales.ts';
import { callIn } from './lib/api.tsx';
import { firstLocale, LanguageProvider } from './lib/i18n.tsx';
import { meQuery } from './lib/me.tsx';
import { loadViewOf } from './rooms/index.ts';
import { createOfficeRouter } from './router.tsx';

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
const place = document.getElementById('office');
if (!place) throw new Error('The document has no place for the office');
// Opens the office where there is no network.
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
// At once, and not one after the other as they are needed: who is there, the messages, and the room's view.
void queries.prefetchQuery(meQuery(callIn(firstLocale())));
void locales[firstLocale()].load();
loadViewOf(location.pathname.replace(/^\/office/, ''));
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <LanguageProvider>
        <RouterProvider router={createOfficeRouter()} />
      </LanguageProvider>
    </QueryClientProvider>
  </StrictMode>,
);
