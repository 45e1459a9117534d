import { sql } from 'kysely';
import type { EngineQueries, SearchIndex } from '../database.ts';
import { diskFull } from '../outage.ts';

/** Documents per statement. */
const batch = 50;

/** Tokens are used as they are: PostgreSQL's parsers do not process them. */
const anyOf = (tokens: readonly string[]) =>
  tokens.map((token) => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' | ');

const postgresSearch: SearchIndex = {
  async put(trx, documents) {
    for (let start = 0; start < documents.length; start += batch) {
      const rows = documents
        .slice(start, start + batch)
        .map(({ no, tokens }) => sql`(cast(${no} as integer), array_to_tsvector(${[...tokens]}::text[]))`);
      await sql`insert into search_index (product_no, tokens) values ${sql.join(rows)}`.execute(trx);
    }
  },
  async remove(trx, nos) {
    if (nos.length > 0)
      await sql`delete from search_index where product_no in (${sql.join(nos)})`.execute(trx);
  },
  async productNos(db, tokens, from, below) {
    // One value of four bytes a number is faster than a row for each product. The planner does not see into the subquery and the
    // sums: of common words it would read the tokens of all products, which takes 4 to 15 times as long as the index of tokens.
    const { rows } = await sql<{ nos: Buffer | null }>`
      select string_agg(int4send(product_no), ''::bytea) as nos from search_index
      where tokens @@ (select ${anyOf(tokens)}::tsquery) and product_no + 0 >= ${from} and product_no + 0 < ${below}`.execute(
      db,
    );
    const nos = rows[0]?.nos ?? Buffer.alloc(0);
    return Array.from({ length: nos.length / 4 }, (_, at) => nos.readUInt32BE(4 * at));
  },
  matching: (groups) =>
    sql`select product_no from search_index where tokens @@ (select ${groups
      .map((tokens) => `(${anyOf(tokens)})`)
      .join(' & ')}::tsquery)`,
};

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
  [/^53100$/, diskFull.postgres],
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
      select indexrelid::regclass::text as name from pg_index where not indisvalid or not indisready`.execute(
      db,
    );
    const checksums = await sql<{ failures: number }>`
      select coalesce(checksum_failures, 0) as failures from pg_stat_database where datname = current_database()`.execute(
      db,
    );
    const failures = checksums.rows[0]?.failures ?? 0;
    return [
      ...indexes.rows.map(({ name }) => `the index ${name} is not valid: rebuild it with REINDEX`),
      ...(failures > 0
        ? [`PostgreSQL counted ${failures} pages with a wrong checksum: restore a backup`]
        : []),
    ];
  },
  search: postgresSearch,
};
