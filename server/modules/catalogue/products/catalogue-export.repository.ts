/** Reads products with everything that an import writes, for exporting the catalogue. */
import type { Selectable } from 'kysely';
import type { Reader } from '#db/database.ts';
import type { ProductRelationsTable, ProductTagsTable, SkusTable, StockTable } from '#db/tables.ts';
import type { ProductRow } from './product-loader.repository.ts';

export interface ProductParts {
  /** By product id, in the merchant's order. */
  skus: ReadonlyMap<string, Selectable<SkusTable>[]>;
  /** By SKU, sorted by location. */
  stock: ReadonlyMap<string, Selectable<StockTable>[]>;
  /** By product number, sorted by id: a product's tags have no order of their own. */
  tags: ReadonlyMap<number, Selectable<ProductTagsTable>[]>;
  /** By product id, in the merchant's order. */
  related: ReadonlyMap<string, Selectable<ProductRelationsTable>[]>;
}

/** Products with numbers above `after`, at most `limit`, in the order in which they were created. */
export function productRowsAfter(db: Reader, after: number, limit: number): Promise<ProductRow[]> {
  return db.selectFrom('products').selectAll().where('no', '>', after).orderBy('no').limit(limit).execute();
}

/** The products with these ids. */
export function productRowsOf(db: Reader, ids: readonly string[]): Promise<ProductRow[]> {
  return db.selectFrom('products').selectAll().where('id', 'in', ids).execute();
}

/** The stock levels of SKUs. */
export function stockRowsOf(db: Reader, skus: readonly string[]): Promise<Selectable<StockTable>[]> {
  return db.selectFrom('stock').selectAll().where('sku', 'in', skus).execute();
}

/** The SKUs, stock, tags and relations of products. */
export async function partsOf(db: Reader, products: readonly ProductRow[]): Promise<ProductParts> {
  const ids = products.map(({ id }) => id);
  const nos = products.map(({ no }) => no);
  const skus = await db.selectFrom('skus').selectAll().where('product_id', 'in', ids).orderBy('position').orderBy('id').execute();
  const stock = await db
    .selectFrom('stock')
    .innerJoin('skus', 'skus.id', 'stock.sku')
    .selectAll('stock')
    .where('skus.product_id', 'in', ids)
    .orderBy('stock.location_id')
    .execute();
  const tags = await db.selectFrom('product_tags').selectAll().where('product_no', 'in', nos).orderBy('tag_id').execute();
  const related = await db
    .selectFrom('product_relations')
    .selectAll()
    .where('product_id', 'in', ids)
    .orderBy('position')
    .orderBy('related_id')
    .execute();
  return {
    skus: Map.groupBy(skus, ({ product_id }) => product_id),
    stock: Map.groupBy(stock, ({ sku }) => sku),
    tags: Map.groupBy(tags, ({ product_no }) => product_no),
    related: Map.groupBy(related, ({ product_id }) => product_id),
  };
}
