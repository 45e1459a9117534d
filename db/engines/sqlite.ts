import { sql } from 'kysely';
import type { EngineQueries, SearchIndex } from '../database.ts';
import { diskFull } from '../outage.ts';

const anyOf = (tokens: readonly string[]) =>
  tokens.map((token) => `"${token.replaceAll('"', '""')}"`).join(' OR ');

/** FTS5; the row id is the product's number. */
const sqliteSearch: SearchIndex = {
  async put(trx, documents) {
    for (const { no, tokens } of documents)
      await sql`insert into search_index (rowid, tokens) values (${no}, ${tokens.join(' ')})`.execute(trx);
  },
  async remove(trx, nos) {
    for (const no of nos) await sql`delete from search_index where rowid = ${no}`.execute(trx);
  },
  async productNos(db, tokens, from, below) {
    // As one text of two characters a number, because a row for each costs several times as much memory.
    const { rows } = await sql<{ nos: string | null }>`
      select group_concat(char(1 + (rowid & 4095), 1 + ((rowid >> 12) & 4095)), '') as nos
      from search_index where search_index match ${anyOf(tokens)} and rowid >= ${from} and rowid < ${below}`.execute(
      db,
    );
    const text = rows[0]?.nos ?? '';
    const nos = new Uint32Array(text.length / 2);
    for (let i = 0; i < nos.length; i++)
      nos[i] = (text.charCodeAt(2 * i) - 1) | ((text.charCodeAt(2 * i + 1) - 1) << 12);
    return nos;
  },
  matching: (groups) =>
    sql`select rowid from search_index where search_index match ${groups.map((tokens) => `(${anyOf(tokens)})`).join(' AND ')}`,
};

/** Extended result codes, https://sqlite.org/rescode.html */
const constraintCheck = 275;
const constraintPrimaryKey = 1555;
const constraintUnique = 2067;

/** Primary result codes after which the database cannot be written, or read. */
const outageCauses: Record<number, string> = {
  5: 'the database file is locked by another program',
  8: 'the database file cannot be written',
  10: 'the disk cannot be read or written',
  11: 'the database file is damaged',
  13: diskFull.sqlite,
  14: 'the database file cannot be opened',
  26: 'the database file is damaged',
};

/** Codes of the system, from waiting for the disk. */
const diskCauses: Record<string, string> = {
  EIO: 'the disk cannot be read or written',
  ENOSPC: diskFull.sqlite,
  EDQUOT: diskFull.sqlite,
  EROFS: 'the database file cannot be written',
};

export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

export const sqliteQueries: EngineQueries = {
  // Transactions run one after another, so a running transaction holds every lock.
  lock: async () => {},
  isUniqueViolation(error) {
    const code = resultCode(error);
    return code === constraintUnique || code === constraintPrimaryKey;
  },
  isCheckViolation: (error) => resultCode(error) === constraintCheck,
  outageCause: (error) =>
    outageCauses[(resultCode(error) ?? 0) & 0xff] ?? diskCauses[systemCode(error)] ?? null,
  async integrityProblems(db) {
    const check = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db);
    const orphans = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
    const tables = [...new Set(orphans.rows.map(({ table }) => table))];
    return [
      ...check.rows.map((row) => row.integrity_check).filter((line) => line !== 'ok'),
      ...tables.map((table) => `${table} has rows that refer to missing rows`),
    ];
  },
  search: sqliteSearch,
};
