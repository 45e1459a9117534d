import { forgotPasswordErrors } from '#contract/rules/account.ts';
import { errorText, fieldErrorsOf } from '#ui/errors.ts';
import { FormActions, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { urls } from '#web/lib/urls.ts';
import { useAlert } from './alert.tsx';
import { EmailField } from './email-field.tsx';
import { saveResetEmail } from './password-reset-storage.ts';

/** SPEC §5, §8: requests a temporary password. An alert shows errors and the result. */
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
      saveResetEmail(emailID.trim());
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
