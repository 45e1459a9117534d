import type { Order } from '#contract/schemas/order.ts';
import { BillView } from './bill.tsx';
import { OrderLines } from './order-lines.tsx';

/** What was bought and what it came to, with nothing left to change. Days go by the clock of `timeZone`. */
export function Receipt({ order, timeZone }: { order: Order; timeZone: string }) {
  return (
    <>
      <OrderLines lines={order.lineItems} currency={order.bill.currency} />
      <div className="mt-6 border-line border-t pt-5">
        <BillView order={order} timeZone={timeZone} />
      </div>
    </>
  );
}
