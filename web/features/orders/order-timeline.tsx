import type { Order } from '#contract/schemas/order.ts';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { orderStateLabel, statesAhead } from './order-state-label.ts';

/** A point before each step, and a line from it to the next. */
const stepClass = cx(
  'relative pb-5 pl-9 last:pb-0',
  'before:absolute before:top-[0.4em] before:left-1 before:z-1 before:size-3.5 before:rounded-full before:border-2',
  'not-last:after:absolute not-last:after:top-[1em] not-last:after:-bottom-[0.6em] not-last:after:left-[calc(0.6875rem-1px)] not-last:after:border-l-2',
);

/** The order's states with their times, and those still to come. */
export function OrderTimeline({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { state, method, placedAt } = order;
  const been = order.timeline ?? (placedAt === null ? [] : [{ state, at: placedAt }]);
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <ol>
      {been.map(({ state: step, at }, index) => {
        const last = index === been.length - 1;
        return (
          <li
            key={step}
            className={cx(
              stepClass,
              last && stopped ? 'before:border-clay before:bg-clay' : 'before:border-action before:bg-action',
              last ? 'after:border-line' : 'after:border-action',
            )}
            aria-current={last ? 'step' : undefined}
          >
            <span className="block font-semibold">{t(orderStateLabel(step, method))}</span>
            <span className="block text-ink-soft text-sm">{formatDate(at, locale, order.timeZone, 'dayTime')}</span>
          </li>
        );
      })}
      {statesAhead(state, method).map((step) => (
        <li key={step} className={cx(stepClass, 'text-ink-soft before:border-edge before:bg-paper after:border-line')}>
          <span className="block">{t(orderStateLabel(step, method))}</span>
          <span className="block text-sm">{t('account.state.ahead')}</span>
        </li>
      ))}
    </ol>
  );
}
