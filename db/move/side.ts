/** The two sides of a move, which each engine implements. */

/** The same on both engines: whole numbers are bigint, other numbers number. */
export type Value = bigint | number | string | Uint8Array | null;

export interface Table {
  name: string;
  /** In alphabetical order, because the engines may have added them in different ones. */
  columns: readonly { name: string; type: string }[];
}

export interface Source {
  tables(): Promise<Table[]>;
  /** The rows of a table, as of one moment for all tables. */
  batches(table: Table): AsyncIterable<Value[][]>;
  /** Whether others use the database and may have changed it meanwhile. Ends the reading. */
  isInUse(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Target extends Omit<Source, 'isInUse'> {
  insert(table: Table, rows: readonly Value[][]): Promise<void>;
  /** Makes indexes and foreign keys, which would slow the inserts down and reject rows whose parents come later. */
  restore(): Promise<void>;
  /** Makes the database one that a shop can open. */
  finish(): Promise<void>;
}

/** The target has data, or another move writes to it. Nothing was changed. */
export class MoveTargetError extends Error {
  override name = 'MoveTargetError';
}

/** Rows that are read and written together. */
export const batchRows = 1000;
/** Its rows are the products' numbers and tokens; each engine has an index of its own kind behind it. */
export const searchIndex = 'search_index';

export const quoted = (name: string) => `"${name}"`;

/** The columns of a table, separated by commas. */
export const columnsOf = (table: Table, write: (column: string) => string = quoted) =>
  table.columns.map(({ name }) => write(name)).join(', ');

/** The tables by name; the search index has the same columns on both engines. */
export function withSearchIndex(tables: readonly Table[]): Table[] {
  const columns = [
    { name: 'product_no', type: 'integer' },
    { name: 'tokens', type: 'text' },
  ];
  const others = tables.filter(({ name }) => name !== searchIndex);
  return [...others, { name: searchIndex, columns }].sort((a, b) => (a.name < b.name ? -1 : 1));
}
