import type { ReactNode } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Bill } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/ui/price.tsx';

export interface BillViewProps {
  bill: Bill;
  /** Shipping has no row for an order that is picked up or served. */
  method: CheckoutMethod | null;
  /** A change is under way: the amounts are those of before, and step back until the new ones come. */
  pending?: boolean;
}

/** What is owed, in rows that sum to the total. Until a destination is known it says that it is an estimate. */
export function BillView({ bill, method, pending = false }: BillViewProps) {
  const t = useT();
  const { currency } = bill;
  const amount = (cents: number) => <Money cents={cents} currency={currency} />;
  return (
    <div aria-busy={pending || undefined}>
      <dl className={cx('flex flex-col gap-2 transition-opacity', pending && 'opacity-55')}>
        <Row label={t('bill.subtotal')}>{amount(bill.subtotal)}</Row>
        {bill.discount > 0 && (
          <Row label={bill.couponCode ? t('bill.discountCode', { code: bill.couponCode }) : t('bill.discount')}>
            −{amount(bill.discount)}
          </Row>
        )}
        {bill.final ? (
          <>
            {method === 'shipping' && (
              <Row label={t('bill.shipping')}>{bill.shipping === 0 ? t('bill.free') : amount(bill.shipping)}</Row>
            )}
            {bill.taxLines.map((line) => (
              <Row key={line.label} label={line.label}>
                {amount(line.amount)}
              </Row>
            ))}
          </>
        ) : (
          <>
            {(method === 'shipping' || method === null) && (
              <Row label={t('bill.shipping')}>
                <Later />
              </Row>
            )}
            <Row label={t('bill.tax')}>
              <Later />
            </Row>
          </>
        )}
        {bill.tip > 0 && <Row label={t('bill.tip')}>{amount(bill.tip)}</Row>}
        <div className="mt-2 flex items-baseline justify-between gap-4 border-line border-t pt-4 font-semibold">
          <dt>{t(bill.final ? 'bill.total' : 'bill.estimatedTotal')}</dt>
          <dd className="text-lg">{amount(bill.total)}</dd>
        </div>
      </dl>
      {!bill.final && <p className="mt-3 text-ink-soft text-sm">{t('bill.estimated')}</p>}
    </div>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt>{label}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}

function Later() {
  return <span className="text-ink-soft text-sm">{useT()('bill.later')}</span>;
}
