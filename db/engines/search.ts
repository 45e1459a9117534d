/** Full-text search as both engines offer it. Tokens are made by the server's search module. */
import type { RawBuilder } from 'kysely';
import type { Reader, Trx } from '../database.ts';

export interface SearchDocument {
  /** The product's place in the default order, one of its own (`listings.key` of sort 'd'). */
  key: number;
  tokens: readonly string[];
}

/**
 * Documents that have at least one token of every group in `all`, and to which none of `without`
 * applies (each again groups). Tokens are letters and digits only.
 */
export interface SearchMatch {
  all: readonly (readonly string[])[];
  without?: readonly (readonly (readonly string[])[])[];
}

/** Where to look, and for what. */
export interface SearchSegment {
  match: SearchMatch;
  /** Keys from here on, and below that. */
  from: number;
  below: number;
}

export interface SearchIndex {
  put(trx: Trx, documents: readonly SearchDocument[]): Promise<void>;
  remove(trx: Trx, keys: readonly number[]): Promise<void>;
  /** The first keys of the first segment in ascending order, then of the next, until there are enough. One query. */
  find(db: Reader, segments: readonly SearchSegment[], limit: number): Promise<number[]>;
  /** Whether anything matches. */
  exists(db: Reader, match: SearchMatch): Promise<boolean>;
  count(db: Reader, match: SearchMatch): Promise<number>;
  /** `select <key> as key …` of all that match, to stand in another query. */
  keys(match: SearchMatch): RawBuilder<{ key: number }>;
}
