/** The time of the last change of products, for sitemaps. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const found: Migration = {
  id: 9,
  name: 'found',
  async up(trx) {
    const { schema } = trx;
    await schema
      .alterTable('products')
      .addColumn('updated_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update products set updated_at = created_at`.execute(trx);
    await schema
      .createIndex('products_found')
      .on('products')
      .columns(['published', 'no', 'updated_at'])
      .execute();
  },
};
