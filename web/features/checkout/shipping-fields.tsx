import type { ReactNode } from 'react';
import type { Address, ShippingMethod } from '#contract/schemas/order.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import type { AddressValue } from '#web/lib/address.ts';
import { AddressFields } from './address-fields.tsx';
import type { Draft } from './draft.ts';
import { FormSection } from './form-section.tsx';
import { SavedAddresses, savedIndex } from './saved-addresses.tsx';
import { ShippingMethodChoice } from './shipping-method-choice.tsx';
import { chosenShippingMethod } from './validate.ts';

export interface ShippingFieldsProps {
  draft: Draft;
  /** The methods offered for the address; undefined while they load. */
  methods: ShippingMethod[] | undefined;
  currency: string;
  errors: FieldTexts;
  /** The customer's saved addresses; undefined for a guest, who cannot save any. */
  saved: Address[] | undefined;
  /** The fields of the recipient, before and after the address. */
  names: ReactNode;
  phone: ReactNode;
  onSave: (save: boolean) => void;
  onAddress: (changes: Partial<AddressValue>) => void;
  onMethod: (id: string) => void;
}

/** The shipping address and method. */
export function ShippingFields(props: ShippingFieldsProps) {
  const { draft, methods, currency, errors, saved, onSave, onAddress, onMethod } = props;
  const t = useT();
  const { address, choices } = draft;
  const isSaved = saved !== undefined && savedIndex(saved, address) >= 0;
  const wrong = Object.keys(errors).some((field) => field.startsWith('address.'));
  return (
    <>
      <FormSection title={t('checkout.address.title')}>
        {props.names}
        {saved && saved.length > 0 && <SavedAddresses saved={saved} address={address} onChange={onAddress} />}
        {(!isSaved || wrong) && <AddressFields value={address} errors={errors} prefix="address" onChange={onAddress} />}
        {saved && !isSaved && (
          <Checkbox
            label={t('checkout.address.save')}
            checked={choices.saveAddress !== ''}
            onChange={(event) => onSave(event.target.checked)}
          />
        )}
        {props.phone}
      </FormSection>
      <FormSection title={t('checkout.shippingMethod.title')}>
        <ShippingMethodChoice
          methods={methods}
          ready={address.countryISOCode !== '' && address.province !== ''}
          chosen={chosenShippingMethod(choices.shippingMethod, methods)}
          currency={currency}
          error={errors.shippingMethod}
          onChange={onMethod}
        />
      </FormSection>
    </>
  );
}
