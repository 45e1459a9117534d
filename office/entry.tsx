import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LanguageProvider } from './lib/i18n.tsx';
import { loadViewOf } from './rooms/index.ts';
import { createOfficeRouter } from './router.tsx';

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
const place = document.getElementById('office');
if (!place) throw new Error('The document has no place for the office');
// Opens the office where there is no network.
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
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
