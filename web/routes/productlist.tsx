/** SPEC §2: all products, filtered by category and brand; also the new arrivals. */
import { createFileRoute } from '@tanstack/react-router';
import { useT } from '#ui/i18n.tsx';
import { ListScreen, ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkProductListSearch } from '#web/features/catalogue/list-search.ts';
import { loadList } from '#web/features/catalogue/load-list.tsx';
import type { ListSource } from '#web/features/catalogue/source.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/productlist')({
  validateSearch: checkProductListSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const source = sourceOf(deps);
    await loadList(context, source, deps);
    const { title, lead } = words[source.kind];
    return { title: context.t(title), description: context.t(lead), canonical: ownPage(deps) };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ProductListPage,
  pendingComponent: ListSkeleton,
});

const words = {
  all: { title: 'list.title.all', lead: 'list.lead.all' },
  newArrival: { title: 'list.title.new', lead: 'list.lead.new' },
} as const;

function sourceOf({
  newArrival,
}: {
  newArrival: true | undefined;
}): Extract<ListSource, { kind: keyof typeof words }> {
  return { kind: newArrival ? 'newArrival' : 'all' };
}

/** A list filtered by one category or brand only is that category's or brand's own page. */
function ownPage({
  cat,
  brand,
  page,
  ...others
}: ReturnType<typeof checkProductListSearch>): string | undefined {
  if (Object.values(others).some((value) => value !== undefined) || (cat && brand)) return undefined;
  if (cat) return urls.category(cat, { page });
  return brand ? urls.brand(brand, { page }) : undefined;
}

function ProductListPage() {
  const t = useT();
  const search = Route.useSearch();
  const source = sourceOf(search);
  const { title, lead } = words[source.kind];
  return <ListScreen source={source} search={search} title={t(title)} lead={t(lead)} />;
}
