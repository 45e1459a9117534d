/** Which order an email or ticket is about, and when a line of a placed order was changed. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const orderChanges: Migration = {
  id: 53,
  name: 'order-changes',
  async up(trx, engine) {
    const { schema } = trx;
    await schema.alterTable('order_lines').addColumn('changed_at', 'bigint').execute();
    await schema.alterTable('deliveries').addColumn('order_id', 'text').execute();
    const orderId =
      engine === 'postgres' ? sql`body::json->>'orderId'` : sql`json_extract(body, '$.orderId')`;
    await sql`update deliveries set order_id = ${orderId} where endpoint_id is null`.execute(trx);
    await schema
      .createIndex('deliveries_order')
      .on('deliveries')
      .columns(['order_id', 'created_at'])
      .where('order_id', 'is not', null)
      .execute();
  },
};
