import { useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';

export interface BillEdit {
  /** Runs a change after the cart's other changes, and shows the returned cart. */
  change: (work: () => Promise<Order>) => Promise<Order>;
  /** Reloads the bill of a page that does not show the cart's own (SPEC §4). */
  reload?: () => Promise<unknown>;
}

/** Changes the bill. Resolves when the new bill is shown; rejects with the `ApiError` of a rejection. */
export async function changeBill({ change, reload }: BillEdit, work: () => Promise<Order>): Promise<Order> {
  const order = await change(work);
  await reload?.();
  return order;
}

/** Changes the bill with `run`. `busy` until the new bill is shown. */
export function useBillChange(edit: BillEdit) {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<Order>): Promise<Order> => {
    setBusy(true);
    try {
      return await changeBill(edit, work);
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
