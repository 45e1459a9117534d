/** Random keys that the shop makes once and keeps, the same in all of its processes. */
import { randomBytes } from 'node:crypto';
import type { Database } from '#db/database.ts';
import { findOrInsertSecret } from './secrets.repository.ts';

/** The key under which accounts and networks appear in the log: 256 bits. */
export async function logKey(db: Database): Promise<Buffer> {
  const text = await findOrInsertSecret(db, 'logKey', randomBytes(32).toString('base64url'));
  return Buffer.from(text, 'base64url');
}
