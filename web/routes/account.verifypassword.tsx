import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useT } from '#ui/i18n.tsx';
import { GuestFrame } from '#web/features/account/account-frame.tsx';
import { VerifyForm } from '#web/features/account/guest-forms.tsx';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/account/verifypassword')({
  loader: ({ context }) => ({ title: context.t('account.verify.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: VerifyPasswordRoute,
});

function VerifyPasswordRoute() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <GuestFrame title={t('account.verify.title')} lead={t('account.verify.lead')}>
      <VerifyForm onDone={() => void navigate({ href: urls.login() })} />
    </GuestFrame>
  );
}
