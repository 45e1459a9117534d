/** PostgreSQL's side of what the engines do differently. */
import { sql } from 'kysely';
import type { EngineQueries } from './engine.ts';
import { postgresSearch } from './search-postgres.ts';

/** The SQLSTATE of an error, https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export const postgresQueries: EngineQueries = {
  async lock(trx, name) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  },
  isUniqueViolation: (error) => sqlState(error) === '23505',
  isCheckViolation: (error) => sqlState(error) === '23514',
  search: postgresSearch,
};
