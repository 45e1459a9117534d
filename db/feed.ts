/** Rows of table `feed`: what the office looks at again, written in the transaction of the change. */
import { randomUUID } from 'node:crypto';
import type { Reader, Trx } from './database.ts';

/** What changed, by a kind of the journal and an id. Nothing personal. */
export interface FeedRow {
  at: number;
  id: string;
  topic: string;
  subject: string;
  /** Null: of no store, or of one that is not known here. */
  store_id: string | null;
}

export async function addToFeed(trx: Trx, rows: readonly Omit<FeedRow, 'id'>[]): Promise<void> {
  if (rows.length > 0)
    await trx
      .insertInto('feed')
      .values(rows.map((row) => ({ ...row, id: randomUUID() })))
      .execute();
}

/** Rows from a time on, epoch ms, oldest first; of more than `most`, the newest. */
export async function feedSince(reader: Reader, at: number, most: number): Promise<FeedRow[]> {
  const query = reader
    .selectFrom('feed')
    .selectAll()
    .where('at', '>=', at)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
  return (await query.limit(most).execute()).reverse();
}

export async function trimFeed(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('feed').where('at', '<', before).execute();
}
