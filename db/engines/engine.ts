/** The differences between the two engines. Each engine has one implementation in this folder. */
import type { Reader, Trx } from '../database.ts';
import type { SearchIndex } from './search.ts';

export interface EngineQueries {
  /**
   * Serialises transactions that take the same `name`; held until the transaction ends. On SQLite all transactions are serial
   * anyway.
   */
  lock(trx: Trx, name: string): Promise<void>;
  /** Whether an error is a violation of a unique index or primary key. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether an error is a violation of a CHECK, such as stock below zero. */
  isCheckViolation(error: unknown): boolean;
  /** Why an error means that the database currently cannot serve; null for any other error. */
  outageCause(error: unknown): string | null;
  /** Problems that the engine finds in its own files, one per line; empty if there are none. Reads all of a SQLite file. */
  integrityProblems(db: Reader): Promise<string[]>;
  readonly search: SearchIndex;
}
