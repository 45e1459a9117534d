/**
 * On a thread of the pool: SQLite itself would wait inside COMMIT, on the thread that answers requests, for milliseconds at a
 * time.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { freshReader } from '../fresh-reader.ts';

export class WalSync {
  readonly #file: string;
  readonly #sync: () => Promise<void>;
  #handle: Promise<FileHandle> | null = null;

  /** The log beside the database, which SQLite keeps as long as a connection is open. */
  constructor(file: string, sync: (handle: FileHandle) => Promise<void> = (handle) => handle.datasync()) {
    this.#file = file;
    // Commits that arrive during one wait share the next.
    this.#sync = freshReader(async () => sync(await this.#open()));
  }

  /** For all that was committed before the call. */
  wait(): Promise<void> {
    return this.#sync();
  }

  async close(): Promise<void> {
    await (await this.#handle?.catch(() => null))?.close();
  }

  #open(): Promise<FileHandle> {
    // Windows syncs only files that are open for writing.
    this.#handle ??= open(this.#file, 'r+');
    return this.#handle;
  }
}
