import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { locales } from '#contract/locales.ts';
import { callIn } from './api.ts';
import { firstLocale } from './early.ts';
import { LanguageProvider } from './i18n.tsx';
import { meQuery } from './me.tsx';

/**
 * Draws the content once its messages, who is there and `loaded` are: a part that React has to wait for would come 300 ms after the
 * rest. Until then the document shows what it has itself.
 */
export async function openDocument(
  queries: QueryClient,
  content: ReactNode,
  loaded?: Promise<void>,
): Promise<void> {
  const place = document.getElementById('office');
  if (!place) throw new Error('The document has no place for the office');
  const locale = firstLocale();
  const me = queries.prefetchQuery(meQuery(callIn(locale)));
  const { default: messages } = await locales[locale].load();
  await Promise.all([me, loaded]);
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <LanguageProvider first={{ locale, messages }}>{content}</LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
  if (import.meta.env.PROD) void keepForOffline().catch(() => undefined);
}

/** Lets the document open where there is no network: also this first one, which was loaded before there was a worker to keep it. */
async function keepForOffline(): Promise<void> {
  await navigator.serviceWorker?.register('/sw.js');
  const worker = await navigator.serviceWorker?.ready;
  worker?.active?.postMessage({ visited: location.href });
}
