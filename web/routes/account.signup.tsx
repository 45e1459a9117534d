import { createFileRoute } from '@tanstack/react-router';
import { LinkButton } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { AlternativeLink, GuestFrame } from '#web/features/account/account-frame.tsx';
import { SignupForm, useLoginRedirect } from '#web/features/account/guest-forms.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { type ReferredSearch, urls } from '#web/lib/urls.ts';
import { useSessionChange } from './-session.ts';

export const Route = createFileRoute('/account/signup')({
  validateSearch: ({ referFrom }): ReferredSearch => (typeof referFrom === 'string' ? { referFrom } : {}),
  loader: async ({ context }) => {
    const { newsletterTicked } = await context.queryClient.ensureQueryData(shellQuery(context.api));
    return { title: context.t('account.signup.title'), newsletterTicked };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: SignupRoute,
});

function SignupRoute() {
  const t = useT();
  const api = useApi();
  const { enter } = useSessionChange();
  const { referFrom, during, arrive } = useLoginRedirect(Route.useSearch().referFrom);
  return (
    <GuestFrame
      title={t('account.signup.title')}
      lead={t('account.signup.lead')}
      aside={
        <AlternativeLink
          title={t('account.signup.haveTitle')}
          text={t('account.signup.haveText')}
          action={
            <LinkButton href={urls.login(referFrom)} variant="secondary">
              {t('account.signup.login')}
            </LinkButton>
          }
        />
      }
    >
      <SignupForm
        newsletterTicked={Route.useLoaderData().newsletterTicked}
        register={(body) => during(() => enter(() => api.call('clientRegistration', { body })))}
        onDone={arrive}
      />
    </GuestFrame>
  );
}
