/** Finds related products. */
import type { Database } from '#db/database.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';

import { sortColumns } from './listing-record.ts';
import { scopeNames, type Taxonomy } from './taxonomy.ts';

/** How many related products a product has at most. */
export const relatedCount = 8;

/** Product numbers, sold-out ones last among those the product names itself; null if the product is unknown or unpublished. */
export async function relatedNos(db: Database, id: string, taxonomy: Taxonomy, count: number): Promise<number[] | null> {
  const product = await db.catalogue
    .selectFrom('products')
    .select(['no', 'category_id'])
    .where('id', '=', id)
    .where('published', '=', 1)
    .executeTakeFirst();
  if (!product) return null;
  const related = await db.catalogue
    .selectFrom('product_relations')
    .leftJoin('products', 'products.id', 'product_relations.related_id')
    .select(['products.no', 'products.published'])
    .where('product_relations.product_id', '=', id)
    .orderBy('products.sold_out')
    .orderBy('product_relations.position')
    .execute();
  const named = related.flatMap(({ no, published }) => (no !== null && published === 1 && no !== product.no ? [no] : []));
  const scope = taxonomy.scopes.get(scopeNames.category(product.category_id));
  const others = await db.catalogue
    .selectFrom('listings')
    .select('product_no')
    .where('scope_id', '=', scope?.id ?? 0)
    .where('sort', '=', sortColumns.default)
    .orderBy('key')
    .limit(count + named.length + 1)
    .execute();
  recordReads(topics.product(product.no), topics.list(scope?.id ?? 0, sortColumns.default));
  recordReads(...related.map(({ no }) => (no === null ? topics.counts : topics.product(no))));
  const nos = new Set([...named, ...others.map((row) => row.product_no)]);
  nos.delete(product.no);
  return [...nos].slice(0, count);
}
