import { chosenStore, pickupStores } from '#contract/rules/method.ts';
import type { CheckoutConfig, LineItem } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import type { CartStock } from './cart-stock.ts';
import type { Draft } from './draft.ts';
import { FormSection } from './form-section.tsx';
import { PickupChoice } from './pickup-choice.tsx';
import { PickupStores } from './pickup-stores.tsx';

export interface PickupFieldsProps {
  choices: Draft['choices'];
  config: CheckoutConfig;
  stores: PickupLocation[];
  lines: LineItem[];
  stock: CartStock;
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['choices']>) => void;
}

/** The pickup store and time. If the shop shows no list of stores, it is the main store. */
export function PickupFields({ choices, config, stores, lines, stock, errors, onChange }: PickupFieldsProps) {
  const t = useT();
  const offered = pickupStores(stores);
  const store = chosenStore(choices.pickupStore, offered, config.displayPickupLocations);
  if (offered.length === 0) {
    return (
      <FormSection title={t('checkout.store.title')}>
        <FieldError id="no-stores" alone={errors.localStoreName !== undefined}>
          {errors.localStoreName ?? t('checkout.store.none')}
        </FieldError>
      </FormSection>
    );
  }
  return (
    <>
      <FormSection title={t('checkout.store.title')}>
        <PickupStores
          stores={config.displayPickupLocations || !store ? offered : [store]}
          lines={lines}
          stock={stock}
          value={store?.localStoreName ?? null}
          error={errors.localStoreName}
          // Another store has other times; its earliest is chosen.
          onChange={(pickupStore) => onChange({ pickupStore, pickupDay: '', pickupHour: '', pickupMinute: '' })}
        />
      </FormSection>
      {config.displayPickupTime && (
        <FormSection title={t('checkout.time.title')}>
          {store ? (
            <PickupChoice
              key={store.localStoreName}
              store={store}
              value={choices}
              error={errors.pickupDate}
              onChange={onChange}
            />
          ) : (
            <p className="text-ink-soft">{t('checkout.time.chooseStore')}</p>
          )}
        </FormSection>
      )}
    </>
  );
}
