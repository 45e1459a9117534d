/** Full-text search with FTS5. The row id is the product's number. */
import { sql } from 'kysely';
import type { SearchIndex } from './search.ts';

export const sqliteSearch: SearchIndex = {
  async put(trx, documents) {
    for (const { no, tokens } of documents)
      await sql`insert into search_index (rowid, tokens) values (${no}, ${tokens.join(' ')})`.execute(trx);
  },
  async remove(trx, nos) {
    for (const no of nos) await sql`delete from search_index where rowid = ${no}`.execute(trx);
  },
  async productNos(db, token, from, below) {
    // As one text of two characters a number, because a row for each costs several times as much memory.
    const { rows } = await sql<{ nos: string | null }>`
      select group_concat(char(1 + (rowid & 4095), 1 + ((rowid >> 12) & 4095)), '') as nos
      from search_index where search_index match ${`"${token.replaceAll('"', '""')}"`} and rowid >= ${from} and rowid < ${below}`.execute(
      db,
    );
    const text = rows[0]?.nos ?? '';
    const nos = new Uint32Array(text.length / 2);
    for (let i = 0; i < nos.length; i++) nos[i] = (text.charCodeAt(2 * i) - 1) | ((text.charCodeAt(2 * i + 1) - 1) << 12);
    return nos;
  },
};
