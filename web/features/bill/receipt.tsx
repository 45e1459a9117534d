import type { Order } from '#contract/schemas/order.ts';
import { BillView } from './bill.tsx';
import { OrderLines } from './order-lines.tsx';

/** The lines and the bill of a placed order, read-only. */
export function Receipt({ order }: { order: Order }) {
  return (
    <>
      <OrderLines lines={order.lineItems} currency={order.bill.currency} />
      <div className="mt-6 border-line border-t pt-5">
        <BillView order={order} />
      </div>
    </>
  );
}
