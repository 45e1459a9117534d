/** Counts orders that hold stock without being paid. */
import type { ExpressionBuilder } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import type { Buyer } from './order.ts';

/**
 * Orders being paid, or reserved for pickup. Dine-in orders are left out: a full restaurant orders from one network, and those
 * are limited per hour instead.
 */
function holdsUnpaid({ and, or, eb }: ExpressionBuilder<Tables, 'orders'>) {
  const reserved = and([eb('state', 'in', ['reserved', 'ready']), eb('pay_at_store', '=', 1), eb('method', '=', 'pickup')]);
  return or([eb('state', '=', 'paying'), reserved]);
}

function count(db: Reader) {
  return db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(holdsUnpaid);
}

export async function unpaidHoldsOfNetwork(trx: Trx, heldFrom: string): Promise<number> {
  return Number((await count(trx).where('held_from', '=', heldFrom).executeTakeFirstOrThrow()).count);
}

export async function unpaidHoldsOfBuyer(trx: Trx, { idHash, customerId }: Buyer): Promise<number> {
  const query =
    customerId === null ? count(trx).where('session_hash', '=', idHash) : count(trx).where('customer_id', '=', customerId);
  return Number((await query.executeTakeFirstOrThrow()).count);
}
