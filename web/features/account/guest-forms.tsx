import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { splitLocale } from '#contract/locales.ts';
import {
  forgotPasswordErrors,
  passwordResetErrors,
  registrationErrors,
  sameSitePath,
  signOnErrors,
} from '#contract/rules/account.ts';
import type { RegistrationInput, SignOnInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { errorText, fieldErrorsOf } from '#ui/errors.ts';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api.ts';
import { clearTab, readTab, resetEmailKey, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { useAlert } from './account-frame.tsx';
import { EmailField, NameFields, PasswordField, PhoneField } from './fields.tsx';
import { useSession } from './queries.ts';

/** SPEC §2: a customer who is signed in, or signs in here, returns to the page they came from. `during` wraps the call that signs in. */
export function useLoginRedirect(asked: string | undefined) {
  const navigate = useNavigate();
  const { session } = useSession();
  const [here, setHere] = useState(false);
  const referFrom = returnPath(asked);
  const away = !here && Boolean(session?.user);
  useEffect(() => {
    if (away) void navigate({ href: urls.account(), replace: true });
  }, [away, navigate]);
  return {
    referFrom,
    during: async <T,>(call: () => Promise<T>): Promise<T> => {
      setHere(true);
      try {
        return await call();
      } catch (error) {
        setHere(false);
        throw error;
      }
    },
    arrive: () => void navigate({ href: referFrom ?? urls.account(), replace: true }),
  };
}

/** A path of this shop without its language. Undefined if `referFrom` leads out of the shop or back to signing in. */
export function returnPath(referFrom: unknown): string | undefined {
  const path = sameSitePath(referFrom);
  if (path === null) return undefined;
  const at = path.search(/[?#]|$/);
  const { pathname } = splitLocale(path.slice(0, at));
  const loops = pathname === '/account/login' || pathname === '/account/signup';
  // `/zh//host` is a path of this shop, but without its language it would name another host.
  return loops || pathname.startsWith('//') ? undefined : pathname + path.slice(at);
}

/** SPEC §8: a failed sign-in clears the password. */
export function LoginForm({
  signOn,
  onDone,
}: {
  signOn: (input: SignOnInput) => Promise<SessionInfo>;
  onDone: () => void;
}) {
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
      <PasswordField
        {...field('passwordConfirm')}
        label={t('account.password.again')}
        autoComplete="new-password"
      />
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

export function ForgotForm({ onSent }: { onSent: () => void }) {
  const t = useT();
  const api = useApi();
  const { show, clear, alert } = useAlert();
  const failed = (reason = '') =>
    show({
      tone: 'bad',
      title: t('account.forgot.failed'),
      text: `${t('account.forgot.failedText')} ${reason}`.trim(),
    });
  const { field, busy, formProps } = useForm({
    initial: { emailID: '' },
    validate: forgotPasswordErrors,
    send: ({ emailID }) => api.call('forgotPassword', { query: { emailID: emailID.trim() } }),
    onSent: ({ status }, { emailID }) => {
      // SPEC §8: an answer with another status is a failure as well.
      if (status !== 'success') return failed();
      writeTab(resetEmailKey, emailID.trim());
      show({
        tone: 'good',
        title: t('account.forgot.sent'),
        text: t('account.forgot.sentText'),
        onClosed: onSent,
      });
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

/** SPEC §4: replaces the temporary password from the email with a new one. */
export function VerifyForm({ onDone }: { onDone: () => void }) {
  const t = useT();
  const api = useApi();
  const { show, clear, alert } = useAlert();
  const { field, values, change, problem, busy, formProps } = useForm({
    initial: { userID: '', temporaryPassword: '', password: '', passwordConfirm: '' },
    validate: passwordResetErrors,
    send: (body) =>
      api.call('resetPasswordExternal', {
        body: { ...body, userID: body.userID.trim(), temporaryPassword: body.temporaryPassword.trim() },
      }),
    onSent: () => {
      clearTab(resetEmailKey);
      show({
        tone: 'good',
        title: t('account.verify.done'),
        text: t('account.verify.doneText'),
        onClosed: onDone,
      });
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
      <PasswordField
        {...field('passwordConfirm')}
        label={t('account.password.again')}
        autoComplete="new-password"
      />
      <FormActions label={t('account.verify.submit')} busy={busy}>
        <Link href={urls.forgotPassword()} className="link inline-flex min-h-11 items-center">
          {t('account.verify.again')}
        </Link>
      </FormActions>
      {alert}
    </form>
  );
}
