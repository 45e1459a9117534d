import { inLocale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatCalendarDay, formatDate } from '#web/lib/format.ts';

/** The one thing to know about a new order: when it arrives, or when and where to come, or its table. */
export function OrderFact({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const text = useFact(order, store);
  return text && <p className="text-balance break-keep font-serif text-2xl">{text}</p>;
}

function useFact({ method, arrival, pickupDate, tableNumber, timeZone, state }: Order, store: PickupLocation | undefined) {
  const t = useT();
  const locale = useLocale();
  if (state === 'cancelled' || state === 'lapsed') return null;
  if (method === 'instore') return t('account.order.table', { table: tableNumber ?? '' });
  if (method === 'pickup') {
    if (pickupDate !== null) return t('confirm.fact.pickup', { when: formatDate(pickupDate, locale, timeZone, 'dayTime') });
    return store ? t('confirm.fact.pickupStore', { store: inLocale(store.nameContent, locale) }) : null;
  }
  if (!arrival) return null;
  return t('confirm.fact.arrives', {
    from: formatCalendarDay(arrival.earliest, locale),
    to: formatCalendarDay(arrival.latest, locale),
  });
}
