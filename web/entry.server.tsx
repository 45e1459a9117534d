/** Renders one page to HTML. Loaded by `server/ssr`, which puts the build's scripts and styles in. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { Locale } from '#contract/locales.ts';
import type { RenderPage } from '#contract/rendering.ts';
import { type I18n, loadI18n } from './i18n/i18n.tsx';
import { createApiClient } from './lib/api.ts';
import { localizePath, splitLocale } from './lib/locale-path.ts';
import { pageState, scriptJson, stateElementId } from './lib/page-state.ts';
import { isPrivatePath } from './lib/urls.ts';
import { createAppRouter, createQueryClient } from './router.tsx';

const loadedI18n = new Map<Locale, Promise<I18n>>();

function i18nOf(locale: Locale): Promise<I18n> {
  const loaded = loadedI18n.get(locale) ?? loadI18n(locale);
  loadedI18n.set(locale, loaded);
  return loaded;
}

export const renderPage: RenderPage = async ({ url: asked, transport, origin }) => {
  // Two slashes at the start would name another host.
  const url = asked.replace(/^\/+/, '/');
  const { locale, pathname } = splitLocale(new URL(url, origin).pathname);
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
  const { matches } = router.state;
  const state = pageState(origin, queryClient, matches);
  queryClient.clear();
  const error = matches.find((match) => match.status === 'error')?.error;
  return {
    status: result?.status ?? 200,
    locale,
    personal: isPrivatePath(pathname),
    html: `<!doctype html>${html}`,
    state: `<script type="application/json" id="${stateElementId}">${scriptJson(state)}</script>`,
    routeIds: matches.map((match) => match.routeId),
    ...(error === undefined ? {} : { error }),
  };
};

/** Routes redirect to addresses without a language; the browser is sent to the one of the page it asked for. */
function inLanguage(location: string, locale: Locale): string {
  return location.startsWith('/') ? localizePath(splitLocale(location).pathname, locale) : location;
}
