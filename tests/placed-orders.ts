/** Many placed orders at once, for tests and benchmarks of the lists of orders. */
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Trx } from '#db/database.ts';
import { orderWords } from '#db/order-words.ts';

export interface OrderRow {
  id: string;
  number: string;
  state: string;
  storeId: string;
  placedAt: number;
  contact: { firstName: string; lastName: string; email: string; phoneNumber: string };
}

const columns = [
  'id',
  'order_number',
  'state',
  'store_id',
  'contact',
  'placed_at',
  'created_at',
  'updated_at',
  'version',
  'language',
  'customer_comment',
  'pay_at_store',
  'tip_basis_points',
  'total_cents',
  'currency',
  'method',
  'bill',
];

/** Orders without lines. */
export async function putOrders(db: Database, trx: Trx, orders: readonly OrderRow[]): Promise<void> {
  const bill = JSON.stringify({ total: 2500, currency: 'CAD', subTotal: 2500 });
  await insertMany(db, trx, {
    into: 'orders',
    columns,
    rows: orders.map(({ id, number, state, storeId, placedAt: at, contact }) => [
      id,
      number,
      state,
      storeId,
      JSON.stringify(contact),
      at,
      at,
      at,
      1,
      'en',
      '',
      0,
      0,
      2500,
      'CAD',
      'pickup',
      bill,
    ]),
  });
  const words = orders.flatMap(({ id, number, contact, placedAt }) =>
    orderWords({ number, people: [contact] }).map((word) => [word, placedAt, id]),
  );
  await insertMany(db, trx, { into: 'order_words', columns: ['word', 'placed_at', 'order_id'], rows: words });
}
