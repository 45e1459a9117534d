/** SPEC §2: the home page is the content page named home. A shop without one shows a notice. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Blocks, firstPicture, loadBlocks } from '#web/blocks/blocks.tsx';
import { optionalPageQuery } from '#web/blocks/queries.ts';
import { NoHomeScreen } from '#web/features/shell/no-home-screen.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { shopJsonLd } from '#web/lib/json-ld.ts';

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const [page, { shopName }] = await Promise.all([
      context.queryClient.query({ ...optionalPageQuery(context.api, 'home'), staleTime: 'static' }),
      context.queryClient.ensureQueryData(shellQuery(context.api)),
    ]);
    if (page === null) return { title: shopName, unlisted: true };
    const { title, metaDescription, blocks } = page;
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
  const { data: page } = useSuspenseQuery(optionalPageQuery(useApi(), 'home'));
  return page ? <Blocks page={page} /> : <NoHomeScreen />;
}
