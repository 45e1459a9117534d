/** Reads of one row by a key, for what the calls of a session need each time. */

/**
 * A query for the row of a key, as parts of SQL that both engines understand. It has no parameters besides the key: what else
 * decides, such as the time, is compared with the row.
 */
export interface KeyedQuery {
  /** The selected columns. */
  columns: string;
  /** The tables, with their joins. */
  from: string;
  /** The column that the key is compared with. Its values are unique. */
  key: string;
}

export interface KeyedReader<R> {
  /**
   * The row of a key, no older than this call; null if there is none. On PostgreSQL reads that arrive together are one statement.
   */
  read(key: string): Promise<R | null>;
  /**
   * Whether a read also learns of every change committed before it, as `ChangeLog.refresh` does. Not so if `catalogue` is a replica:
   * then the row may be newer than what is known of changes.
   */
  readonly refreshes: boolean;
}
