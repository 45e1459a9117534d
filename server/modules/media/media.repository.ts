import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { MediaTable } from '#db/tables.ts';

export type MediaRow = Selectable<MediaTable>;

/** Files per query: a statement takes a limited number of parameters. */
const partSize = 500;

export async function mediaByFile(db: Reader, files: readonly string[]): Promise<MediaRow[]> {
  const rows: MediaRow[] = [];
  for (let start = 0; start < files.length; start += partSize) {
    const part = files.slice(start, start + partSize);
    rows.push(...(await db.selectFrom('media').selectAll().where('file', 'in', part).execute()));
  }
  return rows;
}

export function mediaByUrlName(db: Reader, urlName: string): Promise<MediaRow | undefined> {
  return db.selectFrom('media').selectAll().where('url_name', '=', urlName).limit(1).executeTakeFirst();
}

/** The name under which this content is already served. */
export async function urlNameOfHash(db: Reader, hash: string): Promise<string | undefined> {
  const row = await db.selectFrom('media').select('url_name').where('hash', '=', hash).limit(1).executeTakeFirst();
  return row?.url_name;
}

export async function putMedia(trx: Trx, row: MediaRow): Promise<void> {
  const { file: _, ...rest } = row;
  await trx
    .insertInto('media')
    .values(row)
    .onConflict((conflict) => conflict.column('file').doUpdateSet(rest))
    .execute();
}
