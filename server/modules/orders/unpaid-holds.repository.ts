/** Counts orders that hold stock without being paid. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import { statement } from '#db/statement.ts';
import type { Tables } from '#db/tables.ts';
import type { Buyer } from './order/order.ts';

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

/** Values of `held_from`, all that begin alike. */
type Range = { first: string; end: string };

/** Hexadecimal digits are before `z` in every collation. */
const rangeOf = (start: string): Range => ({ first: start, end: `${start}z` });

const isIn =
  ({ first, end }: Range) =>
  ({ and, eb }: ExpressionBuilder<Tables, 'orders'>) =>
    and([eb('held_from', '>=', first), eb('held_from', '<', end)]);

const countOfNetwork = statement((db, range: Range) => count(db).where(isIn(range)));

/** Unpaid holds of all networks whose `held_from` begins like this. */
export async function unpaidHoldsOf(trx: Trx, start: string): Promise<number> {
  return Number((await countOfNetwork.first(trx, rangeOf(start)))?.count);
}

type Holder = Range & { owner: string };

/** Of a guest's orders, by their session, or of a customer's. */
const countsBy = (column: 'session_hash' | 'customer_id') =>
  statement((db, { first, end, owner }: Holder) =>
    db.selectNoFrom(() => [
      count(db).where(isIn({ first, end })).as('ofNetwork'),
      count(db).where(column, '=', owner).as('ofBuyer'),
    ]),
  );
const ofGuests = countsBy('session_hash');
const ofCustomers = countsBy('customer_id');

/** Unpaid holds of a network (`heldFrom`), and of a buyer. */
export async function unpaidHolds(
  trx: Trx,
  heldFrom: string,
  { idHash, customerId }: Buyer,
): Promise<{ ofNetwork: number; ofBuyer: number }> {
  const counts = customerId === null ? ofGuests : ofCustomers;
  const row = await counts.first(trx, { ...rangeOf(heldFrom), owner: customerId ?? idHash });
  return { ofNetwork: Number(row?.ofNetwork), ofBuyer: Number(row?.ofBuyer) };
}

const unitsOf = (db: Reader, holder: (builder: ExpressionBuilder<Tables, 'orders'>) => Expression<SqlBool>) =>
  db
    .selectFrom('holds')
    .select((eb) => ['sku', 'location_id', eb.fn.sum<number>('quantity').as('units')])
    .where('order_id', 'in', db.selectFrom('orders').select('id').where(holder).where(holdsUnpaid))
    .groupBy(['sku', 'location_id']);
const heldByNetwork = statement((db, range: Range) => unitsOf(db, isIn(range)));
const heldByGuest = statement((db, { owner }: { owner: string }) => unitsOf(db, (eb) => eb('session_hash', '=', owner)));
const heldByCustomer = statement((db, { owner }: { owner: string }) => unitsOf(db, (eb) => eb('customer_id', '=', owner)));

/** Units that unpaid orders hold, by `sku@location`. */
export type HeldUnits = ReadonlyMap<string, number>;

/** The units that the unpaid orders of a buyer hold, and those of each of these networks (`unpaidHoldsOf`). */
export async function unpaidUnits(trx: Trx, starts: readonly string[], { idHash, customerId }: Buyer): Promise<HeldUnits[]> {
  const ofBuyer = customerId === null ? heldByGuest : heldByCustomer;
  const found = await Promise.all([
    ofBuyer.rows(trx, { owner: customerId ?? idHash }),
    ...starts.map((start) => heldByNetwork.rows(trx, rangeOf(start))),
  ]);
  return found.map((rows) => new Map(rows.map(({ sku, location_id, units }) => [`${sku}@${location_id}`, Number(units)])));
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
