/** SPEC §2: the home page is the content page named home. A shop without one shows its categories. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, useHydrated, useLocation } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { officeMe, unknownAddress } from '#contract/limits.ts';
import { buttonClass, LinkButton } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { Blocks, firstPicture, loadBlocks, optionalPageQuery } from '#web/blocks/blocks.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead, shopJsonLd } from '#web/lib/head.ts';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const [page, { shopName }] = await Promise.all([
      context.queryClient.query({ ...optionalPageQuery(context.api, 'home'), staleTime: 'static' }),
      context.queryClient.ensureQueryData(shellQuery(context.api)),
    ]);
    if (page === null) return { title: shopName, unlisted: true };
    const { title, metaDescription, blocks } = page;
    await loadBlocks(blocks);
    return { title, description: metaDescription, image: firstPicture(blocks) };
  },
  head: ({ match, matches, loaderData }) => {
    const { api, locale, origin, queryClient } = match.context;
    const shop = queryClient.getQueryData(shellQuery(api).queryKey);
    const jsonLd = import.meta.env.SSR && shop ? shopJsonLd(shop, { origin, locale }) : undefined;
    return pageHead(matches, loaderData && { ...loaderData, bareTitle: true, jsonLd });
  },
  component: HomePage,
});

const UnknownAddress = lazyWithPreload(async () => (await import('./-unknown-address.tsx')).UnknownAddress);

function HomePage() {
  const { data: page } = useSuspenseQuery(optionalPageQuery(useApi(), 'home'));
  const isInstead = useLocation({ select: ({ hash }) => hash === unknownAddress });
  const hydrated = useHydrated();
  return (
    <>
      {page ? <Blocks page={page} /> : <NoHomeScreen />}
      {hydrated && isInstead && <UnknownAddress />}
    </>
  );
}

/** Whether somebody who may write pages is signed in to the office in this browser. */
function isWriter(): boolean {
  try {
    const { may } = JSON.parse(localStorage.getItem(officeMe) ?? '{}') as { may?: unknown };
    return Array.isArray(may) && may.includes('content.write');
  } catch {
    return false;
  }
}
const noChanges = () => () => undefined;

/** A shop without a page named home: visitors browse its categories, and staff get the way to its pages. */
function NoHomeScreen() {
  const t = useT();
  const { data: shop } = useSuspenseQuery(shellQuery(useApi()));
  const mayWrite = useSyncExternalStore(noChanges, isWriter, () => false);
  return (
    <Frame>
      <EmptyState
        as="h1"
        title={shop.shopName}
        actions={
          <>
            {shop.menu.map(({ name, label }) => (
              <LinkButton key={name} href={urls.category(name)} variant="secondary">
                {label}
              </LinkButton>
            ))}
            {mayWrite && (
              <a href="/office/pages" className={buttonClass()}>
                {t('shell.empty.write')}
              </a>
            )}
          </>
        }
      >
        {shop.tagline}
        {shop.menu.length === 0 && <p>{t('shell.empty.text')}</p>}
      </EmptyState>
    </Frame>
  );
}
