/** Going after what nobody has told of: run every minute, when the shop starts, and by hand. */

import type { Payment } from '../orders/payment.ts';
import { holdMs } from '../orders/placing.ts';
import type { PaymentsDeps } from './payments.service.ts';

/** An attempt younger than this may still be with a process that is asking the provider. */
const graceMs = 60_000;

export interface Reconciled {
  /** Orders placed by it. */
  placed: number;
  /** Attempts that came to nothing. */
  ended: number;
  /** Attempts of which it is still not known. */
  open: number;
  /** Refunds given. */
  refunded: number;
  /** Orders whose hold ran out. */
  lapsed: number;
}

/** @throws AggregateError at the end of what could not be settled; one must not keep the others from it */
export async function reconcileAll({ now, orders, settling }: PaymentsDeps): Promise<Reconciled> {
  const done: Reconciled = { placed: 0, ended: 0, open: 0, refunded: 0, lapsed: 0 };
  const failures: unknown[] = [];
  const young = new Set<string>();
  const each = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));

  for (const payment of await orders.payments.undecided()) {
    await each(
      (async () => {
        const left = await lookInto(payment);
        if (left === 'young') young.add(payment.orderId);
        done[left === 'placed' || left === 'ended' ? left : 'open'] += 1;
      })(),
    );
  }
  for (const due of await orders.refunds.due()) {
    await each(
      (async () => {
        if (await settling.giveBack(due)) done.refunded += 1;
      })(),
    );
  }
  done.lapsed = await orders.lapseDue(young);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} payments could not be settled: ${failures.map(saidBy).join('; ')}`);
  return done;

  async function lookInto(payment: Payment): Promise<'placed' | 'ended' | 'open' | 'young'> {
    const age = now() - payment.createdAt;
    // Its time is over: whatever the shopper still does about it must not take money.
    const over = payment.state === 'lapsed' || age >= holdMs;
    if (!over) {
      const { outcome, orderID } = await settling.ask(payment);
      if (orderID) return 'placed';
      if (outcome.state === 'action') return 'open';
      if (outcome.state !== 'undecided') return 'ended';
      if (age < graceMs) return 'young';
    }
    try {
      return (await settling.end(payment)) ? 'placed' : 'ended';
    } catch {
      // The provider cannot be reached; it is asked again the next time.
      return 'open';
    }
  }
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
