import type { CheckoutMethod } from '#contract/limits.ts';
import { familyNameFirst } from '#contract/names.ts';
import type { CheckoutConfig } from '#contract/schemas/order.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import type { Draft } from './draft.ts';

export interface ContactFieldsProps {
  value: Draft['contact'];
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['contact']>) => void;
}

function fieldOf(name: keyof Draft['contact'] & string, { value, errors, onChange }: ContactFieldsProps) {
  return {
    name,
    value: value[name] ?? '',
    error: errors[`contact.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  };
}

/** The email address, which the form asks for first: an order can be recovered from it. */
export function EmailField({ config, ...contact }: ContactFieldsProps & { config: Pick<CheckoutConfig, 'requireEmail'> }) {
  const t = useT();
  return (
    <TextField
      {...fieldOf('email', contact)}
      label={t('checkout.contact.email')}
      hint={t('checkout.contact.email.hint')}
      optional={!config.requireEmail && t('ui.optional')}
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
    />
  );
}

export function NameFields({ optional = false, ...contact }: ContactFieldsProps & { optional?: boolean }) {
  const t = useT();
  const shared = { optional: optional && t('ui.optional'), maxLength: 100 };
  const firstName = {
    ...fieldOf('firstName', contact),
    ...shared,
    label: t('checkout.contact.firstName'),
    autoComplete: 'given-name',
  };
  const lastName = {
    ...fieldOf('lastName', contact),
    ...shared,
    label: t('checkout.contact.lastName'),
    autoComplete: 'family-name',
  };
  return (
    <div className="grid grid-cols-2 items-start gap-x-4">
      {(familyNameFirst(t) ? [lastName, firstName] : [firstName, lastName]).map((part) => (
        <TextField key={part.name} {...part} />
      ))}
    </div>
  );
}

interface PhoneFieldProps extends ContactFieldsProps {
  method: CheckoutMethod | null;
  config: Pick<CheckoutConfig, 'requireMobile'>;
}

export function PhoneField({ method, config, ...contact }: PhoneFieldProps) {
  const t = useT();
  return (
    <TextField
      {...fieldOf('phoneNumber', contact)}
      label={t('checkout.contact.phone')}
      hint={t(`checkout.contact.phone.${method ?? 'shipping'}`)}
      optional={!config.requireMobile && t('ui.optional')}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={40}
    />
  );
}
