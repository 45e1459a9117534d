/** SQLite's side of what the engines do differently. */
import type { EngineQueries } from './engine.ts';
import { sqliteSearch } from './search-sqlite.ts';

/** Extended result codes, https://sqlite.org/rescode.html */
const constraintCheck = 275;
const constraintPrimaryKey = 1555;
const constraintUnique = 2067;

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

export const sqliteQueries: EngineQueries = {
  // Transactions run one after another, so whoever is inside one holds every lock.
  lock: async () => {},
  isUniqueViolation(error) {
    const code = resultCode(error);
    return code === constraintUnique || code === constraintPrimaryKey;
  },
  isCheckViolation: (error) => resultCode(error) === constraintCheck,
  search: sqliteSearch,
};
