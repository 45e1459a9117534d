import type { Order } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatDate } from '#web/lib/format.ts';
import { orderStateLabel, statesAhead } from './state-words.ts';

/** The order's states with their times, and those still to come. */
export function OrderTimeline({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { state, method, placedAt } = order;
  const been = order.timeline ?? (placedAt === null ? [] : [{ state, at: placedAt }]);
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <ol className="timeline">
      {been.map(({ state: step, at }, index) => {
        const last = index === been.length - 1;
        return (
          <li key={step} data-done data-stopped={(last && stopped) || undefined} aria-current={last ? 'step' : undefined}>
            <span className="block font-semibold">{t(orderStateLabel(step, method))}</span>
            <span className="block text-ink-soft text-sm">{formatDate(at, locale, order.timeZone, 'dayTime')}</span>
          </li>
        );
      })}
      {statesAhead(state, method).map((step) => (
        <li key={step} className="text-ink-soft">
          <span className="block">{t(orderStateLabel(step, method))}</span>
          <span className="block text-sm">{t('account.state.ahead')}</span>
        </li>
      ))}
    </ol>
  );
}
