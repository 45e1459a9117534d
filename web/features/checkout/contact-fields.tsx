import type { CheckoutMethod } from '#contract/limits.ts';
import { familyNameFirst } from '#contract/names.ts';
import type { CheckoutConfig } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { FieldTexts } from '#web/lib/api-errors.ts';
import { TextField } from '#web/ui/text-field.tsx';
import type { Draft } from './draft.ts';

export interface ContactFieldsProps {
  value: Draft['contact'];
  method: CheckoutMethod | null;
  config: Pick<CheckoutConfig, 'requireMobile' | 'requireEmail'>;
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['contact']>) => void;
}

export function ContactFields({ value, method, config, errors, onChange }: ContactFieldsProps) {
  const t = useT();
  const field = (name: 'firstName' | 'lastName' | 'email' | 'phoneNumber') => ({
    name,
    value: value[name],
    error: errors[`contact.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const firstName = { ...field('firstName'), label: t('checkout.contact.firstName'), autoComplete: 'given-name' };
  const lastName = { ...field('lastName'), label: t('checkout.contact.lastName'), autoComplete: 'family-name' };
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-x-4">
        {(familyNameFirst(t) ? [lastName, firstName] : [firstName, lastName]).map((part) => (
          <TextField key={part.name} {...part} maxLength={100} />
        ))}
      </div>
      <TextField
        {...field('email')}
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
      <TextField
        {...field('phoneNumber')}
        label={t('checkout.contact.phone')}
        hint={t(`checkout.contact.phone.${method ?? 'shipping'}`)}
        optional={!config.requireMobile && t('ui.optional')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
      />
    </>
  );
}
