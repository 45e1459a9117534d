/** Creates the shop's random keys once and stores them, so that all processes share them. */
import { randomBytes } from 'node:crypto';
import type { Database } from '#db/database.ts';
import { findOrInsertSecret } from './secrets.repository.ts';

/** The 256-bit key of the hashes of accounts and networks in the log. */
export async function logKey(db: Database): Promise<Buffer> {
  const text = await findOrInsertSecret(db, 'logKey', randomBytes(32).toString('base64url'));
  return Buffer.from(text, 'base64url');
}
