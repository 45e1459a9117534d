import { sql } from 'kysely';
import type { EngineQueries } from './engine.ts';
import { postgresSearch } from './search-postgres.ts';

/** The SQLSTATE of an error, https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const outageCodes: readonly [RegExp, string][] = [
  [
    /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/,
    'PostgreSQL cannot be reached',
  ],
  [/^08/, 'PostgreSQL cannot be reached'],
  [/^57P0[1-5]$/, 'PostgreSQL is stopping or starting'],
  [/^53300$/, 'PostgreSQL is out of connections'],
  [/^53100$/, 'the disk of PostgreSQL is full'],
  [/^53/, 'PostgreSQL is out of resources'],
  [/^58/, 'PostgreSQL cannot read or write its files'],
  [/^(?:28|3D000|55000)/, 'PostgreSQL does not accept the connection'],
  [/^25006$/, 'PostgreSQL is read-only'],
];

/** The driver's messages, which have no code, for a connection that broke or never opened. */
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

export const postgresQueries: EngineQueries = {
  async lock(trx, name) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  },
  isUniqueViolation: (error) => sqlState(error) === '23505',
  isCheckViolation: (error) => sqlState(error) === '23514',
  outageCause(error) {
    if (!(error instanceof Error)) return null;
    const code = sqlState(error) ?? '';
    const byCode = outageCodes.find(([pattern]) => pattern.test(code))?.[1];
    return byCode ?? (lostConnection.test(error.message) ? 'PostgreSQL cannot be reached' : null);
  },
  async integrityProblems(db) {
    const indexes = await sql<{ name: string }>`
      select indexrelid::regclass::text as name from pg_index where not indisvalid or not indisready`.execute(db);
    const checksums = await sql<{ failures: number }>`
      select coalesce(checksum_failures, 0) as failures from pg_stat_database where datname = current_database()`.execute(db);
    const failures = checksums.rows[0]?.failures ?? 0;
    return [
      ...indexes.rows.map(({ name }) => `the index ${name} is not valid: rebuild it with REINDEX`),
      ...(failures > 0 ? [`PostgreSQL counted ${failures} pages with a wrong checksum: restore a backup`] : []),
    ];
  },
  search: postgresSearch,
};
