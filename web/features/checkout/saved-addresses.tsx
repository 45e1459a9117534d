import type { Address } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { type AddressValue, addressLines, emptyAddress } from '#web/lib/address.ts';
import { withKept } from '#web/lib/tab-storage.ts';

/** The index of the saved address that this equals; -1 for another one. */
export function savedIndex(saved: readonly Address[], address: AddressValue): number {
  return saved.findIndex((candidate) => {
    const value = withKept(emptyAddress, candidate);
    return Object.keys(value).every((field) => value[field] === address[field]);
  });
}

interface SavedAddressesProps {
  saved: Address[];
  address: AddressValue;
  onChange: (changes: Partial<AddressValue>) => void;
}

/** The choice between the customer's saved addresses and a new one. */
export function SavedAddresses({ saved, address, onChange }: SavedAddressesProps) {
  const t = useT();
  const chosen = savedIndex(saved, address);
  const pick = (value: string) => {
    const picked = saved[Number(value)];
    onChange(picked ? withKept(emptyAddress, picked) : emptyAddress);
  };
  return (
    <RadioCards
      legend={t('checkout.address.saved')}
      hideLegend
      value={chosen < 0 ? 'other' : String(chosen)}
      onChange={pick}
      options={[
        ...saved.map((candidate, index) => {
          const [title, ...rest] = addressLines(candidate);
          return { value: String(index), title, note: rest.join(', ') };
        }),
        { value: 'other', title: t('checkout.address.newOne') },
      ]}
    />
  );
}
