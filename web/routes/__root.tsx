import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createRootRouteWithContext, HeadContent, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { locales } from '#contract/locales.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useLocale } from '#ui/i18n.tsx';
import { useSession } from '#web/features/account/queries.ts';
import { myCartQuery } from '#web/features/cart/use-cart.ts';
import { ErrorScreen } from '#web/features/shell/error-screen.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { preloadFooter, Shell } from '#web/features/shell/shell.tsx';
import { useApi } from '#web/lib/api.ts';
import { CardAction } from '#web/lib/card-action.ts';
import { otherLanguages, rootHead } from '#web/lib/head.ts';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { paper } from '#web/lib/paper.ts';
import type { RouterContext } from '#web/router.tsx';

const CardAdd = lazyWithPreload(async () => (await import('#web/features/cart/card-add.tsx')).CardAdd);

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context, location }) => context.loadMessages(location.pathname),
  loader: async ({ context }) => {
    const [{ shopName }] = await Promise.all([
      context.queryClient.ensureQueryData(shellQuery(context.api)),
      import.meta.env.SSR && preloadFooter(),
    ]);
    return { shopName };
  },
  head: ({ match, matches }) =>
    rootHead(matches, match.context.queryClient.getQueryData(shellQuery(match.context.api).queryKey)),
  component: Root,
  errorComponent: (props) => (
    <Document look={null}>
      <main id="main">
        <ErrorScreen {...props} />
      </main>
    </Document>
  ),
});

function Root() {
  const api = useApi();
  const { data: content } = useSuspenseQuery(shellQuery(api));
  const { session } = useSession();
  const cart = useQuery(myCartQuery(api));
  const cartCount = cart.data?.lineItems.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <Document look={content.look}>
      <Shell content={content} cartCount={cartCount} signedIn={session && session.user !== null}>
        <CardAction value={CardAdd}>
          <Outlet />
        </CardAction>
      </Shell>
    </Document>
  );
}

function Document({ look, children }: { look: AppContent['look'] | null; children: ReactNode }) {
  const locale = useLocale();
  const { light, dark } = look?.paper ?? paper;
  const icons = look?.icons;
  return (
    <html lang={locales[locale].tag}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={light} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={dark} media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={icons?.small ?? '/favicon.ico'} sizes="32x32" />
        {!icons && <link rel="icon" href="/favicon.svg" type="image/svg+xml" />}
        <link rel="apple-touch-icon" href={icons?.touch ?? '/apple-touch-icon.png'} />
        <link rel="manifest" href={`/site.webmanifest?lang=${locale}`} />
        {import.meta.env.SSR && otherLanguages(locale).map((meta) => <meta key={meta.content} {...meta} />)}
        <HeadContent />
      </head>
      <body>{children}</body>
    </html>
  );
}
