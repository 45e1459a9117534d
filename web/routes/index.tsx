/** SPEC §2: the home page is the content page named home. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Blocks } from '#web/blocks/blocks.tsx';
import { firstPicture } from '#web/blocks/first-picture.ts';
import { pageContentQuery } from '#web/blocks/queries.ts';
import { loadBlocks } from '#web/blocks/registry.ts';
import { shopJsonLd } from '#web/features/shell/json-ld.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { orNotFound } from '#web/lib/loading.ts';

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const { title, metaDescription, blocks } = await orNotFound(
      context.queryClient.query({ ...pageContentQuery(context.api, 'home'), staleTime: 'static' }),
    );
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
  const { data: page } = useSuspenseQuery(pageContentQuery(useApi(), 'home'));
  return <Blocks page={page} />;
}
