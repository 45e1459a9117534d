/** What the office keeps of orders: units that were refunded, notes of the staff, and the words of items and tables, found in time order. */
import { type Kysely, sql } from 'kysely';
import { orderWords } from '../order-words.ts';
import type { Tables } from '../tables.ts';
import type { Migration } from './index.ts';

const batchSize = 200;

export const officeOrders: Migration = {
  id: 48,
  name: 'office orders',
  async up(trx, engine) {
    const { schema } = trx;
    await schema.alterTable('refunds').addColumn('covers', 'text').execute();
    await schema
      .createTable('order_notes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('staff_id', 'text', (c) => c.references('staff.id').onDelete('set null'))
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('order_notes_order').on('order_notes').columns(['order_id', 'at']).execute();
    await schema.dropTable('order_words').execute();
    // A prefix is a range of code points, which the collation of a PostgreSQL database need not follow.
    const word = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
    await schema
      .createTable('order_words')
      .addColumn('word', word, (c) => c.notNull())
      .addColumn('placed_at', 'bigint', (c) => c.notNull())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('order_words_pkey', ['word', 'placed_at', 'order_id'])
      .modifyEnd(engine === 'sqlite' ? sql`without rowid` : sql``)
      .execute();
    await schema.createIndex('order_words_order').on('order_words').columns(['order_id', 'word']).execute();
    await fillOrderWords(trx);
  },
};

/** Writes by what every placed order is found. */
export async function fillOrderWords(trx: Kysely<Tables>): Promise<void> {
  const json = (text: string | null) => (text === null ? null : JSON.parse(text));
  for (let after = ''; ; ) {
    const orders = await trx
      .selectFrom('orders')
      .select([
        'id',
        'order_number',
        'contact',
        'shipping_contact',
        'table_number',
        'customer_comment',
        'placed_at',
      ])
      .where('placed_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = orders.at(-1);
    if (!last) return;
    const ids = orders.map(({ id }) => id);
    const lines = await trx
      .selectFrom('order_lines')
      .select(['order_id', 'sku', 'note'])
      .where('order_id', 'in', ids)
      .execute();
    const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
    const rows = orders.flatMap(({ id, placed_at, ...order }) =>
      orderWords({
        number: order.order_number,
        people: [json(order.contact), json(order.shipping_contact)],
        table: order.table_number,
        comment: order.customer_comment,
        lines: linesOf.get(id) ?? [],
      }).map((each) => ({ word: each, placed_at: placed_at ?? 0, order_id: id })),
    );
    // Below the number of values that one statement may have.
    for (let from = 0; from < rows.length; from += 5000)
      await trx
        .insertInto('order_words')
        .values(rows.slice(from, from + 5000))
        .execute();
    after = last.id;
  }
}
