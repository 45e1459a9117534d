import { inLocale } from '#contract/locales.ts';
import { chosenStore, pickupStores } from '#contract/rules/method.ts';
import { hoursOn, hoursText } from '#contract/rules/opening-hours.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { FormSection } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { today } from './calendar.ts';
import { type CartStock, lackingAt } from './cart-stock.ts';
import type { Draft } from './draft.ts';
import { PickupChoice } from './pickup-choice.tsx';

interface PickupFieldsProps {
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

interface PickupStoresProps {
  stores: PickupLocation[];
  lines: LineItem[];
  stock: CartStock;
  value: string | null;
  error: string | undefined;
  onChange: (localStoreName: string) => void;
}

/** The choice of the pickup store: address, today's hours, and whether it has the cart's items in stock. */
function PickupStores({ stores, lines, stock, value, error, onChange }: PickupStoresProps) {
  const t = useT();
  const locale = useLocale();
  return (
    <RadioCards
      legend={t('checkout.store.title')}
      hideLegend
      error={error}
      value={value}
      onChange={onChange}
      options={stores.map((store) => {
        const lacking = lackingAt(store.localStoreName, lines, stock);
        return {
          value: store.localStoreName,
          title: inLocale(store.nameContent, locale),
          note: (
            <>
              <span className="block">
                {store.address.streetNumberAndNameDetails}, {store.address.city}
              </span>
              <span className="block">
                <HoursToday store={store} />
              </span>
              <StockWord lacking={lacking} known={lines.every(({ sku }) => stock.has(sku))} />
            </>
          ),
          disabled: lacking.length > 0,
        };
      })}
    />
  );
}

function HoursToday({ store }: { store: PickupLocation }) {
  const t = useT();
  const hours = hoursOn(store, today(Date.now(), store.timeZone).date);
  return hours ? t('checkout.store.today', { hours: hoursText(hours, t('ui.listSeparator')) }) : t('checkout.store.closedToday');
}

function StockWord({ lacking, known }: { lacking: LineItem[]; known: boolean }) {
  const t = useT();
  if (!known && lacking.length === 0) return <span className="block">&nbsp;</span>;
  if (lacking.length === 0) {
    return (
      <span className="flex items-center gap-1 text-action">
        <Icon name="check" size={18} />
        {t('checkout.store.hasAll')}
      </span>
    );
  }
  const products = lacking.map(({ productName }) => productName).join(t('ui.listSeparator'));
  return <span className="block text-clay">{t('checkout.store.lacks', { products })}</span>;
}
