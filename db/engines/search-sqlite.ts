/** Full-text search with FTS5. The row id is the document's key, so results are in the default order already. */
import { sql } from 'kysely';
import type { SearchIndex, SearchMatch } from './search.ts';

type Groups = readonly (readonly string[])[];

function conjunction(groups: Groups): string {
  return groups
    .map((group) => (group.length === 1 ? quoted(group[0] ?? '') : `(${group.map(quoted).join(' OR ')})`))
    .join(' AND ');
}

function quoted(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}

/** Builds a query in the language of FTS5. */
function expression({ all, without = [] }: SearchMatch): string {
  return without.reduce((text, groups) => `(${text}) NOT (${conjunction(groups)})`, conjunction(all));
}

export const sqliteSearch: SearchIndex = {
  async put(trx, documents) {
    for (const { key, tokens } of documents) {
      await sql`insert into search_index (rowid, tokens) values (${key}, ${tokens.join(' ')})`.execute(trx);
    }
  },
  async remove(trx, keys) {
    for (const key of keys) await sql`delete from search_index where rowid = ${key}`.execute(trx);
  },
  async find(db, segments, limit) {
    const parts = segments.map(
      ({ match, from, below }) => sql`
        select key from (
          select rowid as key from search_index
          where search_index match ${expression(match)} and rowid >= ${from} and rowid < ${below}
          order by rowid limit ${limit}
        )`,
    );
    const { rows } = await sql<{ key: number }>`${sql.join(parts, sql` union all `)} limit ${limit}`.execute(db);
    return rows.map((row) => row.key);
  },
  async exists(db, match) {
    const { rows } = await sql`select 1 from search_index where search_index match ${expression(match)} limit 1`.execute(db);
    return rows.length > 0;
  },
  async count(db, match) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from search_index where search_index match ${expression(match)}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  keys: (match) => sql<{ key: number }>`select rowid as key from search_index where search_index match ${expression(match)}`,
};
