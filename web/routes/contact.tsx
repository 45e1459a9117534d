/** SPEC §2: the stores, their contact details and a map, followed by the blocks of the content page of this name. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BlockList, loadBlocks } from '#web/blocks/blocks.tsx';
import { optionalPageQuery } from '#web/blocks/queries.ts';
import { ContactScreen } from '#web/features/contact/contact-screen.tsx';
import { storesJsonLd } from '#web/features/contact/json-ld.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { storesQuery } from '#web/lib/stores-query.ts';

const name = 'contact';

export const Route = createFileRoute('/contact')({
  loader: async ({ context }) => {
    const { api, queryClient, t } = context;
    const [page] = await Promise.all([
      queryClient.query({ ...optionalPageQuery(api, name), staleTime: 'static' }),
      queryClient.query({ ...storesQuery(api), staleTime: 'static' }),
    ]);
    await loadBlocks(page?.blocks ?? []);
    return {
      title: page?.title ?? t('contact.title'),
      description: page?.metaDescription || t('contact.description'),
    };
  },
  head: ({ match, matches, loaderData }) => {
    const { api, locale, origin, queryClient } = match.context;
    const stores = queryClient.getQueryData(storesQuery(api).queryKey);
    const shell = queryClient.getQueryData(shellQuery(api).queryKey);
    if (!loaderData || !stores || !shell) return pageHead(matches, undefined);
    return pageHead(matches, {
      ...loaderData,
      image: stores.find(({ image }) => image)?.image,
      jsonLd: import.meta.env.SSR ? storesJsonLd(stores, shell, { origin, locale }) : undefined,
    });
  },
  component: ContactPage,
});

function ContactPage() {
  const api = useApi();
  const { data: page } = useSuspenseQuery(optionalPageQuery(api, name));
  const { data: stores } = useSuspenseQuery(storesQuery(api));
  const { data: shell } = useSuspenseQuery(shellQuery(api));
  const { title, description } = Route.useLoaderData();
  return (
    <>
      <ContactScreen title={title} lead={description} stores={stores} map={shell.map} />
      {page && <BlockList blocks={page.blocks} below />}
    </>
  );
}
