/** Finds related products. */
import type { Database } from '#db/database.ts';
import { sortColumns } from './listing-record.ts';
import { scopeNames, type Taxonomy } from './taxonomy.ts';

/** Product numbers, sold-out ones last among those the product names itself; null if the product is unknown or unpublished. */
export async function relatedNos(db: Database, id: string, taxonomy: Taxonomy, count: number): Promise<number[] | null> {
  const product = await db.catalogue
    .selectFrom('products')
    .select(['no', 'category_id'])
    .where('id', '=', id)
    .where('published', '=', 1)
    .executeTakeFirst();
  if (!product) return null;
  const named = await db.catalogue
    .selectFrom('product_relations')
    .innerJoin('products', 'products.id', 'product_relations.related_id')
    .select('products.no')
    .where('product_relations.product_id', '=', id)
    .where('products.published', '=', 1)
    .where('products.no', '<>', product.no)
    .orderBy('products.sold_out')
    .orderBy('product_relations.position')
    .limit(count)
    .execute();
  const scope = taxonomy.scopes.get(scopeNames.category(product.category_id));
  const others = await db.catalogue
    .selectFrom('listings')
    .select('product_no')
    .where('scope_id', '=', scope?.id ?? 0)
    .where('sort', '=', sortColumns.default)
    .orderBy('key')
    .limit(count + named.length + 1)
    .execute();
  const nos = new Set([...named.map(({ no }) => no), ...others.map((row) => row.product_no)]);
  nos.delete(product.no);
  return [...nos].slice(0, count);
}
