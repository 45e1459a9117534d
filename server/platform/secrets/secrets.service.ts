import { randomBytes } from 'node:crypto';
import type { Database, Reader, Trx } from '#db/database.ts';
import { findOrInsertSecret, findSecret, putSecret } from './secrets.repository.ts';

export async function logKey(db: Database): Promise<Buffer> {
  const text = await findOrInsertSecret(db, 'logKey', randomBytes(32).toString('base64url'));
  return Buffer.from(text, 'base64url');
}

/** A secret that is made when it is first needed, for each installation. */
export async function installationSecret(db: Database, name: string): Promise<Buffer> {
  return Buffer.from(await findOrInsertSecret(db, name, randomBytes(32).toString('base64url')), 'base64url');
}

const agentKeys = 'agentKeys';

/** The keys that sign what the shop tells agents, as text; `fresh` if there are none. */
export const readAgentKeys = (db: Database, fresh: string): Promise<string> =>
  findOrInsertSecret(db, agentKeys, fresh);

/** Null before they were needed. */
export const findAgentKeys = (db: Reader): Promise<string | null> => findSecret(db, agentKeys);

export const writeAgentKeys = (trx: Trx, keys: string): Promise<void> => putSecret(trx, agentKeys, keys);

/** A secret of the shop itself: `fresh` at its first use. */
export const ownSecret = findOrInsertSecret;

const connectionsKeyId = 'connectionsKeyId';

/** Which key encrypts what owners set in the office; null before there was one. The key itself is not in the database. */
export const findConnectionsKeyId = (db: Reader): Promise<string | null> => findSecret(db, connectionsKeyId);

/** The first of several machines wins. Returns the id that counts. */
export const claimConnectionsKeyId = (db: Database, id: string): Promise<string> =>
  findOrInsertSecret(db, connectionsKeyId, id);

export const writeConnectionsKeyId = (trx: Trx, id: string): Promise<void> =>
  putSecret(trx, connectionsKeyId, id);

const tableCards = (storeId: string) => `tableCards:${storeId}`;

/** Null before cards were printed. */
export const tableCardKey = (db: Reader, storeId: string): Promise<string | null> =>
  findSecret(db, tableCards(storeId));

/** Gives a store another key for its table cards. */
export async function renewTableCardKey(trx: Trx, storeId: string): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  await putSecret(trx, tableCards(storeId), key);
  return key;
}
