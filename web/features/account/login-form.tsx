import { signOnErrors } from '#contract/rules/account.ts';
import type { SignOnInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { EmailField } from './email-field.tsx';
import { PasswordField } from './password-field.tsx';

export interface LoginFormProps {
  signOn: (input: SignOnInput) => Promise<SessionInfo>;
  onDone: () => void;
}

/** SPEC §8: a failed sign-in clears the password. */
export function LoginForm({ signOn, onDone }: LoginFormProps) {
  const t = useT();
  const { field, problem, busy, formProps } = useForm({
    initial: { userID: '', password: '' },
    validate: signOnErrors,
    send: ({ userID, password }) => signOn({ userID: userID.trim(), password }),
    onSent: onDone,
    valuesAfterRejection: (values) => ({ ...values, password: '' }),
    focusAfterRejection: 'password',
  });
  return (
    <form {...formProps} className={formClass}>
      <FormProblem>{problem}</FormProblem>
      <EmailField {...field('userID')} />
      <PasswordField {...field('password')} label={t('account.password')} autoComplete="current-password" />
      <FormActions label={t('account.login.submit')} busy={busy}>
        <Link href={urls.forgotPassword()} className="link inline-flex min-h-11 items-center">
          {t('account.login.forgot')}
        </Link>
      </FormActions>
    </form>
  );
}
