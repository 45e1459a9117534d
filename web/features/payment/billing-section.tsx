import type { ReactNode } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { useFormState } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import { billingKey, readTab, withKept, writeTab } from '#web/lib/tab-storage.ts';

export interface BillingFieldsProps {
  value: AddressValue;
  errors: FieldTexts;
  onChange: (changes: Partial<AddressValue>) => void;
}

interface BillingValues {
  same: boolean;
  typed: AddressValue;
}

const saveDraft = ({ typed }: BillingValues) => writeTab(billingKey, typed);

/** Its own values are the billing address, kept for this tab; a provider's panel adds fields to `errors`. `address` is null for the shipping one. */
export function usePaymentFields({ billingAddress, shippingAddress }: Order, holdFocus: boolean) {
  const form = useFormState<BillingValues>({
    initial: () => ({ same: true, typed: withKept(withKept(emptyAddress, billingAddress), readTab(billingKey)) }),
    saveDraft,
    holdFocus,
  });
  const { values, update } = form;
  const sameOffered = shippingAddress !== null;
  const same = sameOffered && values.same;
  const changeAddress = (changes: Partial<AddressValue>) =>
    update(
      (old) => ({ ...old, typed: { ...old.typed, ...changes } as AddressValue }),
      Object.keys(changes).map((name) => `billingAddress.${name}`),
    );
  const changeSame = (checked: boolean) => update((old) => ({ ...old, same: checked }), []);
  return { ...form, same, sameOffered, address: same ? null : values.typed, changeAddress, changeSame };
}

export type PaymentFields = ReturnType<typeof usePaymentFields>;

export function BillingSection({ form, fields }: { form: PaymentFields; fields: (props: BillingFieldsProps) => ReactNode }) {
  const t = useT();
  const { same, sameOffered, values, errors, changeAddress, changeSame } = form;
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-lg">{t('payment.billing.title')}</h2>
      {sameOffered && (
        <Checkbox label={t('payment.billing.same')} checked={same} onChange={(event) => changeSame(event.target.checked)} />
      )}
      {!same && fields({ value: values.typed, errors, onChange: changeAddress })}
    </section>
  );
}
