import type { Reader, Trx } from '#db/database.ts';
import { type TaxonKind, taxonTables } from '../taxonomy/taxonomy.ts';

export async function skusOf(db: Reader, productId: string): Promise<string[]> {
  const rows = await db.selectFrom('skus').select('id').where('product_id', '=', productId).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

export async function productsRelatedTo(db: Reader, productId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('product_relations')
    .select('product_id')
    .where('related_id', '=', productId)
    .orderBy('product_id')
    .execute();
  return rows.map(({ product_id }) => product_id);
}

export async function moveRelations(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('product_relations').set({ related_id: to }).where('related_id', '=', from).execute();
}

/** It must not be listed any more. */
export async function deleteProduct(trx: Trx, { no, id }: { no: number; id: string }): Promise<void> {
  await trx.deleteFrom('product_relations').where('related_id', '=', id).execute();
  await trx.deleteFrom('products').where('no', '=', no).execute();
}

/** `at`: epoch ms. */
export async function moveProducts(
  trx: Trx,
  kind: 'brand' | 'category',
  { from, to, at }: { from: string; to: string; at: number },
): Promise<void> {
  const change = kind === 'brand' ? { brand_id: to } : { category_id: to };
  await trx
    .updateTable('products')
    .set({ ...change, updated_at: at })
    .where(`${kind}_id`, '=', from)
    .execute();
}

/** Null: the top level. */
export async function moveChildren(trx: Trx, from: string, to: string | null): Promise<void> {
  await trx.updateTable('categories').set({ parent_id: to }).where('parent_id', '=', from).execute();
}

export async function deleteTaxon(trx: Trx, kind: TaxonKind, id: string): Promise<void> {
  if (kind === 'tag') await trx.deleteFrom('product_tags').where('tag_id', '=', id).execute();
  await trx.deleteFrom(taxonTables[kind]).where('id', '=', id).execute();
}

export async function unitsAt(db: Reader, location: string): Promise<number> {
  const row = await db
    .selectFrom('stock')
    .select((eb) => eb.fn.sum<number>('quantity').as('units'))
    .where('location_id', '=', location)
    .executeTakeFirst();
  return Number(row?.units ?? 0);
}
