import { type ChangeEvent, type KeyboardEvent, useId, useState } from 'react';
import { familyNameFirst } from '#contract/names.ts';
import { passwordAdvice } from '#contract/rules/password.ts';
import { cx } from '#ui/cx.ts';
import { Field } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField, type TextFieldProps } from '#ui/inputs.tsx';
import { eyeIcon, eyeOffIcon } from '#ui/page-icons.ts';

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'value' | 'autoComplete'> {
  value: string;
  autoComplete: 'current-password' | 'new-password' | 'one-time-code';
  /** Turns on advice for a new password. Holds the owner's email and names, which the password must not repeat. */
  adviseFor?: readonly (string | undefined)[];
}

export function PasswordField({
  label,
  hint,
  error,
  optional,
  id,
  className,
  adviseFor,
  ...rest
}: PasswordFieldProps) {
  const t = useT();
  const extra = useId();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  // Autofill in browsers sends events that are not key presses.
  const look = (event: KeyboardEvent) =>
    setCapsLock(event.nativeEvent.getModifierState?.('CapsLock') ?? false);
  return (
    <Field {...{ label, hint, error, optional, id, className }}>
      {(control) => (
        <>
          <span className="relative block">
            <input
              {...rest}
              {...control}
              aria-describedby={cx(control['aria-describedby'], extra)}
              type={shown ? 'text' : 'password'}
              className="input pr-13 [&::-ms-reveal]:hidden"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={1000}
              onKeyDown={look}
              onKeyUp={look}
              onBlur={() => setCapsLock(false)}
            />
            <button
              type="button"
              className="absolute inset-y-0 right-0 inline-flex w-12 items-center justify-center rounded-md text-ink-soft hover:text-ink"
              aria-pressed={shown}
              aria-controls={control.id}
              aria-label={t('account.password.show')}
              title={t(shown ? 'account.password.hide' : 'account.password.show')}
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? eyeOffIcon : eyeIcon} size={22} />
            </button>
          </span>
          <span id={extra} aria-live="polite" className="flex flex-col gap-1.5 empty:hidden">
            {capsLock && (
              <span className="flex items-center gap-1.5 text-sm">
                <Icon name="info" size={18} />
                {t('account.password.capsLock')}
              </span>
            )}
            {adviseFor && rest.value !== '' && <Strength password={rest.value} owner={adviseFor} />}
          </span>
        </>
      )}
    </Field>
  );
}

const steps = [1, 2, 3, 4] as const;

function Strength({ password, owner }: { password: string; owner: readonly (string | undefined)[] }) {
  const t = useT();
  const { strength, advice } = passwordAdvice(password, owner);
  return (
    <>
      <span className="grid grid-cols-4 gap-1" aria-hidden>
        {steps.map((step) => (
          <span
            key={step}
            className="h-1 rounded-full bg-line transition-[background-color] duration-(--motion-calm) data-on:bg-action"
            data-on={step <= strength || undefined}
          />
        ))}
      </span>
      <span className="text-ink-soft text-sm">{t(advice)}</span>
    </>
  );
}

interface EmailFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  hint?: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** The email of an account. It is also the user name, so password managers store it. */
export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      {...props}
      label={useT()('account.email')}
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
    />
  );
}

/** Tells password managers which account a form without an email field belongs to. */
export function UserName({ email }: { email: string }) {
  return <input type="email" name="userID" autoComplete="username" value={email} readOnly hidden />;
}

type PersonField = 'firstName' | 'lastName' | 'mobilePhone';

interface PersonFieldsProps {
  field: (name: PersonField) => {
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

export function NameFields({ field }: PersonFieldsProps) {
  const t = useT();
  const first = { ...field('firstName'), label: t('account.firstName'), autoComplete: 'given-name' };
  const last = { ...field('lastName'), label: t('account.lastName'), autoComplete: 'family-name' };
  return (
    <div className="grid grid-cols-2 items-start gap-x-4">
      {(familyNameFirst(t) ? [last, first] : [first, last]).map((part) => (
        <TextField key={part.name} {...part} maxLength={100} />
      ))}
    </div>
  );
}

export function PhoneField({ field }: PersonFieldsProps) {
  const t = useT();
  return (
    <TextField
      {...field('mobilePhone')}
      label={t('account.phone')}
      hint={t('account.phone.hint')}
      optional={t('ui.optional')}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={40}
    />
  );
}
