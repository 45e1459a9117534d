/** Brands, tags, categories, products with their SKUs, list orders, search vocabulary and stock. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const catalogue: Migration = {
  id: 2,
  name: 'catalogue',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .createTable('brands')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('story', 'text', (c) => c.notNull())
      .addColumn('image', 'text')
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('tags')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('categories')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('parent_id', 'text', (c) => c.references('categories.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('image', 'text')
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('products')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('short_description', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('brand_id', 'text', (c) => c.notNull().references('brands.id'))
      .addColumn('category_id', 'text', (c) => c.notNull().references('categories.id'))
      .addColumn('price_cents', 'integer', (c) => c.notNull().check(sql`price_cents >= 0`))
      .addColumn('compare_at_cents', 'integer')
      .addColumn('clearance', 'integer', (c) => c.notNull())
      .addColumn('new_arrival', 'integer', (c) => c.notNull())
      .addColumn('in_store_only', 'integer', (c) => c.notNull())
      .addColumn('tax_class', 'text', (c) => c.notNull())
      .addColumn('weight_grams', 'integer')
      .addColumn('details', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('images', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('sold_out', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('product_tags')
      .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
      .addColumn('tag_id', 'text', (c) => c.notNull().references('tags.id'))
      .addPrimaryKeyConstraint('product_tags_pk', ['product_id', 'tag_id'])
      .execute();
    await schema
      .createTable('product_relations')
      .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
      .addColumn('related_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('product_relations_pk', ['product_id', 'related_id'])
      .execute();
    await schema
      .createTable('skus')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
      .addColumn('option_pairs', 'text', (c) => c.notNull())
      .addColumn('price_cents', 'integer', (c) => c.notNull().check(sql`price_cents >= 0`))
      .addColumn('compare_at_cents', 'integer')
      .addColumn('image', 'text')
      .addColumn('position', 'integer', (c) => c.notNull())
      .addUniqueConstraint('skus_product_options', ['product_id', 'option_pairs'])
      .execute();
    await schema
      .createTable('listings')
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
      .addColumn('default_order', 'bigint', (c) => c.notNull())
      .addColumn('price_cents', 'integer', (c) => c.notNull())
      .addColumn('name_order_en', sql`double precision`, (c) => c.notNull())
      .addColumn('name_order_zh', sql`double precision`, (c) => c.notNull())
      .addPrimaryKeyConstraint('listings_pk', ['scope', 'product_id'])
      .execute();
    for (const column of ['default_order', 'price_cents', 'name_order_en', 'name_order_zh'] as const) {
      await schema.createIndex(`listings_${column}`).on('listings').columns(['scope', column, 'product_id']).execute();
    }
    await schema.createIndex('listings_product').on('listings').column('product_id').execute();
    await schema
      .createTable('listing_counts')
      .addColumn('scope', 'text', (c) => c.primaryKey())
      .addColumn('count', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('search_terms')
      .addColumn('term', 'text', (c) => c.primaryKey())
      .addColumn('products', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('search_trigrams')
      .addColumn('trigram', 'text', (c) => c.notNull())
      .addColumn('term', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('search_trigrams_pk', ['trigram', 'term'])
      .execute();
    if (engine === 'sqlite') {
      await sql`create virtual table search_index using fts5 (product_id unindexed, names, details, tokenize = "unicode61 categories 'L* N* Co'")`.execute(trx);
    } else {
      await sql`create table search_index (product_id text primary key, document tsvector not null)`.execute(trx);
      await sql`create index search_index_document on search_index using gin (document)`.execute(trx);
    }
    await schema
      .createTable('stock')
      .addColumn('sku', 'text', (c) => c.notNull().references('skus.id').onDelete('cascade'))
      .addColumn('location_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull().check(sql`quantity >= 0`))
      .addPrimaryKeyConstraint('stock_pk', ['sku', 'location_id'])
      .execute();
  },
};
