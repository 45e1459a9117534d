/** Signing in: email and password, then the code where there is a second factor; and accepting an invitation. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { passwordErrors } from '#contract/rules/password.ts';
import { roleText } from '#contract/staff/messages.ts';
import type { SignInOptions } from '#contract/staff/schemas.ts';
import { LinkButton } from '#ui/button.tsx';
import { ApiError } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useCall } from '../../lib/api.ts';
import { PasskeyButton } from '../../lib/confirm-dialog.tsx';
import { useLanguage, useStaffT } from '../../lib/i18n.tsx';
import { useEnter, useSignInOptions } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';

export function SignIn() {
  const t = useStaffT();
  const call = useCall();
  const enter = useEnter();
  const [asksCode, setAsksCode] = useState(false);
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    send: ({ email, password, code }) =>
      call('signIn', { body: { email, password, ...(code ? { code } : {}) } }),
    onSent: enter,
    onRejected: (error) => {
      if (error instanceof ApiError && error.body.errorKey === 'staff.codeNeeded') setAsksCode(true);
    },
    describeRejection: (error) =>
      error instanceof ApiError && (error.body.errorKey !== 'staff.codeNeeded' || asksCode)
        ? error.body.message
        : undefined,
  });
  const { data: options } = useSignInOptions();
  return (
    <Doorway title={t('office.signIn')}>
      {options?.passkeys && (
        <>
          <PasskeyButton
            label={t('office.passkeySignIn')}
            onPasskey={(passkey) => call('passkeySignIn', { body: passkey }).then(enter)}
          />
          <p className="text-center text-ink-soft">{t('office.signInOr')}</p>
        </>
      )}
      <SendForm form={form} label={t('office.signIn')} variant={options?.passkeys ? 'secondary' : 'primary'}>
        <TextField {...form.field('email')} label={t('office.email')} type="email" autoComplete="username" />
        <TextField
          {...form.field('password')}
          label={t('office.password')}
          type="password"
          autoComplete="current-password"
        />
        {asksCode && (
          <TextField
            {...form.field('code')}
            label={t('office.code')}
            hint={t('office.codeHint')}
            autoComplete="one-time-code"
            autoFocus
          />
        )}
      </SendForm>
      <p className="text-ink-soft text-sm">{t('office.forgotten')}</p>
      <DemoPeople people={options?.demo ?? []} />
    </Doorway>
  );
}

function DemoPeople({ people }: { people: SignInOptions['demo'] }) {
  const { t, locale } = useLanguage();
  const call = useCall();
  const enter = useEnter();
  const signIn = useMutation({
    mutationFn: (id: string) => call('signInDemo', { params: { id } }),
    onSuccess: enter,
  });
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="demo-people" className="flex flex-col gap-3 border-line border-t pt-6">
      <h2 id="demo-people" className="text-lg">
        {t('office.demoTitle')}
      </h2>
      <Problem error={signIn.error} />
      <ul className="grid grid-cols-2 gap-3">
        {people.map(({ id, name, role, storeContent }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => signIn.mutate(id)}
              className="flex h-full min-h-18 w-full flex-col rounded-md border border-line bg-raised px-4 py-3 text-left hover:border-action"
            >
              <span className="font-semibold">{name}</span>
              <span className="text-ink-soft text-sm">
                {[roleText(t, { role, roleName: null }), storeContent && inLocale(storeContent, locale)]
                  .filter(Boolean)
                  .join(t('office.listSeparator'))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A page of somebody who is not signed in. */
function Doorway({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[26rem] flex-col justify-center gap-6 px-5 py-10">
      <h1 className="text-2xl">{title}</h1>
      {children}
    </main>
  );
}

/** Accepts an invitation. Its secret is behind the # of the address, which no browser sends to a server. */
export function Join() {
  const [token] = useState(() => location.hash.slice(1));
  const t = useStaffT();
  const call = useCall();
  const { data: invitation, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('invitation', { body: { token } }),
    retry: false,
    // The address loses it once it is accepted.
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Doorway title={t('office.join')}>
      {error && (
        <>
          <Problem error={error} />
          <LinkButton href="/office" variant="secondary">
            {t('office.signIn')}
          </LinkButton>
        </>
      )}
      {invitation && <JoinForm token={token} {...invitation} />}
    </Doorway>
  );
}

function JoinForm({
  token,
  email,
  ...role
}: {
  token: string;
  email: string;
  role: string;
  roleName: string | null;
}) {
  const t = useStaffT();
  const call = useCall();
  const enter = useEnter();
  const navigate = useNavigate();
  const form = useForm({
    initial: { email: '', name: '', password: '' },
    validate: (values) => passwordErrors({ password: values.password }, [email || values.email, values.name]),
    send: ({ email: own, ...body }) =>
      call('acceptInvitation', { body: { token, ...body, ...(email ? {} : { email: own }) } }),
    onSent: async (me) => {
      await enter(me);
      await navigate({
        to: me.waiting.length > 0 ? ('/office/account' as '/office') : '/office',
        replace: true,
      });
    },
  });
  return (
    <SendForm form={form} label={t('office.join')}>
      <p>{email ? t('office.joinText', { email, role: roleText(t, role) }) : t('office.joinFirst')}</p>
      {!email && (
        <TextField {...form.field('email')} label={t('office.email')} type="email" autoComplete="username" />
      )}
      <TextField {...form.field('name')} label={t('office.name')} autoComplete="name" />
      <TextField
        {...form.field('password')}
        label={t('office.newPassword')}
        type="password"
        autoComplete="new-password"
      />
    </SendForm>
  );
}
