import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { AddressType } from '#contract/limits.ts';
import { savedAddressErrors } from '#contract/rules/account.ts';
import type { Address } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { type FieldTexts, fieldErrorsOf } from '#ui/errors.ts';
import { FormActions, FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import { withKept } from '#web/lib/tab-storage.ts';
import { noticeSignedOut } from './queries.ts';

/** Renders the fields of an address; errors are named under `prefix`. */
export type AddressFieldsSlot = (props: {
  value: AddressValue;
  errors: FieldTexts;
  prefix: 'address' | 'billingAddress';
  onChange: (changes: Partial<AddressValue>) => void;
}) => ReactNode;

export interface AddressFormProps {
  type: AddressType;
  /** Absent for a new address. */
  initial: Address | undefined;
  /** Its position in the list, by which the server's errors name it. */
  at: number;
  fields: AddressFieldsSlot;
  save: (address: AddressValue) => Promise<void>;
  onDone: () => void;
}

interface SavedAddressValue extends AddressValue {
  contactPhone: string;
}
const empty: SavedAddressValue = { ...emptyAddress, contactPhone: '' };

/** The form for one saved address. SPEC §5: street, city and postal code are required. */
export function AddressForm({ type, initial, at, fields, save, onDone }: AddressFormProps) {
  const t = useT();
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const prefix = type === 'shipping' ? 'address' : 'billingAddress';
  const { values, errors, change, field, problem, busy, formProps } = useForm({
    initial: withKept<SavedAddressValue>(empty, initial),
    validate: (value) => unnumbered(savedAddressErrors(value, at), at),
    send: save,
    onSent: onDone,
    rejectedFields: (error) => unnumbered(fieldErrorsOf(error), at),
    onRejected: (error) => noticeSignedOut(client, error),
  });
  useEffect(() => heading.current?.focus(), []);
  const prefixed = Object.fromEntries(Object.entries(errors).map(([name, text]) => [`${prefix}.${name}`, text]));
  return (
    <form {...formProps} className="flex max-w-form flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="text-lg">
        {t(initial ? 'account.address.editTitle' : 'account.address.newTitle')}
      </h2>
      <FormProblem>{problem}</FormProblem>
      {fields({ value: values, errors: prefixed, prefix, onChange: change })}
      <TextField
        {...field('contactPhone')}
        label={t('account.address.phone')}
        hint={t('account.address.phoneHint')}
        optional={t('ui.optional')}
        type="tel"
        inputMode="tel"
        autoComplete={`${type} tel`}
        maxLength={40}
      />
      <FormActions label={t('account.address.save')} busy={busy}>
        <Button variant="quiet" onClick={onDone}>
          {t('account.address.cancel')}
        </Button>
      </FormActions>
    </form>
  );
}

/** The errors of the address at one position of the list, by the names of its own fields. */
function unnumbered<T>(errors: Readonly<Record<string, T>>, at: number): Record<string, T> {
  const own = `${at}.`;
  return Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [field.startsWith(own) ? field.slice(own.length) : field, error]),
  );
}
