import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { useLocale } from '#ui/i18n.tsx';
import { ListScreen, ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkListSearch } from '#web/features/catalogue/list-search.ts';
import { loadList } from '#web/features/catalogue/load-list.tsx';
import { tagQuery } from '#web/features/catalogue/queries.ts';
import { orNotFound, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';

export const Route = createFileRoute('/tag/$tagName')({
  validateSearch: checkListSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { tagName }, deps }) => {
    const [tag] = await orNotFound(
      Promise.all([
        context.queryClient.query({ ...tagQuery(context.api, tagName), staleTime: 'static' }),
        loadList(context, { kind: 'tag', name: tagName }, deps),
      ]),
    );
    return { title: inLocale(tag.nameContent, context.locale), description: tag.description };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: TagPage,
  pendingComponent: ListSkeleton,
});

function TagPage() {
  const { tagName } = Route.useParams();
  const { data: tag } = useSuspenseQuery(tagQuery(useApi(), tagName));
  const title = inLocale(tag.nameContent, useLocale());
  return (
    <ListScreen
      source={{ kind: 'tag', name: tagName }}
      search={Route.useSearch()}
      title={title}
      lead={tag.description}
    />
  );
}
