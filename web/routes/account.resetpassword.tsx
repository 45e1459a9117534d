import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { passwordChangeErrors } from '#contract/rules/account.ts';
import type { AccountSession } from '#contract/schemas/account.ts';
import type { User } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import {
  AccountFrame,
  CustomerOnly,
  FieldsSkeleton,
  ListSkeleton,
  LoadFailed,
} from '#web/features/account/account-frame.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { useAlert } from '../features/account/account-frame.tsx';
import { PasswordField, UserName } from '../features/account/fields.tsx';
import { noticeSignedOut, sessionsQuery } from '../features/account/queries.ts';

const empty = { currentPassword: '', password: '', passwordConfirm: '' };

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

/** Changes the password, which signs out all other browsers. */
function PasswordForm({ user, onDone }: { user: User; onDone: () => void }) {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const { show, clear, alert } = useAlert();
  const owner = [user.email, user.firstName, user.lastName];
  const { field, setValues, problem, busy, formProps } = useForm({
    initial: empty,
    validate: (values) => passwordChangeErrors(values, owner),
    send: (values) => api.call('resetPassword', { body: { userID: user.email, ...values } }),
    onRejected: (error) => noticeSignedOut(client, error),
    onSent: () => {
      setValues(empty);
      show({
        tone: 'good',
        title: t('account.verify.done'),
        text: t('account.resetPassword.done'),
        onClosed: onDone,
      });
    },
  });
  return (
    <form {...formProps} className={formClass} onInput={clear}>
      <FormProblem>{problem}</FormProblem>
      <UserName email={user.email} />
      <PasswordField
        {...field('currentPassword')}
        label={t('account.password.current')}
        autoComplete="current-password"
      />
      <PasswordField
        {...field('password')}
        label={t('account.password.new')}
        hint={t('account.password.hint')}
        autoComplete="new-password"
        adviseFor={owner}
      />
      <PasswordField
        {...field('passwordConfirm')}
        label={t('account.password.again')}
        autoComplete="new-password"
      />
      <FormActions label={t('account.resetPassword.submit')} busy={busy} />
      {alert}
    </form>
  );
}

function SessionList() {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const query = useQuery(sessionsQuery(api));
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const end = async (id?: string) => {
    setBusy(id ?? 'all');
    setProblem(undefined);
    try {
      const left = await api.call('endSessions', { body: id === undefined ? {} : { id } });
      client.setQueryData(sessionsQuery(api).queryKey, left);
    } catch (error) {
      setProblem(errorText(error, t));
    } finally {
      setBusy(undefined);
    }
  };
  const sessions = query.data ?? [];
  return (
    <section className="mt-12 flex max-w-form flex-col items-start gap-3">
      <h2 className="text-lg">{t('account.sessions.title')}</h2>
      <p>{t('account.sessions.text')}</p>
      <FormProblem>{problem}</FormProblem>
      {query.isError && !query.data && <LoadFailed onRetry={() => void query.refetch()} />}
      {query.isPending && <ListSkeleton />}
      <ul className="flex w-full flex-col gap-4">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={busy === session.id}
            onEnd={() => void end(session.id)}
          />
        ))}
      </ul>
      {sessions.length > 2 && (
        <Button
          label={t('account.sessions.endAll')}
          variant="secondary"
          busy={busy === 'all'}
          onClick={() => void end()}
        />
      )}
    </section>
  );
}

interface SessionRowProps {
  session: AccountSession;
  busy: boolean;
  onEnd: () => void;
}

function SessionRow({ session: { startedAt, lastSeenAt, current }, busy, onEnd }: SessionRowProps) {
  const t = useT();
  const locale = useLocale();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const started = formatDate(startedAt, locale, zone, 'dateTime');
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-surface-inset p-4">
      <div>
        <p>{t('account.sessions.started', { when: started })}</p>
        <p className="text-ink-soft text-sm">
          {current
            ? t('account.sessions.current')
            : t('account.sessions.seen', { when: formatDate(lastSeenAt, locale, zone, 'date') })}
        </p>
      </div>
      {!current && (
        <Button
          label={t('account.sessions.end')}
          variant="quiet"
          size="small"
          className="-mx-2"
          busy={busy}
          aria-label={t('account.sessions.endNamed', { when: started })}
          onClick={onEnd}
        />
      )}
    </li>
  );
}
