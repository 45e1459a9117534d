import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { useLocale } from '#ui/i18n.tsx';
import { categoryCrumbs, categoryPath } from '#web/features/catalogue/category-crumbs.ts';
import { ListScreen, ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkListSearch } from '#web/features/catalogue/list-search.ts';
import { loadList } from '#web/features/catalogue/load-list.tsx';
import { categoryQuery } from '#web/features/catalogue/queries.ts';
import { orNotFound, useApi } from '#web/lib/api.ts';
import { breadcrumbList, graphOf, pageHead } from '#web/lib/head.ts';
import { redirectToTable } from '#web/lib/table-link.ts';

export const Route = createFileRoute('/products/$cat')({
  beforeLoad: ({ location, params }) => {
    if (import.meta.env.SSR) redirectToTable(params.cat, location.search);
  },
  validateSearch: checkListSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { cat }, deps }) => {
    const [category] = await orNotFound(
      Promise.all([
        context.queryClient.query({ ...categoryQuery(context.api, cat), staleTime: 'static' }),
        loadList(context, { kind: 'category', name: cat }, deps),
      ]),
    );
    return {
      title: inLocale(category.categoryNameContent, context.locale),
      description: category.description,
      image: category.image,
      jsonLd: import.meta.env.SSR
        ? graphOf(breadcrumbList(categoryPath(category, context.locale), context))
        : undefined,
    };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: CategoryPage,
  pendingComponent: ListSkeleton,
});

function CategoryPage() {
  const { cat } = Route.useParams();
  const { data: category } = useSuspenseQuery(categoryQuery(useApi(), cat));
  return (
    <ListScreen
      source={{ kind: 'category', name: cat }}
      search={Route.useSearch()}
      title={inLocale(category.categoryNameContent, useLocale())}
      lead={
        <>
          {category.description}
          {category.served && <span className="block">{category.served.text}</span>}
        </>
      }
      crumbs={categoryCrumbs(category, useLocale())}
    />
  );
}
