/** The full-text search interface of both engines. The server's search module makes the tokens. */
import type { RawBuilder } from 'kysely';
import type { Reader, Trx } from '../database.ts';

export interface SearchDocument {
  /** The product's unique position in the default order (`listings.key` of sort 'd'). */
  key: number;
  tokens: readonly string[];
}

/**
 * Matches documents that have at least one token of every group in `all`, and that `without` does not match (each again groups).
 * Tokens are letters and digits only.
 */
export interface SearchMatch {
  all: readonly (readonly string[])[];
  without?: readonly (readonly (readonly string[])[])[];
}

/** A range of keys, and what to find in it. */
export interface SearchSegment {
  match: SearchMatch;
  /** Keys from `from` (inclusive) to `below` (exclusive). */
  from: number;
  below: number;
}

export interface SearchIndex {
  put(trx: Trx, documents: readonly SearchDocument[]): Promise<void>;
  remove(trx: Trx, keys: readonly number[]): Promise<void>;
  /** The first keys of the first segment in ascending order, then of the next, up to `limit`. One query. */
  find(db: Reader, segments: readonly SearchSegment[], limit: number): Promise<number[]>;
  /** Whether anything matches. */
  exists(db: Reader, match: SearchMatch): Promise<boolean>;
  count(db: Reader, match: SearchMatch): Promise<number>;
  /** `select <key> as key …` of all matches, for use in another query. */
  keys(match: SearchMatch): RawBuilder<{ key: number }>;
}
