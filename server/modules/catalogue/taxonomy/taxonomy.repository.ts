/** Few rows, read completely. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { BrandsTable, CategoriesTable, TagsTable } from '#db/tables.ts';

export type BrandRow = Selectable<BrandsTable>;
export type CategoryRow = Selectable<CategoriesTable>;
export type TagRow = Selectable<TagsTable>;

export const allBrands = (db: Reader): Promise<BrandRow[]> =>
  db.selectFrom('brands').selectAll().orderBy('position').orderBy('id').execute();
export const allCategories = (db: Reader): Promise<CategoryRow[]> =>
  db.selectFrom('categories').selectAll().orderBy('position').orderBy('id').execute();
export const allTags = (db: Reader): Promise<TagRow[]> =>
  db.selectFrom('tags').selectAll().orderBy('position').orderBy('id').execute();

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
