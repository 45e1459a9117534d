import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Fold } from '#web/ui/fold.tsx';
import { Money } from '#web/ui/price.tsx';
import { BillView, type Estimate, EstimateView, estimatedTotal } from './bill.tsx';
import { OrderLines } from './order-lines.tsx';

export interface OrderSummaryProps {
  order: Order;
  /** Given beside a form that decides on shipping and tax: the order's own bill is then of before. */
  estimate?: Estimate;
  pending?: boolean;
}

/**
 * The order beside a form: always in sight where there is room, a fold with the total on its face on
 * narrow screens.
 */
export function OrderSummary({ order, estimate, pending = false }: OrderSummaryProps) {
  const t = useT();
  const { bill } = order;
  return (
    <section aria-label={t('bill.title')} className="rounded-lg bg-sunk px-4 menu:p-8">
      <Fold
        unfoldFrom="menu"
        className="border-0"
        summary={t('bill.title')}
        aside={
          <Money
            cents={estimate ? estimatedTotal(bill, estimate) : bill.total}
            currency={bill.currency}
            className="font-semibold"
          />
        }
      >
        <h2 className="mb-6 text-lg max-menu:hidden">{t('bill.title')}</h2>
        <OrderLines lines={order.lineItems} currency={bill.currency} />
        <div className="mt-6 border-line border-t pt-5">
          {estimate ? (
            <EstimateView bill={bill} estimate={estimate} />
          ) : (
            <BillView bill={bill} method={order.method} pending={pending} />
          )}
        </div>
      </Fold>
    </section>
  );
}
