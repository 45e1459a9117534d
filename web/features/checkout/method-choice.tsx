import type { CheckoutMethod } from '#contract/limits.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { IconName } from '#web/ui/icon.tsx';
import { RadioCards } from '#web/ui/radio-cards.tsx';

const icons: Record<CheckoutMethod, IconName> = { shipping: 'truck', pickup: 'store', instore: 'cup' };

export interface MethodChoiceProps {
  methods: CheckoutMethod[];
  value: CheckoutMethod | null;
  /** For each unavailable method, why it cannot serve this cart. */
  unable: Partial<Record<CheckoutMethod, string>>;
  error: string | undefined;
  onChange: (method: CheckoutMethod) => void;
}

/** The choice of the delivery method. A method that cannot serve the cart is listed with the reason. */
export function MethodChoice({ methods, value, unable, error, onChange }: MethodChoiceProps) {
  const t = useT();
  return (
    <RadioCards
      legend={t('checkout.method.title')}
      hideLegend
      error={error}
      value={value}
      onChange={onChange}
      options={methods.map((method) => ({
        value: method,
        title: t(`checkout.method.${method}`),
        note: unable[method] ?? t(`checkout.method.${method}.note`),
        icon: icons[method],
        disabled: unable[method] !== undefined,
      }))}
    />
  );
}
