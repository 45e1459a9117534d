import { useEffect } from 'react';
import { forgotPasswordErrors, passwordResetErrors } from '#contract/rules/account.ts';
import { errorText, fieldErrorsOf } from '#ui/errors.ts';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api.ts';
import { clearTab, readTab, resetEmailKey, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { useAlert } from './alert.tsx';
import { EmailField, PasswordField } from './fields.tsx';

export function ForgotForm({ onSent }: { onSent: () => void }) {
  const t = useT();
  const api = useApi();
  const { show, clear, alert } = useAlert();
  const failed = (reason = '') =>
    show({ tone: 'bad', title: t('account.forgot.failed'), text: `${t('account.forgot.failedText')} ${reason}`.trim() });
  const { field, busy, formProps } = useForm({
    initial: { emailID: '' },
    validate: forgotPasswordErrors,
    send: ({ emailID }) => api.call('forgotPassword', { query: { emailID: emailID.trim() } }),
    onSent: ({ status }, { emailID }) => {
      // SPEC §8: an answer with another status is a failure as well.
      if (status !== 'success') return failed();
      writeTab(resetEmailKey, emailID.trim());
      show({ tone: 'good', title: t('account.forgot.sent'), text: t('account.forgot.sentText'), onClosed: onSent });
    },
    onInvalid: (texts) => show({ tone: 'bad', title: Object.values(texts)[0] ?? '', besideField: true }),
    onRejected: (error) => {
      const [wrong] = Object.values(fieldErrorsOf(error));
      if (wrong) show({ tone: 'bad', title: wrong, besideField: true });
      else failed(errorText(error, t));
    },
  });
  return (
    <form {...formProps} className={formClass} onInput={clear}>
      <EmailField {...field('emailID')} />
      <FormActions label={t('account.forgot.submit')} busy={busy}>
        <Link href={urls.login()} className="link inline-flex min-h-11 items-center">
          {t('account.forgot.back')}
        </Link>
      </FormActions>
      {alert}
    </form>
  );
}

const empty = { userID: '', temporaryPassword: '', password: '', passwordConfirm: '' };

/** SPEC §4: replaces the temporary password from the email with a new one. */
export function VerifyForm({ onDone }: { onDone: () => void }) {
  const t = useT();
  const api = useApi();
  const { show, clear, alert } = useAlert();
  const { field, values, change, problem, busy, formProps } = useForm({
    initial: empty,
    validate: passwordResetErrors,
    send: (body) =>
      api.call('resetPasswordExternal', {
        body: { ...body, userID: body.userID.trim(), temporaryPassword: body.temporaryPassword.trim() },
      }),
    onSent: () => {
      clearTab(resetEmailKey);
      show({ tone: 'good', title: t('account.verify.done'), text: t('account.verify.doneText'), onClosed: onDone });
    },
  });
  // Only after hydration: the server's page is the same for everybody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, and never replaces what somebody has typed
  useEffect(() => {
    const kept = readTab(resetEmailKey);
    if (values.userID === '' && typeof kept === 'string') change({ userID: kept });
  }, []);
  return (
    <form {...formProps} className={formClass} onInput={clear}>
      <FormProblem>{problem}</FormProblem>
      <EmailField {...field('userID')} />
      <PasswordField
        {...field('temporaryPassword')}
        label={t('account.verify.temporary')}
        hint={t('account.verify.temporaryHint')}
        autoComplete="one-time-code"
      />
      <PasswordField
        {...field('password')}
        label={t('account.password.new')}
        hint={t('account.password.hint')}
        autoComplete="new-password"
        adviseFor={[values.userID]}
      />
      <PasswordField {...field('passwordConfirm')} label={t('account.password.again')} autoComplete="new-password" />
      <FormActions label={t('account.verify.submit')} busy={busy}>
        <Link href={urls.forgotPassword()} className="link inline-flex min-h-11 items-center">
          {t('account.verify.again')}
        </Link>
      </FormActions>
      {alert}
    </form>
  );
}
