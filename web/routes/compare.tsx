/**
 * Compares up to three products: their sizes on one base line, measures, prices and stock. Each product is a key of the query,
 * `/compare?celadon-teapot=1&speckled-mug=1`, as the page's form without scripts sends it.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { Product } from '#contract/schemas/catalogue.ts';
import { CompareScreen } from '#web/features/product/compare-screen.tsx';
import { productQuery, relatedQuery } from '#web/features/product/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { orNotFound } from '#web/lib/loading.ts';
import { mostCompared } from '#web/lib/urls.ts';
import type { RouterContext } from '#web/router.tsx';

/** Further keys of a query are something else. */
const mostKeys = 8;

export const Route = createFileRoute('/compare')({
  loaderDeps: ({ search }) => ({ asked: Object.keys(search).slice(0, mostKeys) }),
  loader: async ({ context, deps: { asked } }) => {
    const ids = await knownOf(context, asked);
    const [first] = ids;
    if (first) await context.queryClient.query({ ...relatedQuery(context.api, first), staleTime: 'static' });
    return { title: context.t('compare.title'), unlisted: true, ids };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ComparePage,
});

/** The first of these ids that are products. */
async function knownOf({ api, queryClient }: Pick<RouterContext, 'api' | 'queryClient'>, ids: string[]): Promise<string[]> {
  const loaded = await Promise.all(
    ids.map((id) => orNotFound(queryClient.query({ ...productQuery(api, id), staleTime: 'static' })).catch(() => null)),
  );
  return loaded.flatMap((product) => product?.id ?? []).slice(0, mostCompared);
}

function ComparePage() {
  const { ids } = Route.useLoaderData();
  const api = useApi();
  const found = useQueries({ queries: ids.map((id) => productQuery(api, id)) });
  const products = found.flatMap(({ data }): Product[] => (data ? [data] : []));
  const related = useQuery({ ...relatedQuery(api, ids[0] ?? ''), enabled: ids.length > 0 }).data ?? [];
  return <CompareScreen key={ids.join(' ')} products={products} related={related.filter(({ id }) => !ids.includes(id))} />;
}
