/** Stock-takes, notes on movements, and thresholds of a SKU at a place. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const stockRoom: Migration = {
  id: 69,
  name: 'stock room',
  async up({ schema }) {
    await schema
      .createTable('stock_thresholds')
      .addColumn('sku', 'text', (c) => c.notNull())
      .addColumn('location_id', 'text', (c) => c.notNull())
      .addColumn('units', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('stock_thresholds_pk', ['location_id', 'sku'])
      .execute();
    // Which SKUs of a place are low is read from it, fewest units first.
    await schema.createIndex('stock_low').on('stock').columns(['location_id', 'quantity', 'sku']).execute();
    await schema
      .createTable('stock_notes')
      .addColumn('movement_id', 'text', (c) => c.primaryKey())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('stock_notes_at').on('stock_notes').column('at').execute();
    await schema
      .createTable('stock_takes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('location_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('started_by', 'text', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('booked_to', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('refused', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await schema
      .createIndex('stock_takes_location')
      .on('stock_takes')
      .columns(['location_id', 'started_at'])
      .execute();
    // A place has one at a time.
    await schema
      .createIndex('stock_takes_open')
      .on('stock_takes')
      .column('location_id')
      .unique()
      .where(sql<boolean>`state in ('open', 'booking')`)
      .execute();
    await schema
      .createTable('stock_take_counts')
      .addColumn('take_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('code', 'text', (c) => c.notNull())
      .addColumn('sku', 'text')
      .addColumn('units', 'integer', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('stock_take_counts_pk', ['take_id', 'id'])
      .execute();
    await schema
      .createIndex('stock_take_counts_sku')
      .on('stock_take_counts')
      .columns(['take_id', 'sku'])
      .execute();
  },
};
