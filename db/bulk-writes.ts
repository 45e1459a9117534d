import { CompiledQuery } from 'kysely';
import type { Database, Trx } from './database.ts';
import type { Tables } from './tables.ts';

export type SqlValue = string | number | null;
export type SqlType = 'integer' | 'bigint' | 'text';

type Row = readonly SqlValue[];

/** Rows of a statement; what is left over is written by statements of at most so few, so that not too many texts are prepared. */
const [most, few] = [64, 16];
const statements = new Map<string, string>();

export interface NewRows {
  into: keyof Tables;
  columns: readonly string[];
  /** The values of `columns` in order. */
  rows: readonly Row[];
  /** Such as 'on conflict do nothing'. */
  suffix?: string;
}

export async function insertMany(
  db: Database,
  trx: Trx,
  { into, columns, rows, suffix = '' }: NewRows,
): Promise<void> {
  const values = columns.map(() => null);
  await inBatches(
    db,
    trx,
    rows,
    (valuesOf) => `insert into ${into} (${columns.join(', ')}) values ${valuesOf(values)} ${suffix}`,
  );
}

/** `key` is an integer column; `rows` are key and value. */
export async function updateMany(
  db: Database,
  trx: Trx,
  { table, key, column, type }: { table: keyof Tables; key: string; column: string; type: SqlType },
  rows: readonly Row[],
): Promise<void> {
  await inBatches(
    db,
    trx,
    rows,
    // Both engines name the columns of `values` this way.
    (valuesOf) =>
      `update ${table} set ${column} = v.column2 from (values ${valuesOf(['integer', type])}) as v where ${table}.${key} = v.column1`,
  );
}

/** Makes the values clause from the types of its parameters. */
async function inBatches(
  db: Database,
  trx: Trx,
  rows: readonly Row[],
  write: (valuesOf: (types: readonly (SqlType | null)[]) => string) => string,
): Promise<void> {
  const name = write((types) => types.join());
  let size = 0;
  for (let done = 0; done < rows.length; done += size) {
    const left = rows.length - done;
    size = left >= most ? most : Math.min(left, few);
    const key = `${db.engine} ${size} ${name}`;
    const statement = statements.get(key) ?? write((types) => valuesClause(db, types, size));
    statements.set(key, statement);
    await trx.executeQuery(CompiledQuery.raw(statement, rows.slice(done, done + size).flat()));
  }
}

function valuesClause({ engine }: Database, types: readonly (SqlType | null)[], size: number): string {
  let parameter = 0;
  const place = (type: SqlType | null) => {
    const mark = engine === 'sqlite' ? '?' : `$${++parameter}`;
    return type === null ? mark : `cast(${mark} as ${type})`;
  };
  return Array.from({ length: size }, () => `(${types.map(place).join(', ')})`).join(', ');
}
