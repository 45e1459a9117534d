/** Gives placed orders other bills, as a change of their lines does: what is paid too much then is given back. */
import type { Services } from '#server/container.ts';
import { writeBill } from '#server/modules/checkout/settlement/order-refunds.ts';
import { type AgreedBill, updateOrder } from '#server/modules/orders/index.ts';
import type { RefundResult } from '#server/modules/payments/index.ts';
import type { MerchantServices } from './as-merchant.ts';

type Used = {
  [S in 'changes' | 'fulfilment' | 'payments']: Services[S] | MerchantServices[S];
};

/** @throws {OperationError} if the order has not been placed, is cancelled or expired, or has another currency */
export async function rebill(
  { changes, fulfilment, payments }: Used,
  number: string,
  bill: AgreedBill,
  at: number,
): Promise<RefundResult[]> {
  const { id } = await fulfilment.find(number);
  const { due } = await changes.run({ kind: 'terminal' }, 'test', async ({ trx, note }) => {
    const order = await updateOrder(trx, id, { updated_at: at });
    if (!order) throw new Error('There is no order');
    note('order', number, [{ field: 'total', from: order.bill?.total, to: bill.total }]);
    return writeBill(trx, order, bill, { reason: 'changed', at });
  });
  const parts: RefundResult[] = [];
  for (const part of due) parts.push(await payments.refunds.trySending(part));
  return parts;
}
