/** SPEC §2: the home page is the content page named home. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Blocks } from '#web/blocks/blocks.tsx';
import { pageContentQuery } from '#web/blocks/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { orNotFound } from '#web/lib/loading.ts';

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const { title, metaDescription } = await orNotFound(
      context.queryClient.query({ ...pageContentQuery(context.api, 'home'), staleTime: 'static' }),
    );
    return { title, description: metaDescription };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData && { ...loaderData, bareTitle: true }),
  component: HomePage,
});

function HomePage() {
  const { data: page } = useSuspenseQuery(pageContentQuery(useApi(), 'home'));
  return <Blocks page={page} />;
}
