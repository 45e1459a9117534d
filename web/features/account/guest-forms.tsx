import { registrationErrors, signOnErrors } from '#contract/rules/account.ts';
import type { RegistrationInput, SignOnInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { EmailField, NameFields, PasswordField, PhoneField } from './fields.tsx';

/** SPEC §8: a failed sign-in clears the password. */
export function LoginForm({ signOn, onDone }: { signOn: (input: SignOnInput) => Promise<SessionInfo>; onDone: () => void }) {
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

interface SignupFormProps {
  register: (input: RegistrationInput) => Promise<SessionInfo>;
  onDone: () => void;
  newsletterTicked: boolean;
}

const empty = {
  firstName: '',
  lastName: '',
  email: '',
  mobilePhone: '',
  password: '',
  passwordConfirm: '',
};

export function SignupForm({ register, onDone, newsletterTicked }: SignupFormProps) {
  const t = useT();
  const { field, values, change, problem, busy, formProps } = useForm({
    initial: { ...empty, acceptNewsletter: newsletterTicked },
    validate: registrationErrors,
    send: (input) => register({ ...input, email: input.email.trim() }),
    onSent: onDone,
  });
  return (
    <form {...formProps} className={formClass}>
      <FormProblem>{problem}</FormProblem>
      <NameFields field={field} />
      <EmailField {...field('email')} hint={t('account.email.hint')} />
      <PhoneField field={field} />
      <PasswordField
        {...field('password')}
        label={t('account.password')}
        hint={t('account.password.hint')}
        autoComplete="new-password"
        adviseFor={[values.email, values.firstName, values.lastName]}
      />
      <PasswordField {...field('passwordConfirm')} label={t('account.password.again')} autoComplete="new-password" />
      <Checkbox
        name="acceptNewsletter"
        label={t('account.newsletter')}
        hint={t('account.newsletter.hint')}
        checked={values.acceptNewsletter}
        onChange={(event) => change({ acceptNewsletter: event.target.checked })}
      />
      <FormActions label={t('account.signup.submit')} busy={busy} />
    </form>
  );
}
