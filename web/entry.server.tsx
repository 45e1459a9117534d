/** Renders one page to HTML. `server/ssr` loads it and inserts the build's scripts and styles. */
import type { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import {
  isLocale,
  type Locale,
  locales,
  localizePath,
  offerLocales,
  splitLocale,
} from '#contract/locales.ts';
import { type RenderPage, requestOf } from '#contract/transport.ts';
import { sessionQuery } from './features/account/queries.ts';
import { myCartQuery } from './features/cart/use-cart.ts';
import { topCategoriesQuery } from './features/shell/queries.ts';
import { preloadMenu } from './features/shell/shell.tsx';
import { loadI18n, type PageI18n, partAt } from './i18n/messages.ts';
import { type ApiClient, createApiClient } from './lib/api.ts';
import type { LoadedHead } from './lib/head.ts';
import { pageState, scriptJson, stateElementId } from './lib/page-state.ts';
import { isPrivatePath } from './lib/urls.ts';
import { type AppRouter, createAppRouter, createQueryClient } from './router.tsx';

const loadedI18n = new Map<Locale, Promise<PageI18n>>();

function i18nOf(locale: Locale): Promise<PageI18n> {
  const loaded = loadedI18n.get(locale) ?? loadI18n(locale);
  loadedI18n.set(locale, loaded);
  return loaded;
}

/** A page has one address: another spelling would be another page for caches, and for all that treats some pages differently. */
export const renderPage: RenderPage = async ({ url: asked, ...request }) => {
  offerLocales(request.languages);
  // Two slashes at the start, of either kind, would name another host.
  const url = asked.replace(/^[/\\]+/, '/');
  const page = await renderAt({ ...request, url });
  const { pathname, search } = new URL(url, request.origin);
  const lower = pathname.toLowerCase();
  if (lower === pathname || isPrivatePath(splitLocale(lower).pathname) || !isUnknown(page)) return page;
  const other = await renderAt({ ...request, url: lower + search });
  return other.redirect || other.status !== 200
    ? page
    : { redirect: { status: 301, location: lower + search } };
};

const renderAt: RenderPage = async ({
  url,
  transport,
  origin,
  languages,
  visitor = false,
  drawsMenu = false,
}) => {
  const { pathname: path, search } = new URL(url, origin);
  const { locale, pathname } = splitLocale(path);
  const queryClient = createQueryClient();
  const knowsVisitor = visitor && (await loadVisitor(queryClient, createApiClient(locale, transport)));
  const router = createAppRouter({
    i18n: await i18nOf(locale),
    api: createApiClient(locale, transport, knowsVisitor),
    queryClient,
    origin,
    history: createMemoryHistory({ initialEntries: [url] }),
  });
  const spelling = withoutCase(path, (plain) => router.getMatchedRoutes(plain)[2]?.fullPath);
  if (spelling !== path) return { redirect: { status: 301, location: spelling + search } };
  if (drawsMenu) {
    router.options.context.drawsMenu = true;
    await Promise.all([
      preloadMenu(),
      queryClient.prefetchQuery(topCategoriesQuery(router.options.context.api)),
    ]);
  }
  router.buildLocation = rememberLocations(router.buildLocation, locale);
  await router.load();
  const result = router._serverResult;
  if (result?.type === 'redirect') {
    const { status, headers } = result.redirect;
    const location = inLanguage(headers.get('location') ?? '/', locale);
    return { redirect: { status: status === 301 || dropsSlash(url, location) ? 301 : 302, location } };
  }
  const { matches } = router.state;
  const state = pageState({ origin, languages }, queryClient, matches, knowsVisitor);
  const failed = matches.find((match) => match.status === 'error')?.error;
  const { html, error = failed } = markup(router, locale);
  queryClient.clear();
  return {
    status: error === undefined ? (loadedStatus(matches) ?? result?.status ?? 200) : 500,
    locale,
    personal: isPrivatePath(pathname),
    messages: partAt(pathname),
    unlisted: matches.some(({ meta }) => meta?.some((tag) => tag && 'name' in tag && tag.name === 'robots')),
    html,
    state: `<script type="application/json" id="${stateElementId}">${scriptJson(state)}</script>`,
    earlyCalls:
      isPrivatePath(pathname) && !knowsVisitor
        ? personalCalls.map((name) => requestOf(name, {}, locale).url)
        : [],
    routeIds: matches.map((match) => match.routeId),
    ...(error === undefined ? {} : { error }),
  };
};

const personalCalls = ['userInfo2', 'myCart'] as const;

/** Loads the data of `personalCalls`. If any of it fails to load, there is none, and the page is that for everybody. */
async function loadVisitor(queryClient: QueryClient, api: ApiClient): Promise<boolean> {
  const loads = [queryClient.fetchQuery(sessionQuery(api)), queryClient.fetchQuery(myCartQuery(api))];
  const loaded = (await Promise.allSettled(loads)).every(({ status }) => status === 'fulfilled');
  if (!loaded) queryClient.clear();
  return loaded;
}

function loadedStatus(matches: readonly { loaderData?: unknown }[]): number | undefined {
  return (matches.at(-1)?.loaderData as LoadedHead | undefined)?.status;
}

/** If a view fails to render here, which is a programming error, the browser gets an empty document with everything it needs to try. */
function markup(router: AppRouter, locale: Locale): { html: string; error?: unknown } {
  try {
    return { html: `<!doctype html>${renderToString(<RouterProvider router={router} />)}` };
  } catch (error) {
    const { tag } = locales[locale];
    return {
      html: `<!doctype html><html lang="${tag}"><head><meta charset="utf-8"></head><body></body></html>`,
      error,
    };
  }
}

function isUnknown(page: Awaited<ReturnType<RenderPage>>): boolean {
  if (!page.redirect) return page.status === 404;
  const { status, location } = page.redirect;
  return status === 302 && splitLocale(location).pathname === '/';
}

/** A path with the language and the fixed parts of its route as they are spelled; the router ignores case. */
function withoutCase(path: string, routeOf: (pathname: string) => string | undefined): string {
  const [, first = '', ...rest] = path.split('/');
  const prefixed = isLocale(first.toLowerCase()) ? ['', first.toLowerCase(), ...rest].join('/') : path;
  const { locale, pathname } = splitLocale(prefixed);
  const [given, route] = [pathname, routeOf(pathname)].map((text) => text?.replace(/\/$/, '').split('/'));
  if (!given || route?.length !== given.length || route.includes('$')) return prefixed;
  const spelled = route.map((part, index) => (part.startsWith('$') ? given[index] : part)).join('/');
  return spelled === given.join('/') ? prefixed : localizePath(spelled, locale);
}

/** Whether a redirect only takes the slash from the end of a path, which is final; the query stays. */
function dropsSlash(from: string, to: string): boolean {
  const pathOf = (address: string) => new URL(address, 'http://shop').pathname;
  return pathOf(from).endsWith('/') && pathOf(from).replace(/(?<!\/)\/+$/, '') === pathOf(to);
}

function inLanguage(location: string, locale: Locale): string {
  if (!location.startsWith('/')) return location;
  const { pathname, search, hash } = new URL(location, 'http://shop');
  return localizePath(splitLocale(pathname).pathname, locale) + search + hash;
}

type BuildLocation = AppRouter['buildLocation'];

const mostLocations = 2000;
const locations = new Map<string, ReturnType<BuildLocation>>();

/** A location depends only on the address and the language, and a page has about a hundred links, most of them on every page. */
export function rememberLocations(build: BuildLocation, locale: Locale): BuildLocation {
  return (options) => {
    const { href } = options as { href?: unknown };
    if (typeof href !== 'string' || !href.startsWith('/')) return build(options);
    const key = `${localizePath('', locale)} ${href}`;
    const known = locations.get(key);
    if (known) return known;
    const made = build(options);
    if (locations.size >= mostLocations) locations.clear();
    locations.set(key, made);
    return made;
  };
}
