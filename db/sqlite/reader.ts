/** A further connection to the file of an open database, which only reads: for another thread of the same process. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Reader } from '../database.ts';
import type { Tables } from '../tables.ts';
import { SqliteConnection, sqliteDialect } from './driver.ts';

export interface SqliteReader {
  readonly db: Reader;
  /** Runs `work` on one state of the database: it sees no change that is committed meanwhile. One at a time. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Opens a connection to a file that the main thread has opened and migrated. */
export function openSqliteReader(file: string): SqliteReader {
  const connection = new DatabaseSync(file, { timeout: 5000 });
  // Not mapped: the pages that it reads would count a second time as memory of the process.
  connection.exec('PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000');
  const db = new Kysely<Tables>({ dialect: sqliteDialect(new SqliteConnection(connection)) });
  let before: Promise<unknown> = Promise.resolve();
  return {
    db,
    snapshot(work) {
      const result = before.then(async () => {
        connection.exec('BEGIN');
        try {
          return await work();
        } finally {
          connection.exec('COMMIT');
        }
      });
      before = result.catch(() => {});
      return result;
    },
    close: () => connection.close(),
  };
}
