/** What the list and the page say of an order alike. */
import { inLocale } from '#contract/locales.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { OrderRow } from '#contract/staff/orders.ts';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { useOffice } from '../../lib/me.tsx';

const waiting: readonly OrderState[] = ['placed', 'reserved'];
const over: readonly OrderState[] = ['completed', 'cancelled', 'lapsed'];

/** Said in words; the colour repeats what is to be done: filled for a new order, tinted for one under way. */
export function StateBadge({ state, isPartlyShipped }: { state: OrderState; isPartlyShipped: boolean }) {
  const { t } = useOffice();
  const look =
    waiting.includes(state) && !isPartlyShipped
      ? 'border-action bg-action text-on-action'
      : over.includes(state)
        ? 'border-line text-ink-soft'
        : 'border-action bg-action-tint text-action';
  return (
    <span className={cx('inline-block rounded-full border px-3 py-0.5 text-sm first-letter:uppercase', look)}>
      {isPartlyShipped ? t('office.orders.partlyShipped') : t(`orders.state.${state}`)}
    </span>
  );
}

/** How, where and when the buyer gets the order. */
export function PlaceText({ order }: { order: Pick<OrderRow, 'method' | 'store' | 'table' | 'pickupAt' | 'timeZone'> }) {
  const { t, locale, shop } = useOffice();
  const { method, store, table, pickupAt, timeZone } = order;
  const known = shop.stores.find(({ id }) => id === store);
  return (
    <>
      <span className="block first-letter:uppercase">
        {[method && t(`orders.method.${method}`), table !== null && t('office.orders.table', { table })]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span className="block text-ink-soft">
        {[
          store !== null && (known ? inLocale(known.nameContent, locale) : store),
          pickupAt !== null && formatDate(pickupAt, locale, timeZone, 'shortDayTime'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  );
}
