import { createHash } from 'node:crypto';

/** In bytes. Of 89 million passwords outside a list of 12,388, one shares a fingerprint with a listed one. */
export const fingerprintSize = 5;
export type FingerprintSize = typeof fingerprintSize;

/** `plain` is normalised by `plainPassword`. */
export function fingerprintOf(plain: string): Buffer {
  return createHash('sha256').update(plain).digest().subarray(0, fingerprintSize);
}
