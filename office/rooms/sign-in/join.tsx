/** Accepting an invitation. Its secret is behind the # of the address, which no browser sends to a server. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { passwordErrors } from '#contract/rules/password.ts';
import { roleText } from '#contract/staff/messages.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useCall } from '../../lib/api.tsx';
import { useStaffT } from '../../lib/i18n.tsx';
import { useEnter } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { Doorway } from './sign-in.tsx';

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

function JoinForm({ token, email, ...role }: { token: string; email: string; role: string; roleName: string | null }) {
  const t = useStaffT();
  const call = useCall();
  const enter = useEnter();
  const navigate = useNavigate();
  const form = useForm({
    initial: { email: '', name: '', password: '' },
    validate: (values) => passwordErrors({ password: values.password }, [email || values.email, values.name]),
    send: ({ email: own, ...body }) => call('acceptInvitation', { body: { token, ...body, ...(email ? {} : { email: own }) } }),
    onSent: async (me) => {
      enter(me);
      await navigate({ to: me.needsSecondFactor ? ('/office/account' as '/office') : '/office', replace: true });
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <p>{email ? t('office.joinText', { email, role: roleText(t, role) }) : t('office.joinFirst')}</p>
      <FormProblem>{form.problem}</FormProblem>
      {!email && <TextField {...form.field('email')} label={t('office.email')} type="email" autoComplete="username" />}
      <TextField {...form.field('name')} label={t('office.name')} autoComplete="name" />
      <TextField {...form.field('password')} label={t('office.newPassword')} type="password" autoComplete="new-password" />
      <Button type="submit" busy={form.busy}>
        {t('office.join')}
      </Button>
    </form>
  );
}
