import { useQueryClient } from '@tanstack/react-query';
import { passwordChangeErrors } from '#contract/rules/account.ts';
import type { User } from '#contract/schemas/shop.ts';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { useAlert } from './alert.tsx';
import { UserName } from './email-field.tsx';
import { PasswordField } from './password-field.tsx';
import { noticeSignedOut } from './queries.ts';

const empty = { currentPassword: '', password: '', passwordConfirm: '' };

/** Changes the password, which signs out all other browsers. */
export function PasswordForm({ user, onDone }: { user: User; onDone: () => void }) {
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
      show({ tone: 'good', title: t('account.verify.done'), text: t('account.resetPassword.done'), onClosed: onDone });
    },
  });
  return (
    <form {...formProps} className={formClass} onInput={clear}>
      <FormProblem>{problem}</FormProblem>
      <UserName email={user.email} />
      <PasswordField {...field('currentPassword')} label={t('account.password.current')} autoComplete="current-password" />
      <PasswordField
        {...field('password')}
        label={t('account.password.new')}
        hint={t('account.password.hint')}
        autoComplete="new-password"
        adviseFor={owner}
      />
      <PasswordField {...field('passwordConfirm')} label={t('account.password.again')} autoComplete="new-password" />
      <FormActions label={t('account.resetPassword.submit')} busy={busy} />
      {alert}
    </form>
  );
}
