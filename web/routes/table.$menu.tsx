/** The menu of a category for guests at a table: `?store=…&table=7` is the link on the table's card. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { inLocale } from '#contract/locales.ts';
import { tableErrors } from '#contract/rules/method.ts';
import { useAddToCart, useCart } from '#web/features/cart/use-cart.ts';
import { categoryQuery } from '#web/features/catalogue/queries.ts';
import { saveTable } from '#web/features/checkout/draft.ts';
import { productQuery } from '#web/features/product/queries.ts';
import { menuQuery } from '#web/features/table/queries.ts';
import { TableMenu } from '#web/features/table/table-menu.tsx';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { fieldTexts } from '#web/lib/api-errors.ts';
import { pageHead } from '#web/lib/head.ts';
import { orNotFound } from '#web/lib/loading.ts';
import { storesQuery } from '#web/lib/stores-query.ts';
import { urls } from '#web/lib/urls.ts';
import { Frame, PageHeading } from '#web/ui/layout.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TableChip } from '#web/ui/table-chip.tsx';

export const Route = createFileRoute('/table/$menu')({
  validateSearch: ({ store, table }): { store: string; table: string } => ({ store: `${store ?? ''}`, table: `${table ?? ''}` }),
  loader: async ({ context: { api, queryClient, locale }, params: { menu } }) => {
    const [category] = await orNotFound(
      Promise.all([
        queryClient.query({ ...categoryQuery(api, menu), staleTime: 'static' }),
        queryClient.query({ ...menuQuery(api, menu), staleTime: 'static' }),
        queryClient.query({ ...storesQuery(api), staleTime: 'static' }),
      ]),
    );
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
  const { store: name, table } = Route.useSearch();
  const { data: category } = useSuspenseQuery(categoryQuery(api, menu));
  const { data: products } = useSuspenseQuery(menuQuery(api, menu));
  const { data: stores } = useSuspenseQuery(storesQuery(api));
  const { order } = useCart();
  const { add } = useAddToCart();
  const store = stores.find(({ localStoreName }) => localStoreName === name);
  const errors = Object.values(fieldTexts(tableErrors(table, name, stores), t));
  const seated = errors.length === 0 && store !== undefined;
  useEffect(() => {
    if (seated) saveTable(table, name);
  }, [seated, table, name]);
  const load = (id: string) => client.fetchQuery({ ...productQuery(api, id), staleTime: 60_000 });
  return (
    <Frame className="min-h-dvh pb-section">
      {seated && <TableChip table={table} store={inLocale(store.nameContent, locale)} className="sticky top-2 z-10 mt-4" />}
      <PageHeading>{inLocale(category.categoryNameContent, locale)}</PageHeading>
      {seated ? (
        <TableMenu products={products} order={order} load={load} add={add} />
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
    </Frame>
  );
}
