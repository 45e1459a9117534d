import type { Reader, Trx } from '#db/database.ts';

export interface ConnectionRow {
  field: string;
  value: string;
  tail: string | null;
  actor: string;
  at: number;
}

export function allConnectionRows(reader: Reader): Promise<ConnectionRow[]> {
  return reader.selectFrom('connections').selectAll().orderBy('field').execute();
}

export async function putConnectionRow(trx: Trx, row: ConnectionRow): Promise<void> {
  const { field: _, ...rest } = row;
  await trx
    .insertInto('connections')
    .values(row)
    .onConflict((c) => c.column('field').doUpdateSet(rest))
    .execute();
}

export async function deleteConnectionRows(trx: Trx, fields: readonly string[]): Promise<void> {
  if (fields.length > 0) await trx.deleteFrom('connections').where('field', 'in', fields).execute();
}
