import type { Selectable } from 'kysely';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { RequestKeysTable } from '#db/request-tables.ts';

export type RequestRow = Selectable<RequestKeysTable>;
type Named = Pick<RequestRow, 'owner' | 'key'>;

export const findRequest = (reader: Reader, { owner, key }: Named): Promise<RequestRow | undefined> =>
  reader
    .selectFrom('request_keys')
    .selectAll()
    .where('owner', '=', owner)
    .where('key', '=', key)
    .executeTakeFirst();

/** Returns whether the key is this request's: no other one has it, or it took it in a transaction before. */
export async function takeKey(trx: Trx, row: RequestRow): Promise<boolean> {
  const taken = await trx
    .insertInto('request_keys')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined || (await findRequest(trx, row))?.request === row.request;
}

/** Of requests that took it before then. */
export const releaseKey = (trx: Trx, { owner, key }: Named, before: number) =>
  trx
    .deleteFrom('request_keys')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .where('at', '<', before)
    .execute();

/** Nothing happens if the request took no key. */
export const keepAnswer = (trx: Trx, request: string, { owner, key }: Named, answer: string) =>
  trx
    .updateTable('request_keys')
    .set({ answer })
    .where('owner', '=', owner)
    .where('key', '=', key)
    .where('request', '=', request)
    .execute();

export const deleteRequestsBefore = (db: Database, at: number) =>
  db.transaction((trx) => trx.deleteFrom('request_keys').where('at', '<', at).execute());
