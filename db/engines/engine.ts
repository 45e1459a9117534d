/** Everything the two engines do differently. One implementation an engine, in this folder. */
import type { Reader, Trx } from '../database.ts';
import type { SearchIndex } from './search.ts';

export interface EngineQueries {
  /**
   * Makes transactions that take the same `name` follow one another; held until the transaction ends.
   * On SQLite all transactions do so anyway.
   */
  lock(trx: Trx, name: string): Promise<void>;
  /** Whether an error says that a unique index or primary key already has this value. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether an error says that a CHECK refused a value, for instance stock below zero. */
  isCheckViolation(error: unknown): boolean;
  /** Why an error means that the database cannot serve anybody at present; null for any other error. */
  outageCause(error: unknown): string | null;
  /** What the engine finds wrong with its own files, a line each; empty if nothing. Reads all of a SQLite file. */
  integrityProblems(db: Reader): Promise<string[]>;
  readonly search: SearchIndex;
}
