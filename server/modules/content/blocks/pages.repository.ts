import type { Selectable } from 'kysely';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { PagesTable } from '#db/tables.ts';

export type PageRow = Selectable<PagesTable>;

/** Until the transaction ends. */
export function lockPages(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'pages');
}

export function findPage(db: Reader, name: string): Promise<PageRow | undefined> {
  return db.selectFrom('pages').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function putPage(trx: Trx, row: PageRow): Promise<void> {
  const { name: _, ...rest } = row;
  await trx
    .insertInto('pages')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
    .execute();
}

export function listPages(db: Reader): Promise<Pick<PageRow, 'name' | 'updated_at'>[]> {
  return db.selectFrom('pages').select(['name', 'updated_at']).orderBy('name').execute();
}

export async function allBlocks(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('pages').select('blocks').orderBy('name').execute();
  return rows.map(({ blocks }) => blocks);
}

export function allPages(db: Reader): Promise<PageRow[]> {
  return db.selectFrom('pages').selectAll().orderBy('name').execute();
}

export async function deletePage(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('pages').where('name', '=', name).execute();
  await bumpCatalogueVersion(trx);
}
