/** Brands, tags, categories, products with their SKUs, list orders, prepared cards, search and stock. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Migration } from './index.ts';

export const catalogue: Migration = {
  id: 2,
  name: 'catalogue',
  async up(trx, engine) {
    const { schema } = trx;
    // Text compares by code points, whatever locale the database uses.
    const plain = engine === 'sqlite' ? sql`text` : sql`text collate "C"`;
    // SQLite stores such a table in key order, without a second copy.
    const keyed = engine === 'sqlite' ? sql`without rowid` : sql``;
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
      .addColumn('no', 'integer', (c) => c.primaryKey())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('published', 'integer', (c) => c.notNull())
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
      .addColumn('listing', 'text')
      .execute();
    await schema.createIndex('products_brand').on('products').column('brand_id').execute();
    await schema.createIndex('products_category').on('products').column('category_id').execute();
    await schema
      .createTable('product_tags')
      .addColumn('product_no', 'integer', (c) => c.notNull().references('products.no').onDelete('cascade'))
      .addColumn('tag_id', 'text', (c) => c.notNull().references('tags.id'))
      .addPrimaryKeyConstraint('product_tags_pk', ['product_no', 'tag_id'])
      .modifyEnd(keyed)
      .execute();
    // Not foreign keys: a relation may be imported before the product it names.
    await schema
      .createTable('product_relations')
      .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
      .addColumn('related_id', 'text', (c) => c.notNull())
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
      .createTable('listing_scopes')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('count', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('listings')
      .addColumn('scope_id', 'integer', (c) => c.notNull())
      .addColumn('sort', 'text', (c) => c.notNull())
      .addColumn('key', sql`double precision`, (c) => c.notNull())
      .addColumn('product_no', 'integer', (c) => c.notNull())
      .addColumn('brand_scope', 'integer', (c) => c.notNull())
      .addColumn('category_scope', 'integer', (c) => c.notNull())
      .addColumn('flags', 'integer', (c) => c.notNull())
      // Every filter column is part of the key, so that filtering reads nothing else.
      .addPrimaryKeyConstraint('listings_pk', [
        'scope_id',
        'sort',
        'key',
        'product_no',
        'brand_scope',
        'category_scope',
        'flags',
      ])
      .modifyEnd(keyed)
      .execute();
    await schema
      .createTable('product_cards')
      .addColumn('product_no', 'integer', (c) => c.notNull().references('products.no').onDelete('cascade'))
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('card', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('product_cards_pk', ['product_no', 'language'])
      .execute();
    await schema
      .createTable('search_terms')
      .addColumn('term', plain, (c) => c.primaryKey())
      .addColumn('stem', plain, (c) => c.notNull())
      .addColumn('products', 'integer', (c) => c.notNull())
      .modifyEnd(keyed)
      .execute();
    await schema.createIndex('search_terms_stem').on('search_terms').column('stem').execute();
    await schema
      .createTable('search_trigrams')
      .addColumn('trigram', plain, (c) => c.notNull())
      .addColumn('term', plain, (c) => c.notNull())
      .addPrimaryKeyConstraint('search_trigrams_pk', ['trigram', 'term'])
      .modifyEnd(keyed)
      .execute();
    if (engine === 'sqlite') {
      // The program makes the tokens; the ascii tokenizer only splits them at the spaces it wrote.
      await sql`create virtual table search_index using fts5 (tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`.execute(
        trx,
      );
    } else {
      await createPostgresSearch(trx);
    }
    await schema
      .createTable('stock')
      .addColumn('sku', 'text', (c) => c.notNull().references('skus.id').onDelete('cascade'))
      .addColumn('location_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull().check(sql`quantity >= 0`))
      .addPrimaryKeyConstraint('stock_pk', ['sku', 'location_id'])
      .modifyEnd(keyed)
      .execute();
  },
};

/**
 * By itself the planner treats @@ as cheap and reads all tokens for a word that it considers common. So each function is fixed to
 * one strategy: `search_hits` collects hits from the index and stops when it has enough, `search_sorted` collects all of them,
 * `search_walk` follows the order and checks each product. `search_find` selects the fastest: few hits are sorted, and of many
 * the first are found soon.
 */
async function createPostgresSearch(trx: Kysely<Tables>): Promise<void> {
  await sql`create table search_index (order_key bigint primary key, tokens tsvector not null)`.execute(trx);
  await sql`create index search_index_tokens on search_index using gin (tokens) with (fastupdate = off)`.execute(
    trx,
  );
  const byIndex = sql`language sql stable set enable_seqscan = off set enable_indexscan = off`;
  const inOrder = sql`language sql stable set enable_seqscan = off set enable_bitmapscan = off`;
  const parameters = sql`query tsquery, from_key bigint, below_key bigint, skip bigint, take bigint`;
  const hits = sql`select order_key from search_index where tokens @@ query and order_key >= from_key and order_key < below_key`;
  // The sums prevent an additional lookup of the range of keys, which is most of the table.
  const found = sql`select order_key from search_index where tokens @@ query and order_key + 0 >= from_key and order_key + 0 < below_key`;
  await sql`create function search_hits(${parameters}) returns setof bigint ${byIndex}
    as $$ with hits as materialized (${found}) select order_key from hits limit take offset skip $$`.execute(
    trx,
  );
  await sql`create function search_sorted(${parameters}) returns setof bigint ${byIndex}
    as $$ ${found} order by order_key limit take offset skip $$`.execute(trx);
  await sql`create function search_walk(${parameters}) returns setof bigint ${inOrder}
    as $$ ${hits} order by order_key limit take offset skip $$`.execute(trx);
  await sql`create function search_find(${parameters}) returns setof bigint language plpgsql stable
    as $$
      declare
        few constant bigint := 800;
        soon constant bigint := 240;
        found bigint[];
      begin
        found := array(select search_hits(query, from_key, below_key, 0, few + 1));
        if cardinality(found) <= few then
          return query select hit from unnest(found) as hit order by hit limit take offset skip;
        elsif skip <= soon then
          return query select search_walk(query, from_key, below_key, skip, take);
        else
          return query select search_sorted(query, from_key, below_key, skip, take);
        end if;
      end $$`.execute(trx);
  await sql`create function search_count(query tsquery) returns bigint ${byIndex}
    as $$ select count(*) from search_index where tokens @@ query $$`.execute(trx);
  await sql`create function search_keys(query tsquery) returns setof bigint ${byIndex} rows 10000
    as $$ select order_key from search_index where tokens @@ query $$`.execute(trx);
}
