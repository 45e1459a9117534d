/** SPEC §2: a placeholder, without behaviour. */
import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { NewProducts } from '#web/features/catalogue/new-products.tsx';
import { newProductsQuery } from '#web/features/catalogue/queries.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/myFavorite')({
  loader: async ({ context: { api, queryClient, t } }) => {
    await queryClient.prefetchQuery(newProductsQuery(api));
    return { title: t('account.favorites.title') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: FavoritesRoute,
});

function FavoritesRoute() {
  const t = useT();
  return (
    <Frame>
      <EmptyState
        as="h1"
        title={t('account.favorites.title')}
        actions={<LinkButton href={urls.home()}>{t('account.orders.shop')}</LinkButton>}
      >
        {t('account.favorites.text')}
      </EmptyState>
      <NewProducts />
    </Frame>
  );
}
