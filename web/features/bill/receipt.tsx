import type { Order } from '#contract/schemas/order.ts';
import { BillView } from './bill.tsx';
import { OrderLines } from './order-lines.tsx';

/** What was bought and what it came to, with nothing left to change. */
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
