import { inLocale } from '#contract/locales.ts';
import type { Product, ProductOption } from '#contract/schemas/catalogue.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { availabilityOf, type Choice, priceOf } from './selection.ts';

interface OptionPickerProps {
  product: Product;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

/** Every option as a row of buttons. An unavailable value is marked but can be chosen, which shows the reason. */
export function OptionPicker({ product, choice, onChange }: OptionPickerProps) {
  const locale = useLocale();
  const t = useT();
  const { options } = product.specification;
  return options.map((option) => (
    <OptionChips
      key={option.name}
      legend={inLocale(option.nameContent, locale)}
      value={choice[option.name] ?? null}
      onChange={(value) => onChange({ ...choice, [option.name]: value })}
      options={option.values.map(({ value, valueContent, color, priceInfo }) => ({
        value,
        label: inLocale(valueContent, locale),
        color,
        soldOut: availabilityOf(product, choice, option.name, value) !== 'available',
        note: replacesPrice(option)
          ? formatMoney(priceOf(product, { ...choice, [option.name]: value }).price, locale, product.priceInfo.currency)
          : priceInfo.price > 0
            ? t('product.option.adds', { price: formatMoney(priceInfo.price, locale, product.priceInfo.currency) })
            : undefined,
      }))}
    />
  ));
}

/** Whether values have prices of their own, such as the weights of coffee, rather than surcharges. */
function replacesPrice({ values }: ProductOption): boolean {
  return values.some(({ overridePrice }) => overridePrice !== null);
}
