/** Full-text search with tsvector and GIN. */
import { sql } from 'kysely';
import type { SearchIndex, SearchMatch } from './search.ts';

/** Documents per statement. */
const batch = 50;

type Groups = readonly (readonly string[])[];

function conjunction(groups: Groups): string {
  return groups.map((group) => `(${group.map(quoted).join('|')})`).join('&');
}

function quoted(token: string): string {
  return `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Builds a tsquery. Its words are used as they are: PostgreSQL's parsers do not process them. */
function expression({ all, without = [] }: SearchMatch): string {
  return [conjunction(all), ...without.map((groups) => `!(${conjunction(groups)})`)].join('&');
}

export const postgresSearch: SearchIndex = {
  async put(trx, documents) {
    for (let start = 0; start < documents.length; start += batch) {
      const rows = documents
        .slice(start, start + batch)
        .map(({ key, tokens }) => sql`(cast(${key} as bigint), array_to_tsvector(${[...tokens]}::text[]))`);
      await sql`insert into search_index (order_key, tokens) values ${sql.join(rows)}`.execute(trx);
    }
  },
  async remove(trx, keys) {
    if (keys.length > 0) await sql`delete from search_index where order_key in (${sql.join(keys)})`.execute(trx);
  },
  async find(db, segments, limit) {
    const parts = segments.map(
      ({ match, from, below }) => sql`(select search_find(${expression(match)}::tsquery, ${from}, ${below}, 0, ${limit}) as key)`,
    );
    const { rows } = await sql<{ key: number }>`${sql.join(parts, sql` union all `)} limit ${limit}`.execute(db);
    return rows.map((row) => row.key);
  },
  async exists(db, match) {
    const { rows } = await sql`select search_hits(${expression(match)}::tsquery, 0, ${Number.MAX_SAFE_INTEGER}, 0, 1)`.execute(
      db,
    );
    return rows.length > 0;
  },
  async count(db, match) {
    const { rows } = await sql<{ count: number }>`select search_count(${expression(match)}::tsquery) as count`.execute(db);
    return rows[0]?.count ?? 0;
  },
  keys: (match) => sql<{ key: number }>`select search_keys as key from search_keys(${expression(match)}::tsquery)`,
};
