import type { Reader } from '#db/database.ts';

export interface InventoryProduct {
  id: string;
  in_store_only: number;
}

export function publishedProduct(db: Reader, id: string): Promise<InventoryProduct | undefined> {
  return db
    .selectFrom('products')
    .select(['id', 'in_store_only'])
    .where('id', '=', id)
    .where('published', '=', 1)
    .executeTakeFirst();
}

export interface SkuPriceRow {
  id: string;
  price_cents: number;
  compare_at_cents: number | null;
  counted: number;
  oversell: number;
}

/** `optionPairs` must be in canonical form. */
export function skuOfOptions(db: Reader, productId: string, optionPairs: string): Promise<SkuPriceRow | undefined> {
  return db
    .selectFrom('skus')
    .select(['id', 'price_cents', 'compare_at_cents', 'counted', 'oversell'])
    .where('product_id', '=', productId)
    .where('option_pairs', '=', optionPairs)
    .executeTakeFirst();
}

export async function unitsByPlace(db: Reader, sku: string): Promise<Map<string, number>> {
  const rows = await db.selectFrom('stock').select(['location_id', 'quantity']).where('sku', '=', sku).execute();
  return new Map(rows.map((row) => [row.location_id, row.quantity]));
}
