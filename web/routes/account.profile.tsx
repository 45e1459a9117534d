import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { LinkButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { AccountFrame, CustomerOnly, FieldsSkeleton } from '#web/features/account/account-frame.tsx';
import { DeleteAccount, ExportData, ProfileForm } from '#web/features/account/profile.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { useSessionChange } from './-session.ts';

export const Route = createFileRoute('/account/profile')({
  loader: ({ context }) => ({ title: context.t('account.profile.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ProfileRoute,
});

function ProfileRoute() {
  const t = useT();
  const api = useApi();
  const { leave } = useSessionChange();
  const [gone, setGone] = useState(false);
  const remove = (currentPassword: string) =>
    leave(async () => {
      await api.call('deleteAccount', { body: { currentPassword } });
      // From here on there is no customer: this screen confirms the deletion instead of asking to sign in.
      setGone(true);
    });
  if (gone) return <Goodbye />;
  const title = t('account.profile.title');
  return (
    <AccountFrame title={title} name={title}>
      <CustomerOnly skeleton={<FieldsSkeleton fields={4} />}>
        {(user) => (
          <div className="flex flex-col gap-12">
            <ProfileForm user={user} />
            <ExportData />
            <DeleteAccount email={user.email} remove={remove} />
          </div>
        )}
      </CustomerOnly>
    </AccountFrame>
  );
}

function Goodbye() {
  const t = useT();
  return (
    <Frame>
      <EmptyState
        as="h1"
        icon="check"
        title={t('account.delete.done')}
        actions={<LinkButton href={urls.home()}>{t('account.orders.shop')}</LinkButton>}
      >
        {t('account.delete.doneText')}
      </EmptyState>
    </Frame>
  );
}
