import { inLocale } from '#contract/locales.ts';
import type { ShippingMethod } from '#contract/schemas/order.ts';
import { FieldError } from '#ui/field.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { Money } from '#web/ui/price.tsx';

export interface ShippingMethodChoiceProps {
  /** Undefined while rates load. */
  methods: ShippingMethod[] | undefined;
  /** Whether country and province are chosen. */
  ready: boolean;
  chosen: ShippingMethod | undefined;
  currency: string;
  error: string | undefined;
  onChange: (id: string) => void;
}

/** The choice of the shipping method for the address, cheapest first, with rate and duration. */
export function ShippingMethodChoice({ methods, ready, chosen, currency, error, onChange }: ShippingMethodChoiceProps) {
  const t = useT();
  const locale = useLocale();
  if (!ready) return <p className="text-ink-soft">{t('checkout.shippingMethod.needAddress')}</p>;
  if (!methods) {
    return (
      <div role="status" aria-label={t('checkout.shippingMethod.loading')} className="flex flex-col gap-3">
        <Skeleton className="h-18 rounded-md" />
        <Skeleton className="h-18 rounded-md" />
      </div>
    );
  }
  if (methods.length === 0) {
    return (
      <FieldError id="no-shipping-method" alone={error !== undefined}>
        {error ?? t('checkout.shippingMethod.none')}
      </FieldError>
    );
  }
  return (
    <RadioCards
      legend={t('checkout.shippingMethod.title')}
      hideLegend
      error={error}
      value={chosen?.id ?? null}
      onChange={onChange}
      options={methods.map((method) => ({
        value: method.id,
        title: inLocale(method.nameContent, locale),
        note: t('checkout.shippingMethod.days', { min: method.minBusinessDays, max: method.maxBusinessDays }),
        end:
          method.price === 0 ? (
            <span className="font-semibold">{t('bill.free')}</span>
          ) : (
            <Money cents={method.price} currency={currency} className="font-semibold" />
          ),
      }))}
    />
  );
}
