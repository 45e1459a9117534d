/** Inserting many rows by few statements, each prepared once whatever the number of rows. */
import { CompiledQuery } from 'kysely';
import type { Database, Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows a statement, largest first; the rest of a batch goes by the smaller ones. */
const batches = [64, 16, 4, 1] as const;

export type SqlValue = string | number | null;

const statements = new Map<string, string>();

/** `rows` hold the values of `columns` in their order. `suffix` is, for instance, 'on conflict do nothing'. */
export async function insertMany(
  db: Database,
  trx: Trx,
  table: keyof Tables,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  suffix = '',
): Promise<void> {
  let done = 0;
  for (const size of batches) {
    for (; rows.length - done >= size; done += size) {
      const statement = statementFor(db, table, columns, size, suffix);
      await trx.executeQuery(CompiledQuery.raw(statement, rows.slice(done, done + size).flat()));
    }
  }
}

function statementFor(db: Database, table: string, columns: readonly string[], size: number, suffix: string): string {
  const key = [db.engine, table, columns, size, suffix].join('|');
  let statement = statements.get(key);
  if (!statement) {
    let parameter = 0;
    const place = () => (db.engine === 'sqlite' ? '?' : `$${++parameter}`);
    const row = () => `(${columns.map(place).join(', ')})`;
    statement = `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: size }, row).join(', ')} ${suffix}`;
    statements.set(key, statement);
  }
  return statement;
}
