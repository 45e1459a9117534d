/** Counts orders that hold stock without being paid. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import type { Buyer } from '#server/modules/orders/index.ts';

/**
 * Orders being paid, or reserved for pickup. Dine-in orders are left out: a full restaurant orders from one network, and those
 * are limited per hour instead.
 */
function holdsUnpaid({ and, or, eb }: ExpressionBuilder<Tables, 'orders'>) {
  const reserved = and([
    eb('state', 'in', ['reserved', 'ready']),
    eb('pay_at_store', '=', 1),
    eb('method', '=', 'pickup'),
  ]);
  return or([eb('state', '=', 'paying'), reserved]);
}

function count(db: Reader) {
  return db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(holdsUnpaid);
}

/** Whether `held_from` begins so. Hexadecimal digits are before `z` in every collation. */
const beginsLike =
  (start: string) =>
  ({ and, eb }: ExpressionBuilder<Tables, 'orders'>) =>
    and([eb('held_from', '>=', start), eb('held_from', '<', `${start}z`)]);

/** Unpaid holds of all networks whose `held_from` begins like this. */
export async function unpaidHoldsOf(trx: Trx, start: string): Promise<number> {
  return Number((await count(trx).where(beginsLike(start)).executeTakeFirst())?.count);
}

/** Unpaid holds of a network (`heldFrom`), and of a buyer. */
export async function unpaidHolds(
  trx: Trx,
  heldFrom: string,
  { idHash, customerId }: Buyer,
): Promise<{ ofNetwork: number; ofBuyer: number }> {
  const row = await trx
    .selectNoFrom(() => [
      count(trx).where(beginsLike(heldFrom)).as('ofNetwork'),
      count(trx)
        .where(customerId === null ? 'session_hash' : 'customer_id', '=', customerId ?? idHash)
        .as('ofBuyer'),
    ])
    .executeTakeFirst();
  return { ofNetwork: Number(row?.ofNetwork), ofBuyer: Number(row?.ofBuyer) };
}

const unitsOf = (db: Reader, holder: (builder: ExpressionBuilder<Tables, 'orders'>) => Expression<SqlBool>) =>
  db
    .selectFrom('holds')
    .select((eb) => ['sku', 'location_id', eb.fn.sum<number>('quantity').as('units')])
    .where('order_id', 'in', db.selectFrom('orders').select('id').where(holder).where(holdsUnpaid))
    .groupBy(['sku', 'location_id']);
/** Units that unpaid orders hold, by `sku@location`. */
export type HeldUnits = ReadonlyMap<string, number>;

/** The units that the unpaid orders of a buyer hold, and those of each of these networks (`unpaidHoldsOf`). */
export async function unpaidUnits(
  trx: Trx,
  starts: readonly string[],
  { idHash, customerId }: Buyer,
): Promise<HeldUnits[]> {
  const found = await Promise.all([
    unitsOf(trx, (eb) =>
      customerId === null ? eb('session_hash', '=', idHash) : eb('customer_id', '=', customerId),
    ).execute(),
    ...starts.map((start) => unitsOf(trx, beginsLike(start)).execute()),
  ]);
  return found.map(
    (rows) => new Map(rows.map(({ sku, location_id, units }) => [`${sku}@${location_id}`, Number(units)])),
  );
}

/** Orders of a table, placed after `since` (epoch ms), that are to be paid at the store. */
export async function unpaidAtTable(
  trx: Trx,
  { storeId, tableNumber, since }: { storeId: string; tableNumber: string; since: number },
): Promise<number> {
  const row = await trx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', ['reserved', 'ready'])
    .where('method', '=', 'instore')
    .where('pay_at_store', '=', 1)
    .where('store_id', '=', storeId)
    .where('table_number', '=', tableNumber)
    .where('placed_at', '>', since)
    .executeTakeFirst();
  return Number(row?.count);
}
