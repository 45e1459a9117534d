import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { ListScreen, ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkListSearch } from '#web/features/catalogue/list-search.ts';
import { loadList } from '#web/features/catalogue/load-list.tsx';
import { brandQuery } from '#web/features/catalogue/queries.ts';
import { orNotFound, useApi } from '#web/lib/api.ts';
import { breadcrumbList, graphOf, pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/brand/$brandName')({
  validateSearch: checkListSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { brandName }, deps }) => {
    const [brand] = await orNotFound(
      Promise.all([
        context.queryClient.query({ ...brandQuery(context.api, brandName), staleTime: 'static' }),
        loadList(context, { kind: 'brand', name: brandName }, deps),
      ]),
    );
    const title = inLocale(brand.nameContent, context.locale);
    const crumbs = [
      { label: context.t('brands.title'), href: urls.brands() },
      { label: title, href: urls.brand(brandName) },
    ];
    return {
      title,
      description: brand.story,
      image: brand.image,
      jsonLd: import.meta.env.SSR ? graphOf(breadcrumbList(crumbs, context)) : undefined,
    };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: BrandPage,
  pendingComponent: ListSkeleton,
});

function BrandPage() {
  const t = useT();
  const { brandName } = Route.useParams();
  const { data: brand } = useSuspenseQuery(brandQuery(useApi(), brandName));
  const title = inLocale(brand.nameContent, useLocale());
  return (
    <ListScreen
      source={{ kind: 'brand', name: brandName }}
      search={Route.useSearch()}
      title={title}
      lead={brand.story}
      picture={brand.image}
      crumbs={[{ label: t('brands.title'), href: urls.brands() }, { label: title }]}
    />
  );
}
