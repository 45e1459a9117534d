import { randomBytes } from 'node:crypto';
import type { Database, Reader, Trx } from '#db/database.ts';
import { findOrInsertSecret, findSecret, putSecret } from './secrets.repository.ts';

export async function logKey(db: Database): Promise<Buffer> {
  const text = await findOrInsertSecret(db, 'logKey', randomBytes(32).toString('base64url'));
  return Buffer.from(text, 'base64url');
}

const tableCards = (storeId: string) => `tableCards:${storeId}`;

/** Null before cards were printed. */
export const tableCardKey = (db: Reader, storeId: string): Promise<string | null> => findSecret(db, tableCards(storeId));

/** Gives a store another key for its table cards. */
export async function renewTableCardKey(trx: Trx, storeId: string): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  await putSecret(trx, tableCards(storeId), key);
  return key;
}
