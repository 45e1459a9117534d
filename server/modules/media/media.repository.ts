import { type Selectable, sql } from 'kysely';
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

/** The files that are served under these names: several may have the same content. */
export async function filesByUrlName(
  db: Reader,
  names: readonly string[],
): Promise<Pick<MediaRow, 'file' | 'url_name'>[]> {
  const rows: Pick<MediaRow, 'file' | 'url_name'>[] = [];
  for (let start = 0; start < names.length; start += partSize) {
    const part = names.slice(start, start + partSize);
    rows.push(
      ...(await db.selectFrom('media').select(['file', 'url_name']).where('url_name', 'in', part).execute()),
    );
  }
  return rows;
}

/** The name under which this content is already served. */
export async function urlNameOfHash(db: Reader, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('media')
    .select('url_name')
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
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

/** Whether it was there. */
export async function deleteMedia(trx: Trx, file: string): Promise<boolean> {
  const gone = await trx.deleteFrom('media').where('file', '=', file).returning('file').executeTakeFirst();
  return gone !== undefined;
}

/** `text` is what the names contain. */
export async function mediaPage(db: Reader, text: string, { skip, most }: { skip: number; most: number }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.reduce(
    (query, word) =>
      query.where(sql<boolean>`lower(file) like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`),
    db.selectFrom('media'),
  );
  const { count } = await found.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy('added_at', 'desc')
    .orderBy('file')
    .offset(skip)
    .limit(most)
    .execute();
  return { count: Number(count), rows };
}
