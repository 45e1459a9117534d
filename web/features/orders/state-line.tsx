import type { Order } from '#contract/schemas/order.ts';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { isUnderWay, orderStateLabel } from './order-state-label.ts';

/** The state of an order as a word with a dot, filled while the order is under way. */
export function StateLine({ state, method }: Pick<Order, 'state' | 'method'>) {
  const t = useT();
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <p className={cx('mt-1 flex items-center gap-2 font-medium', stopped ? 'text-clay' : 'text-action')}>
      <span aria-hidden className={cx('size-2.5 rounded-full border-2 border-current', isUnderWay(state) && 'bg-current')} />
      {t(orderStateLabel(state, method))}
    </p>
  );
}
