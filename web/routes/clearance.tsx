import { createFileRoute } from '@tanstack/react-router';
import { useT } from '#ui/i18n.tsx';
import { ListScreen, ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkListSearch } from '#web/features/catalogue/list-search.ts';
import { loadList } from '#web/features/catalogue/load-list.tsx';
import { pageHead } from '#web/lib/head.ts';

export const Route = createFileRoute('/clearance')({
  validateSearch: checkListSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    await loadList(context, { kind: 'sale' }, deps);
    return { title: context.t('list.title.sale'), description: context.t('list.lead.sale') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ClearancePage,
  pendingComponent: ListSkeleton,
});

function ClearancePage() {
  const t = useT();
  return (
    <ListScreen
      source={{ kind: 'sale' }}
      search={Route.useSearch()}
      title={t('list.title.sale')}
      lead={t('list.lead.sale')}
    />
  );
}
