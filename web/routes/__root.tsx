import { createRootRouteWithContext, HeadContent, Outlet } from '@tanstack/react-router';
import { locales } from '#contract/locales.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useLocale } from '#web/i18n/i18n.tsx';
import { rootHead } from '#web/lib/head.ts';
import type { RouterContext } from '#web/router.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
  loader: async ({ context }) => {
    const { shopName } = await context.queryClient.ensureQueryData(shellQuery(context.api));
    return { shopName };
  },
  head: ({ match, matches, loaderData }) => rootHead(match.context, matches.at(-1)?.pathname ?? '/', loaderData?.shopName),
  component: Root,
});

function Root() {
  const locale = useLocale();
  return (
    <html lang={locales[locale].tag}>
      <head>
        <HeadContent />
      </head>
      <body>
        <main id="main">
          <Outlet />
        </main>
      </body>
    </html>
  );
}
