import type { CheckoutMethod } from '#contract/limits.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { IconName } from '#web/ui/icon.tsx';
import { RadioCards } from '#web/ui/radio-cards.tsx';

const icons: Record<CheckoutMethod, IconName> = { shipping: 'truck', pickup: 'store', instore: 'cup' };

export interface MethodChoiceProps {
  methods: CheckoutMethod[];
  value: CheckoutMethod | null;
  /** Why a method cannot serve this cart, for those that cannot. */
  unable: Partial<Record<CheckoutMethod, string>>;
  error: string | undefined;
  onChange: (method: CheckoutMethod) => void;
}

/** How the shopper wants to get it. A method that cannot serve the cart stays, and says why. */
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
