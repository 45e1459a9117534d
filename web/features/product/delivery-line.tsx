import { useQuery } from '@tanstack/react-query';
import type { DeliveryPromise } from '#contract/schemas/order.ts';
import { formatCalendarDay, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { useApi } from '#web/lib/api.ts';
import { deliveryPromiseQuery } from './later-queries.ts';

/** When a parcel arrives and what it costs. Its space stays the same while it loads, and if nothing ships. */
export function DeliveryLine({ ships }: { ships: boolean }) {
  const t = useT();
  const locale = useLocale();
  const { data, isPending } = useQuery(deliveryPromiseQuery(useApi()));
  const day = (date: string) => formatCalendarDay(date, locale);
  const cost = ({ price, freeOver, currency }: DeliveryPromise) => {
    const values = { price: formatMoney(price, locale, currency) };
    if (freeOver === null) return t('product.delivery.cost', values);
    return t('product.delivery.freeOver', { ...values, amount: formatMoney(freeOver, locale, currency) });
  };
  return (
    <p className="flex min-h-[2lh] gap-2 text-sm">
      {ships && (data || isPending) && <Icon name="truck" size={18} className="mt-0.5 text-ink-soft" />}
      {ships && isPending && <SkeletonText lines={2} className="w-56" />}
      {ships && data && (
        <span>
          {t('product.delivery', { from: day(data.earliest), to: day(data.latest) })}
          <span className="block text-ink-soft">{cost(data)}</span>
        </span>
      )}
    </p>
  );
}
