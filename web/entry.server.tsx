/** Renders one page to HTML. Loaded by `server/ssr`, which puts the build's scripts and styles in. */
import { dehydrate } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { type I18n, loadI18n } from './i18n/i18n.tsx';
import { ApiError, type ApiTransport, createApiClient } from './lib/api.ts';
import { localizePath, splitLocale } from './lib/locale-path.ts';
import { type PageState, scriptJson, stateElementId } from './lib/page-state.ts';
import { type AppRouter, createAppRouter, createQueryClient } from './router.tsx';
import type { Locale } from '#contract/locales.ts';

export interface PageRequest {
  /** Path and query as the browser asked for them. */
  url: string;
  transport: ApiTransport;
  origin: string;
}

export type RenderedPage =
  | { redirect: { status: number; location: string } }
  | {
      redirect?: undefined;
      status: number;
      locale: Locale;
      /** The document without scripts and styles of the build. */
      html: string;
      /** The state element, to stand at the end of the body. */
      state: string;
      /** The matched routes, outermost first, so that their chunks can be preloaded. */
      routeIds: string[];
      /** Why the page shows an error, where it does. */
      error?: unknown;
    };

const loadedI18n = new Map<Locale, Promise<I18n>>();

function i18nOf(locale: Locale): Promise<I18n> {
  const loaded = loadedI18n.get(locale) ?? loadI18n(locale);
  loadedI18n.set(locale, loaded);
  return loaded;
}

export async function renderPage({ url, transport, origin }: PageRequest): Promise<RenderedPage> {
  const { locale } = splitLocale(new URL(url, origin).pathname);
  const queryClient = createQueryClient();
  const router = createAppRouter({
    i18n: await i18nOf(locale),
    api: createApiClient(locale, transport),
    queryClient,
    origin,
    history: createMemoryHistory({ initialEntries: [url] }),
  });
  await router.load();
  const result = router._serverResult;
  if (result?.type === 'redirect') {
    const { status, headers } = result.redirect;
    return { redirect: { status: status === 301 ? 301 : 302, location: inLanguage(headers.get('location') ?? '/', locale) } };
  }
  const html = renderToString(<RouterProvider router={router} />);
  const state: PageState = { origin, queries: dehydrate(queryClient), matches: dehydrateMatches(router) };
  queryClient.clear();
  const error = router.state.matches.find((match) => match.status === 'error')?.error;
  return {
    status: result?.status ?? 200,
    locale,
    html: `<!doctype html>${html}`,
    state: `<script type="application/json" id="${stateElementId}">${scriptJson(state)}</script>`,
    routeIds: router.state.matches.map((match) => match.routeId),
    ...(error === undefined ? {} : { error }),
  };
}

/** Routes redirect to addresses without a language; the browser is sent to the one of the page it asked for. */
function inLanguage(location: string, locale: Locale): string {
  return location.startsWith('/') ? localizePath(splitLocale(location).pathname, locale) : location;
}

/** In the form that `hydrate` of the router reads. Errors travel as name and status only. */
function dehydrateMatches(router: AppRouter): PageState['matches'] {
  return router.state.matches.map((match) => ({
    i: match.id.replaceAll('/', '#'),
    u: match.updatedAt,
    s: match.status,
    ssr: true,
    ...(match.loaderData === undefined ? {} : { l: match.loaderData }),
    ...(match.error === undefined ? {} : { e: plainError(match.error) }),
    ...(match._notFound ? { g: true as const } : {}),
  }));
}

function plainError(error: unknown): unknown {
  if (error instanceof ApiError) return { name: error.name, status: error.status };
  if (error instanceof Error) return { name: error.name };
  return error;
}
