import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, createRouter, type RouterHistory } from '@tanstack/react-router';
import { type Locale, localizePath, splitLocale } from '#contract/locales.ts';
import type { Translate } from '#contract/translate.ts';
import { ApiError } from '#ui/errors.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { prefersReducedMotion, savesData } from '#ui/page.tsx';
import { noticeSignedOut } from './features/account/queries.ts';
import { ErrorScreen, NotFoundScreen } from './features/shell/error-screen.tsx';
import type { PageI18n } from './i18n/messages.ts';
import { type ApiClient, ApiContext } from './lib/api.ts';
import { parsePlainSearch, stringifyPlainSearch } from './lib/urls.ts';
import { routeTree } from './routeTree.gen.ts';

export interface RouterContext {
  queryClient: QueryClient;
  api: ApiClient;
  locale: Locale;
  t: Translate;
  loadMessages: (pathname: string) => Promise<void>;
  /** Scheme and host of this shop, for canonical addresses. */
  origin: string;
  /** Whether the menu of phones is filled although nobody has opened it. */
  drawsMenu?: boolean;
}

interface RouterOptions {
  i18n: PageI18n;
  api: ApiClient;
  queryClient: QueryClient;
  origin: string;
  /** Set on the server only. */
  history?: RouterHistory;
}

const inBrowser = !import.meta.env.SSR;

/** Public data is fresh for a minute; an error answer is not retried, a lost connection is retried twice. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noticeSignedOut(client, error) }),
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        // Without a network a query fails at once, so that the page can say so; by default it would wait.
        networkMode: 'always',
        retry: (failures, error) =>
          inBrowser && navigator.onLine && failures < 2 && error instanceof ApiError && error.status === 0,
        refetchOnWindowFocus: false,
      },
    },
  });
  return client;
}

export function createAppRouter({ i18n, api, queryClient, origin, history }: RouterOptions) {
  const { locale, t, loadMessages } = i18n;
  const router = createRouter({
    routeTree,
    ...(history ? { history } : {}),
    origin,
    context: { queryClient, api, locale, t, loadMessages, origin },
    rewrite: {
      input: ({ url }) => {
        url.pathname = splitLocale(url.pathname).pathname;
        return url;
      },
      output: ({ url }) => {
        url.pathname = localizePath(url.pathname, locale);
        return url;
      },
    },
    parseSearch: parsePlainSearch,
    stringifySearch: stringifyPlainSearch,
    trailingSlash: 'never',
    defaultPreload: inBrowser && !savesData() ? 'intent' : false,
    // The query cache handles freshness, not the router.
    defaultPreloadStaleTime: 0,
    // The router's own scroll restoration would put an inline script into the server's page.
    scrollRestoration: inBrowser && unlessScrolledBefore(),
    defaultViewTransition: inBrowser && !prefersReducedMotion(),
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    InnerWrap: ({ children }) => (
      <QueryClientProvider client={queryClient}>
        <I18nProvider i18n={i18n}>
          <ApiContext value={api}>{children}</ApiContext>
        </I18nProvider>
      </QueryClientProvider>
    ),
  });
  if (inBrowser) keepTransitionsQuiet(router);
  return router;
}

/** The first restoration, after hydration, leaves a reader where they are: they, an anchor or a reload may have scrolled before it. */
function unlessScrolledBefore(): () => boolean {
  let first = true;
  return () => {
    const leave = first && scrollY > 0;
    first = false;
    // The router stores the position of what it has seen scroll, for Back.
    if (leave) document.dispatchEvent(new Event('scroll'));
    return !leave;
  };
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

/** A transition that the next one overtakes, or that is skipped while the page is hidden, is not an error. */
function keepTransitionsQuiet(router: AnyRouter): void {
  router.startViewTransition = (update) => {
    const wanted = router.shouldViewTransition ?? router.options.defaultViewTransition;
    delete router.shouldViewTransition;
    if (!wanted || typeof document.startViewTransition !== 'function') return update();
    const transition = document.startViewTransition(update);
    const { ready, finished, updateCallbackDone } = transition;
    for (const seen of [ready, finished]) seen.catch(() => {});
    takePresses(transition);
    return updateCallbackDone;
  };
}

/**
 * While the pictures of two pages lie over the new one, a press falls on the document. Who presses then means what they see: the press
 * ends the transition, and its click goes to what is there.
 */
function takePresses(transition: ViewTransition): void {
  const press = (click: MouseEvent) => {
    const { target, clientX, clientY } = click;
    if (target === document.documentElement)
      document.elementFromPoint(clientX, clientY)?.dispatchEvent(new MouseEvent('click', click));
  };
  const end = () => {
    transition.skipTransition();
    addEventListener('click', press, { once: true });
  };
  addEventListener('pointerdown', end);
  const stop = () => removeEventListener('pointerdown', end);
  transition.finished.then(stop, stop);
}
