import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { AlternativeLink, GuestFrame } from '#web/features/account/account-frame.tsx';
import { LoginForm, useLoginRedirect } from '#web/features/account/guest-forms.tsx';
import { checkoutConfigQuery } from '#web/features/checkout/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { type ReferredSearch, urls } from '#web/lib/urls.ts';
import { useSessionChange } from './-session.ts';

export const Route = createFileRoute('/account/login')({
  validateSearch: ({ referFrom }): ReferredSearch => (typeof referFrom === 'string' ? { referFrom } : {}),
  loader: ({ context }) => ({ title: context.t('account.login.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: LoginRoute,
});

function LoginRoute() {
  const t = useT();
  const api = useApi();
  const { enter } = useSessionChange();
  const { referFrom, during, arrive } = useLoginRedirect(Route.useSearch().referFrom);
  const toCheckout = referFrom === urls.checkout();
  const guestsMay = useQuery(checkoutConfigQuery(api)).data?.enabledGuestOrders === true;
  return (
    <GuestFrame
      title={t('account.login.title')}
      lead={toCheckout ? t('account.login.checkout') : undefined}
      first={
        toCheckout &&
        guestsMay && (
          <section className="mb-10 flex flex-col gap-3 border-line border-b pb-10">
            <h2 className="text-lg">{t('account.login.guestTitle')}</h2>
            <p className="text-ink-soft">{t('account.login.guestText')}</p>
            <LinkButton href={urls.checkout()} wide>
              {t('account.login.guest')}
            </LinkButton>
          </section>
        )
      }
      aside={
        <AlternativeLink
          title={t('account.login.newTitle')}
          text={t('account.login.newText')}
          action={
            <LinkButton href={urls.signup(referFrom)} variant="secondary">
              {t('account.login.signup')}
            </LinkButton>
          }
        />
      }
    >
      <LoginForm signOn={(body) => during(() => enter(() => api.call('signon', { body })))} onDone={arrive} />
    </GuestFrame>
  );
}
