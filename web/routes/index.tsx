/** SPEC §2: the home page is the content page named home. A shop without one shows a notice. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { Blocks, firstPicture, loadBlocks, optionalPageQuery } from '#web/blocks/blocks.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead, shopJsonLd } from '#web/lib/head.ts';
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

function HomePage() {
  const { data: page } = useSuspenseQuery(optionalPageQuery(useApi(), 'home'));
  return page ? <Blocks page={page} /> : <NoHomeScreen />;
}

const fillCommand = 'npm run shop -- fill examples/river-cups/shop.json';
const guide = 'docs/how-to/fill-a-shop.md';

/** A shop without a page named home: its owner learns how to fill it, and a visitor can browse the categories. */
function NoHomeScreen() {
  const t = useT();
  const { data: shop } = useSuspenseQuery(shellQuery(useApi()));
  if (shop.menu.length > 0) {
    return (
      <Frame>
        <EmptyState
          as="h1"
          title={shop.shopName}
          actions={shop.menu.map(({ name, label }) => (
            <LinkButton key={name} href={urls.category(name)} variant="secondary">
              {label}
            </LinkButton>
          ))}
        >
          {shop.tagline}
        </EmptyState>
      </Frame>
    );
  }
  return (
    <Frame>
      <EmptyState as="h1" title={t('shell.empty.title')}>
        <p>{t('shell.empty.text', { guide })}</p>
        <p className="mt-4">
          <code className="wrap-anywhere text-ink">{fillCommand}</code>
        </p>
      </EmptyState>
    </Frame>
  );
}
