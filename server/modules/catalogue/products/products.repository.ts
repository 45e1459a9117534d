import { type Selectable, sql } from 'kysely';
import type { LocalText } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import type { StoredOptions } from '#contract/schemas/product.ts';
import { insertMany, type SqlValue, updateMany } from '#db/bulk-writes.ts';
import { advanceCounter } from '#db/counters.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Bit, StockTable } from '#db/tables.ts';
import { addFirstLevels, removeLevels, valueUnits } from '#server/modules/inventory/index.ts';
import type { Actor } from '#server/platform/actors.ts';
import { safeHtml } from '#server/platform/html.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import type { TaxonKind } from '../taxonomy/taxonomy.ts';
import { highestProductNo } from './listing.ts';
import { isPublished, optionIndex, type ProductInput, skuPrice, statusOf } from './product-input.ts';
import type { ProductRow } from './product-loader.repository.ts';

export async function productNosById(db: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('products').select(['id', 'no']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, no }) => [id, no]));
}

/** `published` is 1 or 0. */
export function publicationsOf(
  db: Reader,
  ids: readonly string[],
): Promise<{ no: number; published: number }[]> {
  return db.selectFrom('products').select(['no', 'published']).where('id', 'in', ids).execute();
}

export function placesOf(
  db: Reader,
  nos: readonly number[],
): Promise<{ no: number; id: string; category: string }[]> {
  if (nos.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('products')
    .select(['no', 'id', 'category_id as category'])
    .where('no', 'in', nos)
    .execute();
}

/** Related ones that are sold out come last; null if no such product is published. */
export async function relationsOf(db: Reader, id: string) {
  const product = await db
    .selectFrom('products')
    .select(['no', 'category_id'])
    .where('id', '=', id)
    .where('published', '=', 1)
    .executeTakeFirst();
  if (!product) return null;
  const related = await db
    .selectFrom('product_relations')
    .leftJoin('products', 'products.id', 'product_relations.related_id')
    .select(['products.no', 'products.published'])
    .where('product_relations.product_id', '=', id)
    .orderBy('products.sold_out')
    .orderBy('product_relations.position')
    .execute();
  return { no: product.no, category: product.category_id, related };
}

/** Of these SKUs and products, in the order of each product's SKUs. */
export async function namedSkus(
  db: Reader,
  { skus, products }: Record<'skus' | 'products', readonly string[]>,
) {
  const rows = await db
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .select([
      'skus.id as sku',
      'skus.product_id as productId',
      'skus.option_pairs as pairs',
      'products.name',
      'products.options',
    ])
    .where(({ or, eb }) =>
      or([eb('skus.id', 'in', [...skus, '']), eb('skus.product_id', 'in', [...products, ''])]),
    )
    .orderBy('skus.product_id')
    .orderBy('skus.position')
    .execute();
  return readableRows(
    'products',
    rows,
    ({ productId }) => productId,
    ({ name, options, ...row }) => ({
      ...row,
      name: JSON.parse(name) as LocalText,
      options: JSON.parse(options) as StoredOptions,
    }),
  );
}

export async function productNosOfSkus(db: Reader, skus: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .select('products.no')
    .distinct()
    .where('skus.id', 'in', skus)
    .orderBy('products.no')
    .execute();
  return rows.map(({ no }) => no);
}

/** Published products by their own ids and those of SKUs, without what only a page of them shows. `only`: of a product with one SKU. */
export async function itemsNamed(db: Reader, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const items = db
    .selectFrom('products')
    .innerJoin('skus', 'skus.product_id', 'products.id')
    .where('products.published', '=', 1)
    .select(['products.name', 'products.options']);
  const [bySku, byProduct] = await Promise.all([
    items.select(['skus.id', 'skus.id as only', 'skus.option_pairs']).where('skus.id', 'in', ids).execute(),
    items
      .select(({ fn, eb }) => [
        'products.id',
        eb.case().when(fn.countAll<number>(), '=', 1).then(fn.min('skus.id')).else(null).end().as('only'),
        sql<string>`''`.as('option_pairs'),
      ])
      .where('products.id', 'in', ids)
      .groupBy(['products.id', 'products.name', 'products.options'])
      .execute(),
  ]);
  // An id of both is a SKU first.
  return [...byProduct, ...bySku];
}

/** None for a modifier. */
export async function skusOfItem(db: Reader, item: string): Promise<string[]> {
  const [kind = '', name = ''] = item.split(/:(.*)/s);
  if (kind === 'modifier') return [];
  const column = kind === 'sku' ? 'id' : 'product_id';
  const rows = await db.selectFrom('skus').select('id').where(column, '=', name).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

export async function productNosOf(db: Reader, kind: TaxonKind, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows =
    kind === 'tag'
      ? await db
          .selectFrom('product_tags')
          .select('product_no as no')
          .distinct()
          .where('tag_id', 'in', ids)
          .execute()
      : await db.selectFrom('products').select('no').where(`${kind}_id`, 'in', ids).execute();
  return rows.map(({ no }) => no);
}

/** Never used before; returns the first. */
export async function takeProductNos(trx: Trx, count: number): Promise<number> {
  const value = await advanceCounter(trx, 'product', count);
  if (value > highestProductNo) throw new Error('The catalogue has used up its product numbers');
  return value - count + 1;
}

function productColumns(input: ProductInput, now: number) {
  return {
    published: isPublished(input, now) ? 1 : 0,
    status: statusOf(input),
    publish_at: input.publishAt ?? null,
    unpublish_at: input.unpublishAt ?? null,
    name: JSON.stringify(input.name),
    short_description: JSON.stringify(input.shortDescription),
    description: JSON.stringify(input.description),
    description_html: input.descriptionHtml
      ? JSON.stringify(mapTexts(input.descriptionHtml, safeHtml))
      : null,
    seo_title: input.seoTitle ? JSON.stringify(input.seoTitle) : null,
    seo_description: input.seoDescription ? JSON.stringify(input.seoDescription) : null,
    brand_id: input.brand,
    category_id: input.category,
    price_cents: input.priceCents,
    compare_at_cents: input.compareAtCents,
    clearance: input.clearance ? 1 : 0,
    new_arrival: input.newArrival ? 1 : 0,
    in_store_only: input.inStoreOnly ? 1 : 0,
    tax_class: input.taxClass,
    weight_grams: input.weightGrams,
    details: JSON.stringify(input.details),
    options: JSON.stringify(input.options),
    images: JSON.stringify(input.images),
    modifier_groups: JSON.stringify(input.modifierGroups ?? []),
    created_at: input.createdAt,
  } as const;
}

function mapTexts(texts: LocalText, map: (text: string) => string): LocalText {
  return Object.fromEntries(Object.entries(texts).map(([locale, text]) => [locale, map(text)]));
}

export async function insertProducts(
  db: Database,
  trx: Trx,
  products: readonly (readonly [no: number, input: ProductInput])[],
  now: number,
): Promise<void> {
  const [first] = products;
  if (!first) return;
  const columns = ['no', 'id', 'sold_out', 'updated_at', ...Object.keys(productColumns(first[1], now))];
  await insertMany(db, trx, {
    into: 'products',
    columns,
    rows: products.map(([no, input]) => [no, input.id, 0, now, ...Object.values(productColumns(input, now))]),
  });
}

/** `updated_at` becomes `now` (epoch ms) if the row differs from `before`. */
export async function updateProduct(
  trx: Trx,
  {
    no,
    input,
    before,
    now,
  }: { no: number; input: ProductInput; before: ProductRow | undefined; now: number },
): Promise<void> {
  const columns = productColumns(input, now);
  const same =
    before && Object.entries(columns).every(([name, value]) => before[name as keyof ProductRow] === value);
  await trx
    .updateTable('products')
    .set(same ? columns : { ...columns, updated_at: now })
    .where('no', '=', no)
    .execute();
}

/** SKUs that are no longer named are deleted, with their stock. Sets stock only if a SKU has none at a location yet. */
export async function putParts(
  db: Database,
  trx: Trx,
  products: readonly (readonly [no: number, input: ProductInput])[],
  { known, cause }: { known: ReadonlySet<string>; cause: { at: number; actor: Actor } },
): Promise<void> {
  const there = products.filter(([, input]) => known.has(input.id));
  if (there.length > 0) {
    const ids = there.map(([, input]) => input.id);
    const nos = there.map(([no]) => no);
    const kept = there.flatMap(([, input]) => input.skus.map(({ sku }) => sku));
    await trx.deleteFrom('product_tags').where('product_no', 'in', nos).execute();
    await trx.deleteFrom('product_relations').where('product_id', 'in', ids).execute();
    const dropped = await trx
      .selectFrom('skus')
      .select('id')
      .where('product_id', 'in', ids)
      .where('id', 'not in', kept)
      .execute();
    const gone = dropped.map((sku) => sku.id);
    await removeLevels(db, trx, { skus: gone }, cause);
    if (gone.length > 0) await trx.deleteFrom('skus').where('id', 'in', gone).execute();
    // Frees combinations that move from one SKU to another.
    await trx
      .updateTable('skus')
      .set((eb) => ({ option_pairs: eb.ref('id') }))
      .where('product_id', 'in', ids)
      .execute();
  }
  await insertMany(db, trx, {
    into: 'skus',
    columns: skuColumns,
    rows: products.flatMap(([, input]) => skuRows(input)),
    suffix: `on conflict (id) do update set product_id = excluded.product_id, option_pairs = excluded.option_pairs, price_cents = excluded.price_cents,
     compare_at_cents = excluded.compare_at_cents, image = excluded.image, position = excluded.position, gtin = excluded.gtin,
     single_servings = excluded.single_servings, own_price_cents = excluded.own_price_cents, own_compare_at = excluded.own_compare_at,
     cost_cents = excluded.cost_cents, weight_grams = excluded.weight_grams, own_image = excluded.own_image, counted = excluded.counted,
     oversell = excluded.oversell`,
  });
  const levels = products.flatMap(([, { skus }]) =>
    skus.flatMap(({ sku, stock }) =>
      Object.entries(stock).map(([location_id, quantity]) => ({ sku, location_id, quantity })),
    ),
  );
  await addFirstLevels(db, trx, levels, cause);
  const withCost = products.flatMap(([, { skus }]) =>
    skus.flatMap(({ sku, costCents }) => (costCents === undefined ? [] : sku)),
  );
  for (let start = 0; start < withCost.length; start += mostAsked)
    await valueUnits(db, trx, withCost.slice(start, start + mostAsked), cause);
  await insertMany(db, trx, {
    into: 'product_tags',
    columns: ['product_no', 'tag_id'],
    rows: products.flatMap(([no, { tags }]) => [...new Set(tags)].map((tag) => [no, tag])),
  });
  await insertMany(db, trx, {
    into: 'product_relations',
    columns: ['product_id', 'related_id', 'position'],
    rows: products.flatMap(([, { id, related }]) =>
      [...new Set(related)].map((other, position) => [id, other, position]),
    ),
  });
}

const skuColumns = [
  'id',
  'product_id',
  'option_pairs',
  'price_cents',
  'compare_at_cents',
  'image',
  'position',
  'gtin',
  'single_servings',
  'own_price_cents',
  'own_compare_at',
  'cost_cents',
  'weight_grams',
  'own_image',
  'counted',
  'oversell',
];

function skuRows(input: ProductInput): SqlValue[][] {
  const reduction = Math.max(0, (input.compareAtCents ?? 0) - input.priceCents);
  const index = optionIndex(input.options);
  return input.skus.map(({ sku, options, gtin = null, singleServings = 1, ...own }, position) => {
    const price = own.priceCents ?? skuPrice(input.priceCents, index, options);
    const before =
      own.compareAtCents === undefined ? (reduction > 0 ? price + reduction : null) : own.compareAtCents;
    const image =
      own.image ?? [...index].flatMap(([name, values]) => values.get(options[name] ?? '')?.image ?? [])[0];
    const pairs = formatOptionPairs(Object.entries(options));
    const facts = [
      own.priceCents ?? null,
      own.compareAtCents === undefined ? 0 : 1,
      own.costCents ?? null,
      own.weightGrams ?? null,
      own.image ?? null,
      own.counted === false ? 0 : 1,
      own.oversell ? 1 : 0,
    ];
    return [sku, input.id, pairs, price, before, image ?? null, position, gtin, singleServings, ...facts];
  });
}

const isDueShown = (now: number) =>
  sql<Bit>`case when status = 'active' and coalesce(publish_at, 0) <= ${now}
    and (unpublish_at is null or unpublish_at > ${now})
    and not exists (select 1 from skus where skus.product_id = products.id and skus.price_cents <= 0 and skus.own_price_cents is null)
    then 1 else 0 end`;

/** Products with times of which one has come since they were last shown or hidden. */
export async function nosWithDueTimes(db: Reader, now: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('products')
    .select('no')
    // As the partial index has it.
    .where(sql<boolean>`(publish_at is not null or unpublish_at is not null)`)
    .where('published', '!=', isDueShown(now))
    .orderBy('no')
    .limit(limit)
    .execute();
  return rows.map(({ no }) => no);
}

export async function showByTimes(trx: Trx, nos: readonly number[], now: number): Promise<void> {
  await trx
    .updateTable('products')
    .set({ published: isDueShown(now), updated_at: now })
    .where('no', 'in', nos)
    .execute();
}

export async function setSoldOut(
  db: Database,
  trx: Trx,
  products: readonly { no: number; soldOut: boolean }[],
): Promise<void> {
  const rows = products.map(({ no, soldOut }) => [no, soldOut ? 1 : 0] as const);
  await updateMany(db, trx, { table: 'products', key: 'no', column: 'sold_out', type: 'integer' }, rows);
}

export const ownersOf = (db: Reader, skus: readonly string[]) => skusBy(db, 'id', skus);

/** Of products that are there; in no order. */
export const skusOfProducts = (db: Reader, ids: readonly string[]) => skusBy(db, 'product_id', ids);

async function skusBy(
  db: Reader,
  column: 'id' | 'product_id',
  values: readonly string[],
): Promise<{ sku: string; product: string }[]> {
  const ask = (part: readonly string[]) =>
    db.selectFrom('skus').select(['id as sku', 'product_id as product']).where(column, 'in', part).execute();
  return inParts(values, ask);
}

export function stockRowsOf(db: Reader, skus: readonly string[]): Promise<Selectable<StockTable>[]> {
  return inParts(skus, (part) => db.selectFrom('stock').selectAll().where('sku', 'in', part).execute());
}

/** Epoch ms, by id; unknown ids are left out. */
export async function datesOf(db: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await inParts(ids, (part) =>
    db.selectFrom('products').select(['id', 'created_at']).where('id', 'in', part).execute(),
  );
  return new Map(rows.map(({ id, created_at }) => [id, created_at]));
}

/** Of those that are there, whether customers see them or not. */
export async function productNames(
  db: Reader,
  ids: readonly string[],
): Promise<{ id: string; name: LocalText }[]> {
  const rows = await inParts(ids, (part) =>
    db.selectFrom('products').select(['id', 'name']).where('id', 'in', part).execute(),
  );
  return rows.map(({ id, name }) => ({ id, name: JSON.parse(name) }));
}

/** Values per query; PostgreSQL accepts 65,535. */
const mostAsked = 500;

async function inParts<R>(
  values: readonly string[],
  ask: (part: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (let start = 0; start < values.length; start += mostAsked)
    rows.push(...(await ask(values.slice(start, start + mostAsked))));
  return rows;
}
