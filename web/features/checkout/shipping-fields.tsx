import type { ShippingMethod } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { AddressValue } from '#web/lib/address.ts';
import type { FieldTexts } from '#web/lib/refusals.ts';
import { AddressFields } from './address-fields.tsx';
import type { Draft } from './draft.ts';
import { FormSection } from './form-section.tsx';
import { ShippingMethodChoice } from './shipping-method-choice.tsx';
import { chosenShippingMethod } from './validate.ts';

export interface ShippingFieldsProps {
  draft: Draft;
  /** Those offered for the address; undefined while they are looked up. */
  methods: ShippingMethod[] | undefined;
  currency: string;
  errors: FieldTexts;
  onAddress: (changes: Partial<AddressValue>) => void;
  onMethod: (id: string) => void;
}

/** Where it is shipped to, and how fast. */
export function ShippingFields({ draft, methods, currency, errors, onAddress, onMethod }: ShippingFieldsProps) {
  const t = useT();
  const { address, choices } = draft;
  return (
    <>
      <FormSection title={t('checkout.address.title')}>
        <AddressFields value={address} errors={errors} prefix="address" onChange={onAddress} />
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
