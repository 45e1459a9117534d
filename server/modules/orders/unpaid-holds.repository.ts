/** Counts orders that hold stock without being paid. */
import type { ExpressionBuilder } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import { statement } from '#db/statement.ts';
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

type Holder = { heldFrom: string; owner: string };

/** Of a guest's orders, by their session, or of a customer's. */
const countsBy = (column: 'session_hash' | 'customer_id') =>
  statement((db, { heldFrom, owner }: Holder) =>
    db.selectNoFrom(() => [
      count(db).where('held_from', '=', heldFrom).as('ofNetwork'),
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
  const row = await counts.first(trx, { heldFrom, owner: customerId ?? idHash });
  return { ofNetwork: Number(row?.ofNetwork), ofBuyer: Number(row?.ofBuyer) };
}

const heldBy = (column: 'held_from' | 'session_hash' | 'customer_id') =>
  statement((db, { owner }: { owner: string }) =>
    db
      .selectFrom('holds')
      .select((eb) => ['sku', 'location_id', eb.fn.sum<number>('quantity').as('units')])
      .where('order_id', 'in', db.selectFrom('orders').select('id').where(column, '=', owner).where(holdsUnpaid))
      .groupBy(['sku', 'location_id']),
  );
const heldByNetwork = heldBy('held_from');
const heldByGuest = heldBy('session_hash');
const heldByCustomer = heldBy('customer_id');

/** Units that unpaid orders hold, by `sku@location`. */
export type HeldUnits = ReadonlyMap<string, number>;

/** The units that the unpaid orders of a network (`heldFrom`) and of a buyer hold. */
export async function unpaidUnits(trx: Trx, heldFrom: string, { idHash, customerId }: Buyer): Promise<[HeldUnits, HeldUnits]> {
  const ofBuyer = customerId === null ? heldByGuest : heldByCustomer;
  const found = await Promise.all([
    heldByNetwork.rows(trx, { owner: heldFrom }),
    ofBuyer.rows(trx, { owner: customerId ?? idHash }),
  ]);
  const [network, buyer] = found.map(
    (rows) => new Map(rows.map(({ sku, location_id, units }) => [`${sku}@${location_id}`, Number(units)])),
  );
  return [network ?? new Map(), buyer ?? new Map()];
}
