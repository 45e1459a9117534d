/** The same on both engines: whole numbers are bigint, other numbers number. */
export type Value = bigint | number | string | Uint8Array | null;

export interface Table {
  name: string;
  /** In alphabetical order: the engines may have added them in different ones. */
  columns: readonly { name: string; type: string }[];
}

export interface Source {
  tables(): Promise<Table[]>;
  /** As of one moment for all tables. */
  batches(table: Table): AsyncIterable<Value[][]>;
  /** They may have changed the database meanwhile. Ends the reading. */
  isInUse(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Target extends Omit<Source, 'isInUse'> {
  insert(table: Table, rows: readonly Value[][]): Promise<void>;
  /** Indexes and foreign keys would slow the inserts down and reject rows whose parents come later. */
  restore(): Promise<void>;
  /** Then a shop can open the database. */
  finish(): Promise<void>;
}

/** The target has data, or another move writes to it. Nothing was changed. */
export class MoveTargetError extends Error {
  override name = 'MoveTargetError';
}

/** Read and written together. */
export const batchRows = 1000;
/** Its rows are the products' numbers and tokens; each engine has an index of its own kind behind it. */
export const searchIndex = 'search_index';

export const quoted = (name: string) => `"${name}"`;

/** Separated by commas. */
export const columnsOf = (table: Table, write: (column: string) => string = quoted) =>
  table.columns.map(({ name }) => write(name)).join(', ');

export function withSearchIndex(tables: readonly Table[]): Table[] {
  const columns = [
    { name: 'product_no', type: 'integer' },
    { name: 'tokens', type: 'text' },
  ];
  const others = tables.filter(({ name }) => name !== searchIndex);
  return [...others, { name: searchIndex, columns }].sort((a, b) => (a.name < b.name ? -1 : 1));
}
