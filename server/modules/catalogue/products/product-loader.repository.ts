import { type Selectable, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { LocalText } from '#contract/locales.ts';
import type { Reader } from '#db/database.ts';
import type { ProductsTable } from '#db/tables.ts';
import { warehouse } from '#server/platform/locations.ts';
import { resolveGroups } from '../modifiers/modifier-groups.ts';
import { anyStore, type CatalogueProduct, type CatalogueSku } from './product.ts';
import type { ProductDetails } from './product-input.ts';

export type ProductRow = Selectable<ProductsTable>;

export interface DerivedParts {
  related: readonly string[];
  /** They show images as they were when they were written. */
  cards: readonly string[];
}

/** Loaded in no particular order. */
export interface StoredProduct {
  facts: CatalogueProduct;
  row: ProductRow;
}

const productRows = (db: Reader) => db.selectFrom('products').selectAll();

export async function loadProducts(db: Reader, nos: readonly number[]): Promise<StoredProduct[]> {
  return nos.length === 0 ? [] : loadParts(db, await productRows(db).where('no', 'in', nos).execute());
}

export async function loadProductsById(db: Reader, ids: readonly string[]): Promise<StoredProduct[]> {
  return loadParts(db, await productRows(db).where('id', 'in', ids).execute());
}

export async function loadProductById(db: Reader, id: string): Promise<StoredProduct | undefined> {
  return (await loadProductsById(db, [id]))[0];
}

/** In the order in which they were created; unpublished ones only on demand. */
export async function loadAfter(
  db: Reader,
  after: number,
  { limit, unpublished = false }: { limit: number; unpublished?: boolean },
): Promise<StoredProduct[]> {
  const rows = productRows(db).where('no', '>', after).orderBy('no').limit(limit);
  return loadParts(db, await (unpublished ? rows : rows.where('published', '=', 1)).execute());
}

/** In the merchant's order. */
export async function relatedIds(db: Reader, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('product_relations')
    .select(['product_id', 'related_id'])
    .where('product_id', 'in', ids)
    .orderBy('position')
    .orderBy('related_id')
    .execute();
  const byProduct = Map.groupBy(rows, (row) => row.product_id);
  return new Map([...byProduct].map(([id, related]) => [id, related.map((row) => row.related_id)]));
}

export async function loadDerivedParts(db: Reader, products: readonly ProductRow[]): Promise<Map<number, DerivedParts>> {
  if (products.length === 0) return new Map();
  const related = await relatedIds(
    db,
    products.map(({ id }) => id),
  );
  const nos = products.map(({ no }) => no);
  const cards = await db
    .selectFrom('product_cards')
    .select(['product_no', 'card'])
    .where('product_no', 'in', nos)
    .orderBy('language')
    .execute();
  const cardsOf = Map.groupBy(cards, (row) => row.product_no);
  return new Map(
    products.map(({ id, no }) => [no, { related: related.get(id) ?? [], cards: (cardsOf.get(no) ?? []).map((row) => row.card) }]),
  );
}

/** Its stock stays, for when it is back. */
const isSoldOut = sql<number>`case when exists (select 1 from sold_out where store_id = stock.location_id
  and item in ('sku:' || skus.id, 'product:' || skus.product_id)) then 1 else 0 end`;

async function loadParts(db: Reader, rows: ProductRow[]): Promise<StoredProduct[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const skus = await db
    .selectFrom('skus')
    .leftJoin('stock', 'stock.sku', 'skus.id')
    .select(['skus.product_id', 'skus.id', 'skus.option_pairs', 'skus.price_cents', 'skus.compare_at_cents', 'skus.gtin'])
    .select(['skus.own_price_cents', 'skus.own_compare_at', 'skus.cost_cents', 'skus.weight_grams'])
    .select(['skus.own_image', 'skus.counted', 'skus.oversell'])
    .select(['skus.single_servings', 'stock.location_id', 'stock.quantity', isSoldOut.as('is_sold_out')])
    .where('skus.product_id', 'in', ids)
    .orderBy('skus.position')
    .orderBy('skus.id')
    .execute();
  const tags = await db
    .selectFrom('product_tags')
    .select(['product_no', 'tag_id'])
    .where(
      'product_no',
      'in',
      rows.map((row) => row.no),
    )
    .orderBy('tag_id')
    .execute();
  const sold = await openStores(
    db,
    skus.filter((sku) => isEndless(sku)),
  );
  const parts = rows.map((row) => ({ row, fields: merchantFields(row) }));
  const groups = await resolveGroups(db, new Map(parts.map(({ fields }) => [fields.id, fields.modifierGroups])));
  const skusOf = Map.groupBy(skus, (sku) => sku.product_id);
  const tagsOf = Map.groupBy(tags, (tag) => tag.product_no);
  return parts.map(({ row, fields }) => ({
    row,
    facts: {
      no: row.no,
      ...fields,
      groups: groups.get(row.id) ?? [],
      tags: (tagsOf.get(row.no) ?? []).map((tag) => tag.tag_id),
      soldOut: row.sold_out === 1,
      stores: storesWith(skusOf.get(row.id) ?? [], sold),
      skus: skusIn(skusOf.get(row.id) ?? [], sold, row.in_store_only === 1),
    },
  }));
}

interface SkuStockRow {
  id: string;
  option_pairs: string;
  price_cents: number;
  compare_at_cents: number | null;
  gtin: string | null;
  single_servings: number;
  own_price_cents: number | null;
  own_compare_at: number;
  cost_cents: number | null;
  weight_grams: number | null;
  own_image: string | null;
  counted: number;
  oversell: number;
  location_id: string | null;
  quantity: number | null;
  is_sold_out: number;
}

const isEndless = ({ counted, oversell }: Pick<SkuStockRow, 'counted' | 'oversell'>) => counted === 0 || oversell === 1;

/** Stores that have a SKU that does not run out, where some are sold out of it today; null: all stores. */
type OpenStores = ReadonlyMap<string, readonly string[] | null>;

async function openStores(db: Reader, skus: readonly { id: string; product_id: string }[]): Promise<OpenStores> {
  if (skus.length === 0) return new Map();
  const items = new Map(skus.map(({ id, product_id }) => [id, [`sku:${id}`, `product:${product_id}`]]));
  const gone = await db
    .selectFrom('sold_out')
    .select(['store_id', 'item'])
    .where('item', 'in', [...new Set([...items.values()].flat())])
    .execute();
  const stores =
    gone.length > 0 ? await db.selectFrom('stores').select('id').where('display', '=', 1).orderBy('id').execute() : [];
  const openFor = (names: readonly string[]) => {
    const closed = new Set(gone.filter(({ item }) => names.includes(item)).map(({ store_id }) => store_id));
    return closed.size === 0 ? null : stores.flatMap(({ id }) => (closed.has(id) ? [] : id));
  };
  return new Map([...items].map(([sku, names]) => [sku, openFor(names)]));
}

function skusIn(rows: readonly SkuStockRow[], open: OpenStores, inStoreOnly: boolean): CatalogueSku[] {
  const skus = new Map<string, CatalogueSku>();
  for (const row of rows) {
    const { id, quantity } = row;
    const sku = skus.get(id) ?? {
      sku: id,
      optionPairs: row.option_pairs,
      priceCents: row.price_cents,
      compareAtCents: row.compare_at_cents,
      image: row.own_image,
      counted: row.counted === 1,
      oversell: row.oversell === 1,
      gtin: row.gtin,
      singleServings: row.single_servings,
      hasOwnPrice: row.own_price_cents !== null,
      hasOwnCompareAt: row.own_compare_at === 1,
      costCents: row.cost_cents,
      weightGrams: row.weight_grams,
      units: 0,
      quantity: 0,
      stock: {},
    };
    if (row.location_id !== null) sku.stock[row.location_id] = quantity ?? 0;
    if (row.is_sold_out === 0) sku.units += Math.max(0, quantity ?? 0);
    const isSold = open.has(id) && !(inStoreOnly && open.get(id)?.length === 0);
    sku.quantity = isSold ? Math.max(limits.quantityMax, sku.units) : sku.units;
    skus.set(id, sku);
  }
  return [...skus.values()];
}

function storesWith(rows: readonly SkuStockRow[], open: OpenStores): string[] {
  if ([...new Set(rows.map(({ id }) => id))].some((id) => open.get(id) === null)) return [anyStore];
  const endless = rows.flatMap(({ id }) => open.get(id) ?? []);
  const stocked = rows.flatMap(({ location_id, quantity, is_sold_out }) =>
    location_id !== null && (quantity ?? 0) > 0 && is_sold_out === 0 ? location_id : [],
  );
  return [...new Set([...stocked, ...endless])].filter((location) => location !== warehouse).sort();
}

const parsed = (text: string | null): LocalText | null => text && JSON.parse(text);

function merchantFields(row: ProductRow) {
  return {
    id: row.id,
    published: row.published === 1,
    status: row.status as CatalogueProduct['status'],
    publishAt: row.publish_at,
    unpublishAt: row.unpublish_at,
    name: JSON.parse(row.name) as CatalogueProduct['name'],
    shortDescription: JSON.parse(row.short_description) as CatalogueProduct['shortDescription'],
    description: JSON.parse(row.description) as CatalogueProduct['description'],
    descriptionHtml: parsed(row.description_html),
    seoTitle: parsed(row.seo_title),
    seoDescription: parsed(row.seo_description),
    brand: row.brand_id,
    category: row.category_id,
    priceCents: row.price_cents,
    compareAtCents: row.compare_at_cents,
    clearance: row.clearance === 1,
    newArrival: row.new_arrival === 1,
    inStoreOnly: row.in_store_only === 1,
    details: JSON.parse(row.details) as CatalogueProduct['details'],
    options: JSON.parse(row.options) as CatalogueProduct['options'],
    images: JSON.parse(row.images) as CatalogueProduct['images'],
    modifierGroups: JSON.parse(row.modifier_groups) as CatalogueProduct['modifierGroups'],
    createdAt: row.created_at,
  };
}

export async function detailsOf(db: Reader, ids: readonly string[]): Promise<Map<string, ProductDetails>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('products').select(['id', 'details']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, details }) => [id, JSON.parse(details)]));
}
