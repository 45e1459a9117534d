/** Everything the two engines do differently. One implementation an engine, in this folder. */
import type { Trx } from '../database.ts';
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
  readonly search: SearchIndex;
}
