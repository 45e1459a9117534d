import type { Fixed } from './tables.ts';

/** Requests that were done, by whom and by their keys. */
export interface RequestKeysTable {
  /** An actor of the staff, or the hash of a session. */
  owner: Fixed<string>;
  key: Fixed<string>;
  /** Names the arrival that was done, among those with this key. */
  request: Fixed<string>;
  /** Of what was asked. */
  fingerprint: Fixed<string>;
  /** JSON, without anything of a person; null before it is answered, and where the answer is read anew. */
  answer: string | null;
  at: Fixed<number>;
}
