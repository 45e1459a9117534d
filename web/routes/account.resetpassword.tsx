import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useT } from '#ui/i18n.tsx';
import { AccountFrame, CustomerOnly, FieldsSkeleton } from '#web/features/account/account-frame.tsx';
import { PasswordForm, SessionList } from '#web/features/account/password.tsx';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/account/resetpassword')({
  loader: ({ context }) => ({ title: context.t('account.resetPassword.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ResetPasswordRoute,
});

function ResetPasswordRoute() {
  const t = useT();
  const navigate = useNavigate();
  const title = t('account.resetPassword.title');
  return (
    <AccountFrame title={title} name={title} lead={t('account.resetPassword.lead')}>
      <CustomerOnly skeleton={<FieldsSkeleton />}>
        {(user) => (
          <>
            <PasswordForm user={user} onDone={() => void navigate({ href: urls.account() })} />
            <SessionList />
          </>
        )}
      </CustomerOnly>
    </AccountFrame>
  );
}
