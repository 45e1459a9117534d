import type { LineItem, Order } from '#contract/schemas/order.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useT } from '#ui/i18n.tsx';
import { ChosenText } from '#web/ui/chosen-text.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Money } from '#web/ui/price.tsx';
import { type AssumedBill, type BillEdit, BillView, type Estimate, shownBill } from './bill.tsx';
import { CouponEntry, RemoveCoupon } from './coupon-entry.tsx';

interface OrderSummaryProps {
  order: Order;
  estimate?: Estimate;
  pending?: boolean;
  edit: BillEdit;
}

/** The order beside a form: always visible on wide screens, a collapsed section with the total in its header on narrow ones. */
export function OrderSummary({ order, estimate, pending = false, edit }: OrderSummaryProps) {
  const t = useT();
  const { bill } = order;
  return (
    <section aria-label={t('bill.title')} className="rounded-lg bg-surface-inset px-4 product:p-0">
      <Accordion
        unfoldFrom="product"
        className="border-0"
        summary={t('bill.title')}
        aside={<Money cents={shownBill(order, estimate).total} currency={bill.currency} className="font-semibold" />}
      >
        <h2 className="mb-6 text-lg max-product:hidden">{t('bill.title')}</h2>
        <OrderLines lines={order.lineItems} currency={bill.currency} />
        <div className="mt-6 border-line border-t pt-5">
          <EditableBill order={order} estimate={estimate} pending={pending} edit={edit} />
        </div>
      </Accordion>
    </section>
  );
}

interface EditableBillProps {
  order: Order;
  estimate?: Estimate | undefined;
  assumed?: AssumedBill | undefined;
  pending?: boolean;
  edit: BillEdit;
}

export function EditableBill({ order, estimate, assumed, pending = false, edit }: EditableBillProps) {
  return (
    <>
      <BillView
        order={order}
        estimate={estimate}
        assumed={assumed}
        pending={pending}
        couponEnd={<RemoveCoupon order={order} edit={edit} />}
      />
      <div className="mt-5">
        <CouponEntry order={order} edit={edit} />
      </div>
    </>
  );
}

function OrderLines({ lines, currency }: { lines: LineItem[]; currency: string }) {
  const t = useT();
  return (
    <ul className="flex flex-col gap-4" aria-label={t('bill.lines.title')}>
      {lines.map((line) => (
        <li key={line.id} className="grid grid-cols-[4rem_1fr_auto] items-center gap-4">
          {line.image ? (
            <Picture image={line.image} sizes="4rem" alt="" shape="square" />
          ) : (
            <span className="aspect-square rounded-sm bg-surface-inset" />
          )}
          <div className="min-w-0 leading-snug">
            <p>{line.productName}</p>
            <ChosenText line={line} className="text-ink-soft text-sm" />
            <p className="text-ink-soft text-sm">{t('bill.lines.quantity', { count: line.quantity })}</p>
          </div>
          <Money cents={line.lineTotal} currency={currency} />
        </li>
      ))}
    </ul>
  );
}
