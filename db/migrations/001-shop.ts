/** Settings, stores, images and content pages. */
import type { Migration } from './index.ts';

export const shop: Migration = {
  id: 1,
  name: 'shop',
  async up(trx) {
    const { schema } = trx;
    await schema
      .createTable('settings')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
    await schema
      .createTable('catalogue_version')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .execute();
    await trx.insertInto('catalogue_version').values({ id: 1, version: 1 }).execute();
    await schema
      .createTable('counters')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('stores')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('lat', 'real', (c) => c.notNull())
      .addColumn('lng', 'real', (c) => c.notNull())
      .addColumn('phone', 'text', (c) => c.notNull())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('time_zone', 'text', (c) => c.notNull())
      .addColumn('opening_hours', 'text', (c) => c.notNull())
      .addColumn('main_store', 'integer', (c) => c.notNull())
      .addColumn('display', 'integer', (c) => c.notNull())
      .addColumn('allow_pickup', 'integer', (c) => c.notNull())
      .addColumn('tables', 'integer', (c) => c.notNull())
      .addColumn('image', 'text')
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('pickup_lead_minutes', 'integer', (c) => c.notNull())
      .addColumn('pickup_slot_capacity', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('media')
      .addColumn('file', 'text', (c) => c.primaryKey())
      .addColumn('url_name', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('folder', 'text', (c) => c.notNull())
      .addColumn('width', 'integer', (c) => c.notNull())
      .addColumn('height', 'integer', (c) => c.notNull())
      .addColumn('color', 'text', (c) => c.notNull())
      .execute();
    await schema.createIndex('media_url_name').on('media').column('url_name').execute();
    await schema.createIndex('media_hash').on('media').column('hash').execute();
    await schema
      .createTable('pages')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('meta_description', 'text', (c) => c.notNull())
      .addColumn('blocks', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
