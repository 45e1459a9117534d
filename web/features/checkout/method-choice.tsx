import type { CheckoutMethod } from '#contract/limits.ts';
import type { Translate } from '#contract/translate.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { type RadioCard, RadioCards } from '#ui/radio-cards.tsx';

const icons: Record<CheckoutMethod, IconName> = { shipping: 'truck', pickup: 'store', instore: 'cup' };

export function methodCard(t: Translate, method: CheckoutMethod): RadioCard<CheckoutMethod> {
  return {
    value: method,
    title: t(`checkout.method.${method}`),
    note: t(`checkout.method.${method}.note`),
    icon: icons[method],
  };
}

interface MethodChoiceProps {
  methods: CheckoutMethod[];
  value: CheckoutMethod | null;
  /** For each unavailable method, why it cannot serve this cart. */
  unable: Partial<Record<CheckoutMethod, string>>;
  error: string | undefined;
  onChange: (method: CheckoutMethod) => void;
}

/** The choice of the delivery method. A method that cannot serve the cart is one line with the reason. */
export function MethodChoice({ methods, value, unable, error, onChange }: MethodChoiceProps) {
  const t = useT();
  const impossible = methods.flatMap((method) => unable[method] ?? []);
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        legend={t('checkout.method.title')}
        hideLegend
        error={error}
        value={value}
        onChange={onChange}
        options={methods
          .filter((method) => unable[method] === undefined)
          .map((method) => methodCard(t, method))}
      />
      {impossible.length > 0 && (
        <ul className="flex flex-col gap-1.5 text-ink-soft text-sm">
          {impossible.map((reason) => (
            <li key={reason} className="flex gap-2">
              <Icon name="info" size={18} className="mt-[0.2em]" />
              {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
