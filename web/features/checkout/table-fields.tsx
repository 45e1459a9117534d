import { inLocale } from '#contract/locales.ts';
import { tableStores } from '#contract/rules/method.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import type { Draft } from './draft.ts';

export interface TableFieldsProps {
  value: Pick<Draft['choices'], 'tableStore' | 'tableNumber'>;
  stores: PickupLocation[];
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['choices']>) => void;
}

/** The choice of the store and the table for dine-in. */
export function TableFields({ value, stores, errors, onChange }: TableFieldsProps) {
  const t = useT();
  const locale = useLocale();
  const offered = tableStores(stores);
  return (
    <>
      {(offered.length > 1 || errors.localStoreName) && (
        <RadioCards
          legend={t('checkout.table.store')}
          error={errors.localStoreName}
          value={value.tableStore || null}
          onChange={(tableStore) => onChange({ tableStore })}
          options={offered.map((store) => ({
            value: store.localStoreName,
            title: inLocale(store.nameContent, locale),
            note: `${store.address.streetNumberAndNameDetails}, ${store.address.city}`,
          }))}
        />
      )}
      <TextField
        className="max-w-56"
        label={t('checkout.table.number')}
        hint={t('checkout.table.hint')}
        name="tableNumber"
        value={value.tableNumber}
        error={errors.tableNumber}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        onChange={(event) => onChange({ tableNumber: event.target.value })}
      />
    </>
  );
}
