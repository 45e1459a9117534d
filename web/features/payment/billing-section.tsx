import { type ReactNode, useEffect, useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import type { FieldTexts } from '#web/lib/api-errors.ts';
import { withKept } from '#web/lib/tab-storage.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { loadBilling, saveBilling } from './billing-draft.ts';

export interface BillingFieldsProps {
  value: AddressValue;
  errors: FieldTexts;
  onChange: (changes: Partial<AddressValue>) => void;
}

/** The billing address: what was typed, kept for this tab, or the shipping address. */
export function useBillingAddress({ billingAddress, shippingAddress }: Order) {
  const [same, setSame] = useState(true);
  const [typed, setTyped] = useState<AddressValue>(() => withKept(withKept(emptyAddress, billingAddress), loadBilling()));
  useEffect(() => saveBilling(typed), [typed]);
  const sameOffered = shippingAddress !== null;
  return { same: sameOffered && same, sameOffered, typed, setSame, setTyped, value: sameOffered && same ? null : typed };
}

interface BillingSectionProps {
  address: ReturnType<typeof useBillingAddress>;
  errors: FieldTexts;
  fields: (props: BillingFieldsProps) => ReactNode;
  onEdit: (fields: string[]) => void;
}

export function BillingSection({ address, errors, fields, onEdit }: BillingSectionProps) {
  const t = useT();
  const { same, sameOffered, typed, setSame, setTyped } = address;
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-lg">{t('payment.billing.title')}</h2>
      {sameOffered && (
        <Checkbox label={t('payment.billing.same')} checked={same} onChange={(event) => setSame(event.target.checked)} />
      )}
      {!same &&
        fields({
          value: typed,
          errors,
          onChange: (changes) => {
            setTyped((old) => ({ ...old, ...changes }) as AddressValue);
            onEdit(Object.keys(changes).map((name) => `billingAddress.${name}`));
          },
        })}
    </section>
  );
}
