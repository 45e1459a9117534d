/** Reads and writes brands, categories, tags and the scopes of lists: few rows, read completely. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { BrandsTable, CategoriesTable, ListingScopesTable, TagsTable } from '#db/tables.ts';

export type BrandRow = Selectable<BrandsTable>;
export type CategoryRow = Selectable<CategoriesTable>;
export type TagRow = Selectable<TagsTable>;
export type ScopeRow = Selectable<ListingScopesTable>;

export const allBrands = (db: Reader): Promise<BrandRow[]> =>
  db.selectFrom('brands').selectAll().orderBy('position').orderBy('id').execute();
export const allCategories = (db: Reader): Promise<CategoryRow[]> =>
  db.selectFrom('categories').selectAll().orderBy('position').orderBy('id').execute();
export const allTags = (db: Reader): Promise<TagRow[]> =>
  db.selectFrom('tags').selectAll().orderBy('position').orderBy('id').execute();
export const allScopes = (db: Reader): Promise<ScopeRow[]> => db.selectFrom('listing_scopes').selectAll().execute();

export async function putBrand(trx: Trx, { id, ...rest }: BrandRow): Promise<void> {
  await trx
    .insertInto('brands')
    .values({ id, ...rest })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

export async function putCategory(trx: Trx, { id, ...rest }: CategoryRow): Promise<void> {
  await trx
    .insertInto('categories')
    .values({ id, ...rest })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

export async function putTag(trx: Trx, { id, ...rest }: TagRow): Promise<void> {
  await trx
    .insertInto('tags')
    .values({ id, ...rest })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

export async function insertScope(trx: Trx, name: string): Promise<ScopeRow> {
  const { highest } = await trx
    .selectFrom('listing_scopes')
    .select((eb) => eb.fn.max('id').as('highest'))
    .executeTakeFirstOrThrow();
  const row = { id: Number(highest ?? 0) + 1, name, count: 0 };
  await trx.insertInto('listing_scopes').values(row).execute();
  return row;
}

export async function addToScopeCount(trx: Trx, id: number, change: number): Promise<void> {
  await trx
    .updateTable('listing_scopes')
    .set((eb) => ({ count: eb('count', '+', change) }))
    .where('id', '=', id)
    .execute();
}
