/** Rows whose stored JSON cannot be parsed: the shop goes on without them, and says which they are. */

export interface UnreadableRow {
  table: string;
  id: string;
}

let listener: (row: UnreadableRow) => void = () => {};
const told = new Set<string>();

/** One for the process. It hears of each row once. */
export function onUnreadableRow(listen: (row: UnreadableRow) => void): void {
  listener = listen;
  told.clear();
}

/** What `read` makes of the rows, without those that it cannot parse. */
export function readableRows<Row, T>(
  table: string,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  read: (row: Row) => T,
): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const id = idOf(row);
      if (!told.has(`${table} ${id}`)) listener({ table, id });
      told.add(`${table} ${id}`);
      return [];
    }
  });
}
