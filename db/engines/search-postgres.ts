/** Full-text search with tsvector and GIN. */
import { sql } from 'kysely';
import type { SearchIndex } from './search.ts';

/** Documents per statement. */
const batch = 50;

export const postgresSearch: SearchIndex = {
  async put(trx, documents) {
    for (let start = 0; start < documents.length; start += batch) {
      const rows = documents
        .slice(start, start + batch)
        .map(({ no, tokens }) => sql`(cast(${no} as integer), array_to_tsvector(${[...tokens]}::text[]))`);
      await sql`insert into search_index (product_no, tokens) values ${sql.join(rows)}`.execute(trx);
    }
  },
  async remove(trx, nos) {
    if (nos.length > 0) await sql`delete from search_index where product_no in (${sql.join(nos)})`.execute(trx);
  },
  async productNos(db, token, from, below) {
    // The token is used as it is: PostgreSQL's parsers do not process it. One text is faster than a row for each product.
    const query = `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
    const { rows } = await sql<{ nos: string | null }>`
      select string_agg(product_no::text, ',') as nos from search_index
      where tokens @@ ${query}::tsquery and product_no >= ${from} and product_no < ${below}`.execute(db);
    const nos = rows[0]?.nos;
    return nos ? Uint32Array.from(nos.split(','), Number) : [];
  },
};
