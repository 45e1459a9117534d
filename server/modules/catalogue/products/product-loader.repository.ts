import { type Selectable, sql } from 'kysely';
import { limits, warehouse } from '#contract/limits.ts';
import type { LocalText } from '#contract/locales.ts';
import type { ProductDetails } from '#contract/schemas/product.ts';
import type { Reader } from '#db/database.ts';
import type { ProductsTable } from '#db/tables.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import { resolveGroups, type StoredGroup } from '../modifiers/modifier-groups.ts';
import { anyStore, type CatalogueProduct, type CatalogueSku } from './product.ts';

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

interface Parts {
  /** The modifier groups that products open; true unless it is said. */
  groups?: boolean;
}

const productRows = (db: Reader) => db.selectFrom('products').selectAll();

export async function loadProducts(
  db: Reader,
  nos: readonly number[],
  parts: Parts = {},
): Promise<StoredProduct[]> {
  return nos.length === 0 ? [] : loadParts(db, await productRows(db).where('no', 'in', nos).execute(), parts);
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

export async function loadDerivedParts(
  db: Reader,
  products: readonly ProductRow[],
): Promise<Map<number, DerivedParts>> {
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
    products.map(({ id, no }) => [
      no,
      { related: related.get(id) ?? [], cards: (cardsOf.get(no) ?? []).map((row) => row.card) },
    ]),
  );
}

async function loadParts(
  db: Reader,
  rows: ProductRow[],
  { groups: withGroups = true }: Parts = {},
): Promise<StoredProduct[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const nos = rows.map((row) => row.no);
  const [skus, levels, tags] = await Promise.all([skusOf(db, ids), levelsOf(db, ids), tagsOf(db, nos)]);
  const sold = await openStores(
    db,
    skus.filter((sku) => isEndless(sku)),
  );
  const parts = readableRows(
    'products',
    rows,
    ({ id }) => id,
    (row) => ({ row, fields: merchantFields(row) }),
  );
  const used = new Map(parts.map(({ fields }) => [fields.id, fields.modifierGroups]));
  const groups = withGroups ? await resolveGroups(db, used) : new Map<string, StoredGroup[]>();
  const skusByProduct = Map.groupBy(skus, (sku) => sku.product_id);
  const levelsBySku = Map.groupBy(levels, ({ sku }) => sku);
  const tagsByNo = Map.groupBy(tags, (tag) => tag.product_no);
  return parts.map(({ row, fields }) => {
    const own = (skusByProduct.get(row.id) ?? []).map((sku) => ({
      ...sku,
      levels: levelsBySku.get(sku.id) ?? [],
    }));
    return {
      row,
      facts: {
        no: row.no,
        ...fields,
        groups: groups.get(row.id) ?? [],
        tags: (tagsByNo.get(row.no) ?? []).map((tag) => tag.tag_id),
        soldOut: row.sold_out === 1,
        stores: storesWith(own, sold),
        skus: own.map((sku) => skuOf(sku, sold, row.in_store_only === 1)),
      },
    };
  });
}

const skusOf = (db: Reader, products: readonly string[]) =>
  db
    .selectFrom('skus')
    .select([
      'product_id',
      'id',
      'option_pairs',
      'price_cents',
      'compare_at_cents',
      'gtin',
      'single_servings',
    ])
    .select([
      'own_price_cents',
      'own_compare_at',
      'cost_cents',
      'weight_grams',
      'own_image',
      'counted',
      'oversell',
    ])
    .where('product_id', 'in', products)
    .orderBy('position')
    .orderBy('id')
    .execute();

/**
 * Apart from SKUs, which would be read again for each place. What is sold out today keeps its stock, for when it is back; it is there
 * twice where the SKU and its product are sold out.
 */
const levelsOf = (db: Reader, products: readonly string[]) =>
  db
    .selectFrom('skus')
    .innerJoin('stock', 'stock.sku', 'skus.id')
    .leftJoin('sold_out', (join) =>
      join
        .onRef('sold_out.store_id', '=', 'stock.location_id')
        .on('sold_out.item', 'in', [
          sql<string>`'sku:' || skus.id`,
          sql<string>`'product:' || skus.product_id`,
        ]),
    )
    .select(['stock.sku', 'stock.location_id', 'stock.quantity', 'sold_out.item as sold_out'])
    .where('skus.product_id', 'in', products)
    .execute();

const tagsOf = (db: Reader, nos: readonly number[]) =>
  db
    .selectFrom('product_tags')
    .select(['product_no', 'tag_id'])
    .where('product_no', 'in', nos)
    .orderBy('tag_id')
    .execute();

type LevelRow = Awaited<ReturnType<typeof levelsOf>>[number];
type SkuRow = Awaited<ReturnType<typeof skusOf>>[number] & { levels: readonly LevelRow[] };

const isEndless = ({ counted, oversell }: Pick<SkuRow, 'counted' | 'oversell'>) =>
  counted === 0 || oversell === 1;

/** Stores that have a SKU that does not run out, where some are sold out of it today; null: all stores. */
type OpenStores = ReadonlyMap<string, readonly string[] | null>;

async function openStores(
  db: Reader,
  skus: readonly { id: string; product_id: string }[],
): Promise<OpenStores> {
  if (skus.length === 0) return new Map();
  const items = new Map(skus.map(({ id, product_id }) => [id, [`sku:${id}`, `product:${product_id}`]]));
  const gone = await db
    .selectFrom('sold_out')
    .select(['store_id', 'item'])
    .where('item', 'in', [...new Set([...items.values()].flat())])
    .execute();
  const stores =
    gone.length > 0
      ? await db.selectFrom('stores').select('id').where('display', '=', 1).orderBy('id').execute()
      : [];
  const openFor = (names: readonly string[]) => {
    const closed = new Set(gone.filter(({ item }) => names.includes(item)).map(({ store_id }) => store_id));
    return closed.size === 0 ? null : stores.flatMap(({ id }) => (closed.has(id) ? [] : id));
  };
  return new Map([...items].map(([sku, names]) => [sku, openFor(names)]));
}

function skuOf({ levels, ...row }: SkuRow, open: OpenStores, inStoreOnly: boolean): CatalogueSku {
  const { id } = row;
  const units = levels.reduce(
    (sum, { quantity, sold_out }) => (sold_out === null ? sum + Math.max(0, quantity) : sum),
    0,
  );
  const isSold = open.has(id) && !(inStoreOnly && open.get(id)?.length === 0);
  return {
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
    units,
    quantity: isSold ? Math.max(limits.quantityMax, units) : units,
    stock: Object.fromEntries(levels.map(({ location_id, quantity }) => [location_id, quantity])),
  };
}

function storesWith(skus: readonly SkuRow[], open: OpenStores): string[] {
  if (skus.some(({ id }) => open.get(id) === null)) return [anyStore];
  const endless = skus.flatMap(({ id }) => open.get(id) ?? []);
  const stocked = skus.flatMap(({ levels }) =>
    levels.flatMap(({ location_id, quantity, sold_out }) =>
      quantity > 0 && sold_out === null ? location_id : [],
    ),
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
  return new Map(
    readableRows(
      'products',
      rows,
      ({ id }) => id,
      ({ id, details }) => [id, JSON.parse(details)] as const,
    ),
  );
}
