import type { ChangeEvent } from 'react';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';

export interface EmailFieldProps {
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
