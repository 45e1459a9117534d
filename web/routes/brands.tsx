/** SPEC §2: all brands, as images or as a list; the address says which. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BrandsScreen } from '#web/features/catalogue/brands-screen.tsx';
import { brandsQuery } from '#web/features/catalogue/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';

export const Route = createFileRoute('/brands')({
  validateSearch: (raw: Record<string, unknown>): { view: 'list' | undefined } => ({
    view: raw.view === 'list' ? 'list' : undefined,
  }),
  loader: async ({ context }) => {
    await context.queryClient.query({ ...brandsQuery(context.api), staleTime: 'static' });
    return { title: context.t('brands.title'), description: context.t('brands.lead') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: BrandsPage,
});

function BrandsPage() {
  const { data: brands } = useSuspenseQuery(brandsQuery(useApi()));
  return <BrandsScreen brands={brands} view={Route.useSearch().view ?? 'grid'} />;
}
