/** How a frequent password is written in the list: the first bytes of its SHA-256. */
import { createHash } from 'node:crypto';

/** Bytes. Of 89 million passwords that are not on a list of 12,388, one has the fingerprint of one that is. */
export const fingerprintSize = 5;
export type FingerprintSize = typeof fingerprintSize;

/** `plain` is a password as `plainPassword` writes it. */
export function fingerprintOf(plain: string): Buffer {
  return createHash('sha256').update(plain).digest().subarray(0, fingerprintSize);
}
