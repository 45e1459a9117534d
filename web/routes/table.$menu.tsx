/** The menu of a category for guests at a table: `?store=…&table=7` is the link on the table's card. */
import { queryOptions, useQueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { mostListed } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { menuCategories, menuSections } from '#contract/rules/menu-sections.ts';
import { tableErrors } from '#contract/rules/method.ts';
import { LinkButton } from '#ui/button.tsx';
import { fieldTexts } from '#ui/errors.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import { announce } from '#ui/page.tsx';
import { useAddToCart, useCart } from '#web/features/cart/use-cart.ts';
import { categoryQuery } from '#web/features/catalogue/queries.ts';
import { orderAtTable, saveTable } from '#web/features/checkout/draft.ts';
import { productQuery } from '#web/features/product/queries.ts';
import { preloadCheckoutFrame } from '#web/features/shell/shell.tsx';
import { TableMenu } from '#web/features/table/table-menu.tsx';
import { type ApiClient, orNotFound, storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { TableChip } from '#web/ui/table-chip.tsx';
import { preloadModifierSheet, useModifierSheet } from './-modifier-sheet.tsx';

export const Route = createFileRoute('/table/$menu')({
  validateSearch: ({ store, table, card }): { store: string; table: string; card: string } => ({
    store: `${store ?? ''}`,
    table: `${table ?? ''}`,
    card: `${card ?? ''}`,
  }),
  loader: async ({ context: { api, queryClient, locale }, params: { menu } }) => {
    const category = await orNotFound(
      queryClient.query({ ...categoryQuery(api, menu), staleTime: 'static' }),
    );
    await Promise.all([
      ...menuCategories(category).map((name) =>
        queryClient.query({ ...menuQuery(api, name), staleTime: 'static' }),
      ),
      queryClient.query({ ...storesQuery(api), staleTime: 'static' }),
      preloadCheckoutFrame(),
    ]);
    return { title: inLocale(category.categoryNameContent, locale), unlisted: true };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: TableRoute,
});

function TableRoute() {
  const t = useT();
  const api = useApi();
  const locale = useLocale();
  const client = useQueryClient();
  const { menu } = Route.useParams();
  const { store: name, table, card } = Route.useSearch();
  const { data: category } = useSuspenseQuery(categoryQuery(api, menu));
  const lists = useSuspenseQueries({ queries: menuCategories(category).map((name) => menuQuery(api, name)) });
  const sections = menuSections(
    category,
    lists.map(({ data }) => data),
    locale,
  );
  const { data: stores } = useSuspenseQuery(storesQuery(api));
  const { order, cartStore } = useCart();
  const { add } = useAddToCart();
  const store = stores.find(({ localStoreName }) => localStoreName === name);
  const errors = Object.values(fieldTexts(tableErrors(table, name, stores), t));
  const seated = errors.length === 0 && store !== undefined;
  useEffect(() => {
    if (seated) saveTable(table, name, card);
  }, [seated, table, name, card]);
  const { ask, likely, sheet } = useModifierSheet(seated ? name : null, (product) =>
    announce(t('table.added', { product })),
  );
  useEffect(() => void preloadModifierSheet(), []);
  return (
    <Frame width="prose" className="min-h-dvh pb-section">
      {seated && <TableChip table={table} store={inLocale(store.nameContent, locale)} className="mt-6" />}
      <PageHeading className="py-6!">{inLocale(category.categoryNameContent, locale)}</PageHeading>
      {seated ? (
        <TableMenu
          store={name}
          sections={sections}
          order={order}
          load={(id) => client.fetchQuery({ ...productQuery(api, id), staleTime: 60_000 })}
          add={add}
          onCheckout={orderAtTable}
          choose={({ id }) => ask({ productId: id })}
          beforeChoosing={({ id }) => likely(id)}
          setQuantity={({ id }, quantity) =>
            quantity > 0 ? cartStore.setQuantity(id, quantity) : cartStore.remove(id)
          }
        />
      ) : (
        <Notice tone="bad" title={t('table.unknown')}>
          {errors.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <LinkButton href={urls.category(menu)} variant="secondary" size="small" className="mt-3">
            {t('table.toList')}
          </LinkButton>
        </Notice>
      )}
      {sheet}
    </Frame>
  );
}

function menuQuery(api: ApiClient, category: string) {
  return queryOptions({
    queryKey: ['catalogue', 'menu', api.locale, category],
    queryFn: async ({ signal }) => {
      const query = { categoryName: category, startingPosition: 0, numberToLoad: mostListed };
      return (await api.call('products', { query, signal })).products;
    },
    staleTime: 60_000,
  });
}
