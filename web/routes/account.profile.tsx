import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { profileErrors } from '#contract/rules/account.ts';
import type { User } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { FieldFrame, fieldLabelClass } from '#ui/field.tsx';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { AccountFrame, CustomerOnly, FieldsSkeleton } from '#web/features/account/account-frame.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { useAlert } from '../features/account/account-frame.tsx';
import { NameFields, PasswordField, PhoneField, UserName } from '../features/account/fields.tsx';
import { noticeSignedOut, sessionKey } from '../features/account/queries.ts';
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

function ProfileForm({ user }: { user: User }) {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const { show, clear, alert } = useAlert();
  const { firstName, lastName, mobilePhone, acceptNewsletter } = user;
  const { field, values, change, problem, busy, formProps } = useForm({
    initial: { firstName, lastName, mobilePhone, acceptNewsletter },
    validate: profileErrors,
    send: (body) => api.call('updateUserInfo', { body }),
    onRejected: (error) => noticeSignedOut(client, error),
    onSent: (session) => {
      client.setQueryData(sessionKey, session);
      show({ tone: 'good', title: t('account.profile.saved') });
    },
  });
  return (
    <form {...formProps} className={formClass} onInput={clear}>
      <FormProblem>{problem}</FormProblem>
      <FieldFrame>
        <p className={fieldLabelClass}>{t('account.email')}</p>
        <p className="break-words">{user.email}</p>
      </FieldFrame>
      <NameFields field={field} />
      <PhoneField field={field} />
      <Checkbox
        name="acceptNewsletter"
        label={t('account.newsletter')}
        checked={values.acceptNewsletter}
        onChange={(event) => change({ acceptNewsletter: event.target.checked })}
      />
      <FormActions label={t('account.profile.submit')} busy={busy} />
      {alert}
    </form>
  );
}

function ExportData() {
  const t = useT();
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const exportData = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      saveFile('account.json', JSON.stringify(await api.call('accountData'), null, 2));
    } catch (error) {
      setProblem(errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="flex max-w-form flex-col items-start gap-3">
      <h2 className="text-lg">{t('account.data.title')}</h2>
      <p>{t('account.data.text')}</p>
      <FormProblem>{problem}</FormProblem>
      <Button
        label={t('account.data.export')}
        variant="secondary"
        busy={busy}
        onClick={() => void exportData()}
      />
    </section>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Deletes the account with `remove`, after a dialog that asks for the password: deletion cannot be undone. */
function DeleteAccount({
  email,
  remove,
}: {
  email: string;
  remove: (currentPassword: string) => Promise<void>;
}) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const { field, problem, busy, setValues, formProps } = useForm({
    initial: { currentPassword: '' },
    validate: ({ currentPassword }) =>
      currentPassword ? {} : { currentPassword: 'rule.currentPasswordMissing' as const },
    send: ({ currentPassword }) => remove(currentPassword),
    onSent: () => undefined,
    onRejected: (error) => noticeSignedOut(client, error),
  });
  const close = () => {
    setOpen(false);
    setValues({ currentPassword: '' });
  };
  return (
    <section className="flex max-w-form flex-col items-start gap-3">
      <h2 className="text-lg">{t('account.delete.title')}</h2>
      <p>{t('account.delete.text')}</p>
      <Button label={t('account.delete.open')} variant="secondary" onClick={() => setOpen(true)} />
      <Dialog open={open} onClose={close} title={t('account.delete.sure')}>
        <form {...formProps} className="flex flex-col gap-5">
          <p>{t('account.delete.sureText')}</p>
          <FormProblem>{problem}</FormProblem>
          <UserName email={email} />
          <PasswordField
            {...field('currentPassword')}
            label={t('account.password.current')}
            autoComplete="current-password"
          />
          <DialogActions>
            <Button label={t('account.delete.keep')} variant="secondary" onClick={close} />
            <Button label={t('account.delete.submit')} type="submit" busy={busy} />
          </DialogActions>
        </form>
      </Dialog>
    </section>
  );
}
