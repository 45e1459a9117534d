/**
 * What catalogues of other shops have: statuses with times, formatted descriptions, texts for search engines, pictures of SKUs, SKUs
 * that are not counted or sold beyond stock, and addresses that lead elsewhere.
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Migration } from './index.ts';

export const productModel: Migration = {
  id: 63,
  name: 'product model',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .alterTable('products')
      .addColumn('status', 'text', (c) => c.notNull().defaultTo('active'))
      .execute();
    await trx.updateTable('products').set({ status: 'draft' }).where('published', '=', 0).execute();
    for (const column of ['publish_at', 'unpublish_at'])
      await schema.alterTable('products').addColumn(column, 'bigint').execute();
    for (const column of ['description_html', 'seo_title', 'seo_description'])
      await schema.alterTable('products').addColumn(column, 'text').execute();
    // Few products have a time, so the sweep reads few rows.
    await schema
      .createIndex('products_times')
      .on('products')
      .columns(['no', 'status', 'publish_at', 'unpublish_at', 'published'])
      .where(sql<boolean>`publish_at is not null or unpublish_at is not null`)
      .execute();
    await schema.alterTable('skus').addColumn('own_image', 'text').execute();
    await schema
      .alterTable('skus')
      .addColumn('counted', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    await schema
      .alterTable('skus')
      .addColumn('oversell', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable('redirects')
      .addColumn('path', 'text', (c) => c.primaryKey())
      .addColumn('target', 'text', (c) => c.notNull())
      .execute();
    await schema.createIndex('redirects_target').on('redirects').column('target').execute();
    await (engine === 'sqlite' ? allowBelowZeroInSqlite(trx) : allowBelowZeroInPostgres(trx));
  },
};

const belowZero = 'units below zero of a SKU that is not sold beyond stock';

/** SQLite cannot drop a CHECK. */
async function allowBelowZeroInSqlite(trx: Kysely<Tables>): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('stock_next')
    .addColumn('sku', 'text', (c) => c.notNull().references('skus.id').onDelete('cascade'))
    .addColumn('location_id', 'text', (c) => c.notNull())
    .addColumn('quantity', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('stock_pk', ['sku', 'location_id'])
    .modifyEnd(sql`without rowid`)
    .execute();
  await sql`insert into stock_next select sku, location_id, quantity from stock`.execute(trx);
  await schema.dropTable('stock').execute();
  await schema.alterTable('stock_next').renameTo('stock').execute();
  await schema
    .createTable('holds_next')
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('sku', 'text', (c) => c.notNull())
    .addColumn('location_id', 'text', (c) => c.notNull())
    .addColumn('quantity', 'integer', (c) => c.notNull().check(sql`quantity >= 0`))
    .addColumn('expires_at', 'bigint')
    .addColumn('low_check_at', 'bigint')
    .addPrimaryKeyConstraint('holds_pk', ['order_id', 'sku', 'location_id'])
    .execute();
  await sql`insert into holds_next select order_id, sku, location_id, quantity, expires_at, low_check_at from holds`.execute(
    trx,
  );
  await schema.dropTable('holds').execute();
  await schema.alterTable('holds_next').renameTo('holds').execute();
  await schema.createIndex('holds_expiry').on('holds').column('expires_at').execute();
  for (const [event, isWorse] of [
    ['insert', ''],
    ['update', 'and new.quantity < old.quantity'],
  ] as const)
    await sql`create trigger ${sql.raw(`stock_below_zero_${event} before ${event} on stock when new.quantity < 0 ${isWorse}`)}
      and not exists (select 1 from skus where id = new.sku and oversell = 1)
      begin select raise(abort, ${sql.lit(belowZero)}); end`.execute(trx);
}

async function allowBelowZeroInPostgres(trx: Kysely<Tables>): Promise<void> {
  await sql`alter table stock drop constraint stock_quantity_check`.execute(trx);
  await sql`alter table holds drop constraint holds_quantity_check`.execute(trx);
  await sql`alter table holds add constraint holds_quantity_check check (quantity >= 0)`.execute(trx);
  await sql`create or replace function stock_below_zero() returns trigger language plpgsql as $$ begin
      if tg_op = 'UPDATE' and new.quantity >= old.quantity then return new; end if;
      if not exists (select 1 from skus where id = new.sku and oversell = 1)
        then raise exception ${sql.lit(belowZero)}; end if;
      return new;
    end $$`.execute(trx);
  await sql`create trigger stock_below_zero before insert or update on stock
    for each row when (new.quantity < 0) execute function stock_below_zero()`.execute(trx);
}
