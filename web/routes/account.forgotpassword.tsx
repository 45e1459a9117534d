import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useT } from '#ui/i18n.tsx';
import { GuestFrame } from '#web/features/account/account-frame.tsx';
import { ForgotForm } from '#web/features/account/guest-forms.tsx';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/account/forgotpassword')({
  loader: ({ context }) => ({ title: context.t('account.forgot.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ForgotPasswordRoute,
});

function ForgotPasswordRoute() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <GuestFrame title={t('account.forgot.title')} lead={t('account.forgot.lead')}>
      <ForgotForm onSent={() => void navigate({ href: urls.verifyPassword() })} />
    </GuestFrame>
  );
}
