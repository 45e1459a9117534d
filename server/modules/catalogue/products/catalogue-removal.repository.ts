import type { Reader, Trx } from '#db/database.ts';
import { type TaxonKind, taxonTables } from '../taxonomy/taxonomy.ts';

export async function skusOf(db: Reader, productId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('skus')
    .select('id')
    .where('product_id', '=', productId)
    .orderBy('id')
    .execute();
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

/** All of them, or those of `nos`, `at` epoch ms. A tag without `to` is taken off. */
export async function moveProducts(
  trx: Trx,
  kind: TaxonKind,
  { from, to, at, nos }: { from: string; to: string | null; at: number; nos?: readonly number[] },
): Promise<void> {
  if (kind === 'tag') return moveTag(trx, { from, to, nos });
  let query = trx
    .updateTable('products')
    .set(
      kind === 'brand'
        ? { brand_id: to ?? from, updated_at: at }
        : { category_id: to ?? from, updated_at: at },
    )
    .where(`${kind}_id`, '=', from);
  if (nos) query = query.where('no', 'in', nos);
  await query.execute();
}

async function moveTag(
  trx: Trx,
  { from, to, nos = [] }: { from: string; to: string | null; nos?: readonly number[] | undefined },
) {
  const having = trx
    .selectFrom('product_tags')
    .select('product_no')
    .where('tag_id', '=', to ?? '');
  if (to !== null)
    await trx
      .updateTable('product_tags')
      .set({ tag_id: to })
      .where('tag_id', '=', from)
      .where('product_no', 'in', nos)
      .where('product_no', 'not in', having)
      .execute();
  await trx.deleteFrom('product_tags').where('tag_id', '=', from).where('product_no', 'in', nos).execute();
}

/** Of products with this brand, category or tag. */
export async function productsOf(
  db: Reader,
  kind: TaxonKind,
  { id, most }: { id: string; most: number },
): Promise<{ no: number; id: string }[]> {
  const query = db
    .selectFrom('products')
    .select(['products.no', 'products.id'])
    .orderBy('products.no')
    .limit(most);
  if (kind !== 'tag') return query.where(`products.${kind}_id`, '=', id).execute();
  return query
    .innerJoin('product_tags', 'product_tags.product_no', 'products.no')
    .where('tag_id', '=', id)
    .execute();
}

/** Those that customers do not see too, by the id of their brand, category or tag. */
export async function productCounts(db: Reader, kind: TaxonKind): Promise<Map<string, number>> {
  const rows =
    kind === 'tag'
      ? await db
          .selectFrom('product_tags')
          .select((eb) => ['tag_id as id', eb.fn.countAll<number>().as('count')])
          .groupBy('tag_id')
          .execute()
      : await db
          .selectFrom('products')
          .select((eb) => [`${kind}_id as id` as const, eb.fn.countAll<number>().as('count')])
          .groupBy(`${kind}_id`)
          .execute();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

export async function placeTaxon(trx: Trx, kind: TaxonKind, id: string, position: number): Promise<void> {
  await trx.updateTable(taxonTables[kind]).set({ position }).where('id', '=', id).execute();
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
