/** SPEC §2: links to every part of the account. */
import { createFileRoute } from '@tanstack/react-router';
import { AccountFrame, ListSkeleton } from '#web/features/account/account-frame.tsx';
import { CustomerOnly } from '#web/features/account/customer-only.tsx';
import { AccountMenu, Greeting } from '#web/features/account/menu.tsx';
import { useSession } from '#web/features/account/use-session.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { useSessionChange } from './-session.ts';

export const Route = createFileRoute('/account/menu')({
  loader: ({ context }) => ({ title: context.t('account.menu.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: MenuRoute,
});

function MenuRoute() {
  const t = useT();
  const api = useApi();
  const { session } = useSession();
  const { leave } = useSessionChange();
  return (
    <AccountFrame title={t('account.menu.title')} lead={session?.user ? <Greeting user={session.user} /> : '\u00a0'}>
      <CustomerOnly skeleton={<ListSkeleton />}>
        {() => <AccountMenu signOut={() => leave(() => api.call('logout'))} />}
      </CustomerOnly>
    </AccountFrame>
  );
}
