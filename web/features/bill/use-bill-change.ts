import { useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';

/** How a change of the bill reaches the order that a page shows. */
export interface BillEdit {
  /** Runs a change in its turn behind the cart's others, and shows the cart that comes back. */
  change: (work: () => Promise<Order>) => Promise<Order>;
  /** Asks for the bill anew where a page shows another than the cart's (SPEC §4). */
  reload?: () => Promise<unknown>;
}

/** Runs one change at a time; `busy` until the new bill is there. A refusal is thrown. */
export function useBillChange({ change, reload }: BillEdit) {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<Order>): Promise<Order> => {
    setBusy(true);
    try {
      const order = await change(work);
      await reload?.();
      return order;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
