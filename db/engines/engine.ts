/** One implementation for each engine in this folder. */
import type { RawBuilder } from 'kysely';
import type { Reader, Trx } from '../database.ts';

export interface EngineQueries {
  /** Until the transaction ends. On SQLite all transactions are serial anyway. */
  lock(trx: Trx, name: string): Promise<void>;
  /** Of a unique index or primary key. */
  isUniqueViolation(error: unknown): boolean;
  isCheckViolation(error: unknown): boolean;
  /** Null if the error does not mean that the database cannot serve. */
  outageCause(error: unknown): string | null;
  /** In the engine's own files, one per line. Reads all of a SQLite file. */
  integrityProblems(db: Reader): Promise<string[]>;
  readonly search: SearchIndex;
}

export interface SearchDocument {
  /** The product's number. */
  no: number;
  /** Letters and digits only. */
  tokens: readonly string[];
}

/** Which products have which tokens. The server's search module makes the tokens. */
export interface SearchIndex {
  put(trx: Trx, documents: readonly SearchDocument[]): Promise<void>;
  remove(trx: Trx, nos: readonly number[]): Promise<void>;
  /** Those with at least one of the tokens, from `from` (inclusive) to `below` (exclusive), in no particular order. */
  productNos(db: Reader, tokens: readonly string[], from: number, below: number): Promise<Iterable<number>>;
  /** A query of the numbers of the products that have a token of each group. */
  matching(groups: readonly (readonly string[])[]): RawBuilder<number>;
}
