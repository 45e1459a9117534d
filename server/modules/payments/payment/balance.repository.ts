/** The one sum of an order's money: what it costs, what was paid and refunded, what is due, and what was paid too much. */
import { type Selectable, sql } from 'kysely';
import type { CounterKind } from '#contract/limits.ts';
import type { Reader } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { counter } from './payment.ts';

/** A payment that succeeded. Cents, `tip` included in `amount`. */
export interface Received {
  provider: string;
  /** How staff took it; null for an online payment. */
  kind: CounterKind | null;
  amount: number;
  tip: number;
  /** By which cash differed from the amount. */
  rounding: number;
  /** Refunds that are done or due. */
  refunded: number;
  /** Of these, refunds that correct what was paid: the bill stands, so the amount is due again or was too much. */
  corrected: number;
  correctedTip: number;
  /** Epoch ms. */
  at: number;
}

/** Cents. */
export interface Balance {
  /** 0 once the order is cancelled or has expired: then all that was paid is too much. */
  bill: number;
  /** Payments less refunds. Never more than `bill`, except for refunds that a provider refused and amounts that a bank disputes. */
  paid: number;
  refunded: number;
  due: number;
  /** What was paid too much and has to be refunded. */
  excess: number;
  /** The tips within what was paid. */
  tip: number;
  /** Oldest first. */
  payments: readonly Received[];
}

type BalanceRow = Pick<
  Selectable<Tables['orders']>,
  'state' | 'pay_at_store' | 'total_cents' | 'updated_at'
> & {
  /** Null with all that follows: no payment succeeded. */
  id: string | null;
  provider: string | null;
  kind: string | null;
  amount_cents: number | null;
  tip_cents: number | null;
  refunded_cents: number | null;
  rounding_cents: number | null;
  created_at: number | null;
  /** PostgreSQL sums to more than a number holds. */
  corrected: number | string | null;
  corrected_tip: number | string | null;
};

/** What refunds of a payment corrected. */
const correctedSum = (
  column: 'amount_cents' | 'tip_cents',
) => sql`(select sum(${sql.raw(column)}) from refunds
  where refunds.order_id = orders.id and refunds.payment_id = payments.id and refunds.corrects = 1 and refunds.state <> 'refused')`;

/**
 * Reads the balance of an order. Whoever acts on it locks the order before, so that two payments that succeed at the same time see each
 * other.
 */
export async function balanceOf(db: Reader, orderId: string): Promise<Balance> {
  // As SQL: each view of an order asks it, and making it again takes longer than what it reads. The index of refunds is by order.
  const { rows } =
    await sql<BalanceRow>`select orders.state, orders.pay_at_store, orders.total_cents, orders.updated_at, payments.id,
    payments.provider, payments.kind, payments.amount_cents, payments.tip_cents, payments.refunded_cents, payments.rounding_cents,
    payments.created_at, ${correctedSum('amount_cents')} as corrected, ${correctedSum('tip_cents')} as corrected_tip
    from orders left join payments on payments.order_id = orders.id and payments.state = 'succeeded'
    where orders.id = ${orderId} order by payments.created_at, payments.id`.execute(db);
  const [order] = rows;
  if (!order) return balance(0, []);
  const payments = rows.flatMap((row) =>
    row.id === null
      ? []
      : {
          provider: row.provider ?? '',
          // Written only from `CounterKind`.
          kind: row.kind as CounterKind | null,
          amount: row.amount_cents ?? 0,
          tip: row.tip_cents ?? 0,
          rounding: row.rounding_cents ?? 0,
          refunded: row.refunded_cents ?? 0,
          corrected: Number(row.corrected ?? 0),
          correctedTip: Number(row.corrected_tip ?? 0),
          at: row.created_at ?? 0,
        },
  );
  const { state, pay_at_store, total_cents: total, updated_at: at } = order;
  // Payments at the counter were not recorded before they had rows.
  if (payments.length === 0 && state === 'completed' && pay_at_store === 1 && total > 0) {
    const none = { tip: 0, rounding: 0, refunded: 0, corrected: 0, correctedTip: 0 };
    return balance(total, [{ provider: counter, kind: null, amount: total, ...none, at }]);
  }
  return balance(state === 'cancelled' || state === 'lapsed' ? 0 : total, payments);
}

/** What is due of each row of `orders`, as in `Balance`; negative if too much was paid. For lists of orders. */
export const dueOf = sql<number>`(case when orders.state in ('cancelled', 'lapsed') then 0
  when orders.state = 'completed' and orders.pay_at_store = 1
    and not exists (select 1 from payments where order_id = orders.id and state = 'succeeded') then 0
  else orders.total_cents - (select coalesce(sum(amount_cents), 0) from payments where order_id = orders.id and state = 'succeeded')
    + (select coalesce(sum(refunds.amount_cents), 0) from refunds join payments on payments.id = refunds.payment_id
      where refunds.order_id = orders.id and refunds.corrects = 1 and refunds.state <> 'refused' and payments.state = 'succeeded')
  end)`;

/**
 * A refund that corrects nothing lowers what was paid and what is owed alike, so nothing is due after it. If the bill falls, the
 * difference has to be refunded, as far as it was paid.
 */
export function balance(bill: number, payments: readonly Received[]): Balance {
  const sum = (of: (payment: Received) => number) =>
    payments.reduce((total, payment) => total + of(payment), 0);
  const refunded = sum((payment) => payment.refunded);
  const paid = sum(({ amount }) => amount) - refunded;
  const owed = bill - sum(({ amount, corrected }) => amount - corrected);
  const excess = Math.min(paid, Math.max(0, -owed));
  return {
    bill,
    paid,
    refunded,
    due: Math.max(0, owed),
    excess,
    tip: sum(({ tip, correctedTip }) => tip - correctedTip),
    payments,
  };
}
