import { sql } from 'kysely';
import type { Reader } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import type { UnreadableRow } from '#server/platform/unreadable-rows.ts';

export interface Written {
  kind: string;
  /** '' if there is only one record of its kind. */
  id: string;
  /** By column; JSON stays text. */
  values: Record<string, unknown>;
  skus?: readonly { sku: string; optionPairs: string }[];
}

/** Of a published product; money in cents. */
export interface PublishedSku {
  sku: string;
  product: string;
  priceCents: number;
  compareAtCents: number | null;
  taxClass: string;
  /** At any location, even if it is 0. */
  stocked: boolean;
}

const batch = 500;

/** The texts of the shop that are JSON, by table; the first column is the row's key, the second what people call it by. */
const jsonColumns: readonly [table: keyof Tables, key: string, name: string, ...columns: string[]][] = [
  ['settings', 'key', 'key', 'value'],
  [
    'stores',
    'id',
    'id',
    'name',
    'description',
    'address',
    'opening_hours',
    'special_hours',
    'delivery_zones',
  ],
  ['brands', 'id', 'id', 'name', 'story'],
  ['categories', 'id', 'id', 'name', 'description'],
  ['tags', 'id', 'id', 'name', 'description'],
  ['modifier_groups', 'id', 'id', 'name', 'text', 'modifiers'],
  [
    ...(['products', 'id', 'id', 'name', 'short_description', 'description', 'description_html'] as const),
    'seo_title',
    'seo_description',
    'details',
    'options',
    'images',
    'modifier_groups',
  ],
  ['listings', 'product_no', 'product_no', 'listing'],
  ['coupons', 'code', 'code', 'name', 'countries'],
  ['pages', 'name', 'name', 'title', 'meta_description', 'blocks'],
  ['drafts', 'id', 'id', 'content', 'scheduled'],
  ['blog_posts', 'link', 'link', 'title', 'excerpt', 'author', 'parts'],
  ['customers', 'id', 'id', 'shipping_addresses', 'billing_addresses'],
  [
    'orders',
    'id',
    'order_number',
    'contact',
    'shipping_contact',
    'shipping_address',
    'billing_address',
    'bill',
  ],
  ['order_lines', 'id', 'order_id', 'name', 'brand', 'option_text', 'modifiers'],
  ['handed_journals', 'no', 'no', 'lines'],
];

/** The rows with a text that cannot be parsed, by the name that people know them by. */
export async function* unreadableRows(db: Reader): AsyncGenerator<UnreadableRow> {
  for (const [table, key, name, ...columns] of jsonColumns) {
    const next = async (after: unknown) => {
      const fields = sql.join([key, name, ...columns].map((column) => sql.ref(column)));
      const behind = after === undefined ? sql`1 = 1` : sql`${sql.ref(key)} > ${after}`;
      const from = sql`from ${sql.table(table)} where ${behind} order by ${sql.ref(key)} limit ${batch}`;
      return (await sql<Record<string, unknown>>`select ${fields} ${from}`.execute(db)).rows;
    };
    for await (const row of inBatches(next, (each) => each[key]))
      if (columns.some((column) => !isJson(row[column]))) yield { table, id: String(row[name] ?? row[key]) };
  }
}

function isJson(text: unknown): boolean {
  if (text === null) return true;
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

export async function* writtenThings(db: Reader): AsyncGenerator<Written> {
  yield* products(db);
  yield* skus(db);
  for (const { id, ...values } of await db
    .selectFrom('categories')
    .select(['id', 'name', 'description', 'image'])
    .execute()) {
    yield { kind: 'category', id, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('brands')
    .select(['id', 'name', 'story', 'image'])
    .execute()) {
    yield { kind: 'brand', id, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('tags')
    .select(['id', 'name', 'description'])
    .execute()) {
    yield { kind: 'tag', id, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('modifier_groups')
    .select(['id', 'name', 'text', 'modifiers'])
    .execute()) {
    yield { kind: 'modifier group', id, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('stores')
    .select(['id', 'name', 'description', 'image'])
    .where('removed_at', 'is', null)
    .execute()) {
    yield { kind: 'store', id, values };
  }
  for (const { name, ...values } of await db
    .selectFrom('pages')
    .select(['name', 'title', 'meta_description', 'blocks'])
    .execute()) {
    yield { kind: 'page', id: name, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('blogs')
    .select(['id', 'name', 'description'])
    .execute()) {
    yield { kind: 'blog', id, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('blog_categories')
    .select(['id', 'name', 'description'])
    .execute()) {
    yield { kind: 'blog category', id, values };
  }
  for (const { id, ...values } of await db.selectFrom('blog_tags').select(['id', 'name']).execute()) {
    yield { kind: 'blog tag', id, values };
  }
  for (const { link, ...values } of await db
    .selectFrom('blog_posts')
    .select(['link', 'title', 'excerpt', 'author', 'image', 'parts'])
    .execute()) {
    yield { kind: 'post', id: link, values };
  }
  for (const { id, ...values } of await db
    .selectFrom('gallery_photos')
    .select(['id', 'caption', 'image', 'link'])
    .execute()) {
    yield { kind: 'gallery photo', id, values };
  }
  for (const { code, ...values } of await db.selectFrom('coupons').select(['code', 'name']).execute()) {
    yield { kind: 'coupon', id: code, values };
  }
  const settings = await db.selectFrom('settings').select(['key', 'value']).orderBy('key').execute();
  yield {
    kind: 'settings',
    id: '',
    values: Object.fromEntries(settings.map(({ key, value }) => [key, value])),
  };
}

/** For tables that may be large. `after` is the key of the last row. */
async function* inBatches<R, K>(
  next: (after: K | undefined) => Promise<R[]>,
  keyOf: (row: R) => K,
): AsyncGenerator<R> {
  let rows = await next(undefined);
  for (;;) {
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    rows = await next(keyOf(last));
  }
}

async function* products(db: Reader): AsyncGenerator<Written> {
  const next = async (after = 0) => {
    const rows = await db
      .selectFrom('products')
      .select([
        'no',
        'id',
        'published',
        'name',
        'short_description',
        'description',
        'details',
        'options',
        'images',
      ])
      .select(['description_html', 'seo_title', 'seo_description'])
      .where('no', '>', after)
      .orderBy('no')
      .limit(batch)
      .execute();
    const ids = rows.map(({ id }) => id);
    const skus = ids.length === 0 ? [] : await skusOf(db, ids);
    const byProduct = Map.groupBy(skus, ({ product }) => product);
    return rows.map((row) => ({ ...row, skus: byProduct.get(row.id) ?? [] }));
  };
  for await (const { no: _, id, skus, ...values } of inBatches(next, ({ no }) => no))
    yield { kind: 'product', id, values, skus };
}

function skusOf(db: Reader, products: readonly string[]) {
  return db
    .selectFrom('skus')
    .select(['id as sku', 'product_id as product', 'option_pairs as optionPairs'])
    .where('product_id', 'in', products)
    .orderBy('position')
    .execute();
}

export async function publishedSkus(db: Reader): Promise<PublishedSku[]> {
  const rows = await db
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .select(['skus.id', 'skus.product_id', 'skus.price_cents', 'skus.compare_at_cents', 'products.tax_class'])
    .select(['skus.counted', 'skus.oversell'])
    .where('products.published', '=', 1)
    .orderBy('skus.id')
    .execute();
  const stocked = new Set(
    (await db.selectFrom('stock').select('sku').distinct().execute()).map(({ sku }) => sku),
  );
  return rows.map((row) => ({
    sku: row.id,
    product: row.product_id,
    priceCents: row.price_cents,
    compareAtCents: row.compare_at_cents,
    taxClass: row.tax_class,
    stocked: stocked.has(row.id) || row.counted === 0 || row.oversell === 1,
  }));
}

/** Product options may have images of their own. */
async function* skus(db: Reader): AsyncGenerator<Written> {
  const next = (after = '') =>
    db
      .selectFrom('skus')
      .select(['id', 'image'])
      .where('image', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute();
  for await (const { id, ...values } of inBatches(next, (row) => row.id)) yield { kind: 'SKU', id, values };
}

/** Pages may show them. */
export function importedPictures(db: Reader) {
  return db.selectFrom('media').select(['file', 'folder']).execute();
}

const isThere = (row: object | undefined) => row !== undefined;

/** One that customers see. */
export const hasPicturedProduct = async (db: Reader): Promise<boolean> =>
  isThere(
    await db
      .selectFrom('products')
      .select('no')
      .where('published', '=', 1)
      .where('images', '<>', '[]')
      .limit(1)
      .executeTakeFirst(),
  );

/** Of anything, anywhere. */
export const hasStock = async (db: Reader): Promise<boolean> =>
  isThere(await db.selectFrom('stock').select('sku').where('quantity', '>', 0).limit(1).executeTakeFirst());

/** Orders that were placed while amounts were hundredths of any currency, by currency, and when that ended; epoch ms. */
export async function ordersInHundredths(
  db: Reader,
): Promise<{ currency: string; count: number; until: number }[]> {
  const until = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'hundredths until')
    .executeTakeFirst();
  if (!until) return [];
  const rows = await db
    .selectFrom('orders')
    .select(({ fn }) => ['currency', fn.countAll<number>().as('count')])
    .where('placed_at', '<', Number(until.value))
    .groupBy('currency')
    .orderBy('currency')
    .execute();
  return rows.map(({ currency, count }) => ({
    currency: currency ?? '',
    count: Number(count),
    until: Number(until.value),
  }));
}

/** Placed, at any time. */
export const hasOrders = async (db: Reader): Promise<boolean> =>
  isThere(
    await db
      .selectFrom('orders')
      .select('id')
      .where('order_number', 'is not', null)
      .limit(1)
      .executeTakeFirst(),
  );

/** A brand and a category, which each product needs. */
export async function hasTaxonomy(db: Reader): Promise<boolean> {
  const brand = await db.selectFrom('brands').select('id').limit(1).executeTakeFirst();
  const category = await db.selectFrom('categories').select('id').limit(1).executeTakeFirst();
  return isThere(brand) && isThere(category);
}
