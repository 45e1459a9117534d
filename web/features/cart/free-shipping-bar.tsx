import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';

interface FreeShippingBarProps {
  /** The value of the items after discount, cents. */
  value: number;
  /** The value from which shipping is free, cents; above 0. */
  freeOver: number;
  currency: string;
}

/** How much is missing for free shipping, as text and as a thin bar. */
export function FreeShippingBar({ value, freeOver, currency }: FreeShippingBarProps) {
  const t = useT();
  const locale = useLocale();
  const missing = freeOver - value;
  return (
    <div className="mb-6">
      <p className="mb-2 flex items-center gap-2 text-sm">
        <Icon name={missing > 0 ? 'truck' : 'check'} size={18} className="text-action" />
        {missing > 0
          ? t('cart.freeShipping.missing', { amount: formatMoney(missing, locale, currency) })
          : t('cart.freeShipping.reached')}
      </p>
      <div className="h-1 overflow-hidden rounded-full bg-surface-inset" aria-hidden>
        <div className="h-full bg-action" style={{ width: `${Math.min(100, Math.max(0, (value / freeOver) * 100))}%` }} />
      </div>
    </div>
  );
}
