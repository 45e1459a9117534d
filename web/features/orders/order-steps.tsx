import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';
import { orderStateLabel, statesAhead } from './order-state-label.ts';

const stepClass =
  'flex-[1_0_0] border-line border-t-4 pt-3 text-sm data-done:[border-image:linear-gradient(var(--color-action)_0_0)_1]';

/** The states of an order in one line, those it has reached filled. Nothing for an order that was ended. */
export function OrderSteps({ order: { state, method, timeline, placedAt } }: { order: Order }) {
  const t = useT();
  if (state === 'cancelled' || state === 'lapsed' || placedAt === null) return null;
  const been = timeline?.map((step) => step.state) ?? [state];
  return (
    <ol className="flex gap-1.5 print:hidden" aria-label={t('account.order.status')}>
      {been.map((step, index) => (
        <li
          key={step}
          className={`${stepClass} font-semibold data-last:animate-[order-step_400ms_var(--ease-out)]`}
          data-done
          data-last={index === been.length - 1 || undefined}
          aria-current={index === been.length - 1 ? 'step' : undefined}
        >
          {t(orderStateLabel(step, method))}
        </li>
      ))}
      {statesAhead(state, method).map((step) => (
        <li key={step} className={`${stepClass} text-ink-soft`}>
          {t(orderStateLabel(step, method))}
        </li>
      ))}
    </ol>
  );
}
