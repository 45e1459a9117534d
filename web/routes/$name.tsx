/** SPEC §2: a content page by name. A name without a page goes to /, like any unknown address. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { ApiError } from '#ui/errors.ts';
import { Blocks, firstPicture, loadBlocks, pageContentQuery } from '#web/blocks/blocks.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { redirectToTable } from '#web/lib/table-link.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/$name')({
  beforeLoad: ({ location, params }) => {
    if (import.meta.env.SSR) redirectToTable(params.name, location.search);
  },
  loader: async ({ context, params: { name } }) => {
    if (name === 'home') throw redirect({ href: urls.home(), statusCode: 301, replace: true });
    try {
      const { title, metaDescription, blocks } = await context.queryClient.query({
        ...pageContentQuery(context.api, name),
        staleTime: 'static',
      });
      await loadBlocks(blocks);
      return { title, description: metaDescription, image: firstPicture(blocks) };
    } catch (error) {
      // 400: not a valid name. 404: no such page.
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
        throw redirect({ href: urls.homeInstead(), statusCode: 302, replace: true });
      }
      throw error;
    }
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ContentPage,
});

function ContentPage() {
  const { name } = Route.useParams();
  const { data: page } = useSuspenseQuery(pageContentQuery(useApi(), name));
  return <Blocks page={page} titled />;
}
