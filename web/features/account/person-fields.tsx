import type { ChangeEvent } from 'react';
import { familyNameFirst } from '#contract/names.ts';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';

type PersonField = 'firstName' | 'lastName' | 'mobilePhone';

export interface PersonFieldsProps {
  field: (name: PersonField) => {
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/** First and last name, in the order of the language. */
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
