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
  const later = <Later>{t('bill.later')}</Later>;
  return (
    <div aria-busy={pending || undefined}>
      <dl className={cx('flex flex-col gap-2 transition-opacity', pending && 'opacity-55')}>
        <Goods bill={bill} />
        {isShipped(method) && <ShippingRow cents={bill.final ? bill.shipping : null} currency={bill.currency} later={later} />}
        {bill.final ? (
          bill.taxLines.map((line) => (
            <Row key={line.label} label={line.label}>
              <Money cents={line.amount} currency={bill.currency} />
            </Row>
          ))
        ) : (
          <Row label={t('bill.tax')}>{later}</Row>
        )}
        <Ends bill={bill} label={t(bill.final ? 'bill.total' : 'bill.estimatedTotal')} total={bill.total} />
      </dl>
      {!bill.final && <p className="mt-3 text-ink-soft text-sm">{t('bill.estimated')}</p>}
    </div>
  );
}

/** What checkout will come to as the form stands: `shipping` in cents, null while it is not known. */
export interface Estimate {
  method: CheckoutMethod | null;
  shipping: number | null;
}

/** Cents, without the tax that is not known yet. */
export function estimatedTotal(bill: Bill, { method, shipping }: Estimate): number {
  return bill.subtotal - bill.discount + bill.tip + (isShipped(method) ? (shipping ?? 0) : 0);
}

/** Shipped, or not yet decided. */
function isShipped(method: CheckoutMethod | null): boolean {
  return method !== 'pickup' && method !== 'instore';
}

/** The bill beside a form that is still being filled in: tax waits until that is done. */
export function EstimateView({ bill, estimate }: { bill: Bill; estimate: Estimate }) {
  const t = useT();
  const later = <Later>{t('bill.nextStep')}</Later>;
  return (
    <dl className="flex flex-col gap-2">
      <Goods bill={bill} />
      {isShipped(estimate.method) && <ShippingRow cents={estimate.shipping} currency={bill.currency} later={later} />}
      <Row label={t('bill.tax')}>{later}</Row>
      <Ends bill={bill} label={t('bill.estimatedTotal')} total={estimatedTotal(bill, estimate)} />
    </dl>
  );
}

function Goods({ bill }: { bill: Bill }) {
  const t = useT();
  return (
    <>
      <Row label={t('bill.subtotal')}>
        <Money cents={bill.subtotal} currency={bill.currency} />
      </Row>
      {bill.discount > 0 && (
        <Row label={bill.couponCode ? t('bill.discountCode', { code: bill.couponCode }) : t('bill.discount')}>
          −<Money cents={bill.discount} currency={bill.currency} />
        </Row>
      )}
    </>
  );
}

function ShippingRow({ cents, currency, later }: { cents: number | null; currency: string; later: ReactNode }) {
  const t = useT();
  return (
    <Row label={t('bill.shipping')}>
      {cents === null ? later : cents === 0 ? t('bill.free') : <Money cents={cents} currency={currency} />}
    </Row>
  );
}

function Ends({ bill, label, total }: { bill: Bill; label: string; total: number }) {
  const t = useT();
  return (
    <>
      {bill.tip > 0 && (
        <Row label={t('bill.tip')}>
          <Money cents={bill.tip} currency={bill.currency} />
        </Row>
      )}
      <div className="mt-2 flex items-baseline justify-between gap-4 border-line border-t pt-4 font-semibold">
        <dt>{label}</dt>
        <dd className="text-lg">
          <Money cents={total} currency={bill.currency} />
        </dd>
      </div>
    </>
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

function Later({ children }: { children: ReactNode }) {
  return <span className="text-ink-soft text-sm">{children}</span>;
}
