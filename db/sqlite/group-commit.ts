/**
 * Transactions that wait at the same moment share one commit, which costs a disk write. Each but the first has a savepoint: a
 * failing one rolls back only itself. None resolves before the shared commit is on disk; the next ones run while the disk writes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';

/** A batch ends at either limit, so that its first transactions do not wait long. */
const batchSize = 32;
const batchMs = 5;
/** Another process may hold it. */
const lockTimeoutMs = 10_000;
const busy = 5;

interface Job {
  run(): Promise<void>;
  finish(failure?: unknown): void;
}

/** Inside a transaction, waiting for another would deadlock. */
const inside = new AsyncLocalStorage<true>();

export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #committed: () => void;
  readonly #durable: () => Promise<void> | undefined;
  #waiting: Job[] = [];
  #idle = true;
  #closed = false;
  #drained: (() => void)[] = [];
  /** Committed; they wait for the disk. */
  readonly #syncing = new Set<Promise<void>>();
  /** Why a commit may not be on disk. What the disk has of it only the recovery at the next start finds out, so nothing follows it. */
  #lost: { error: unknown } | null = null;

  /** `durable` resolves when the commit that `committed` was called after is on disk; undefined: nothing to wait for. */
  constructor(
    db: DatabaseSync,
    {
      committed = () => {},
      durable = () => undefined,
    }: { committed?: () => void; durable?: () => Promise<void> | undefined } = {},
  ) {
    this.#db = db;
    this.#committed = committed;
    this.#durable = durable;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore()) return Promise.reject(new Error('A transaction was started inside a transaction'));
    if (this.#closed) return Promise.reject(new Error('The database is closed'));
    if (this.#lost) return Promise.reject(this.#lost.error);
    // A batch runs for whoever began it; each transaction in it, for whoever asked for it.
    const own = AsyncLocalStorage.snapshot();
    return new Promise<T>((resolve, reject) => {
      let outcome: () => void;
      this.#waiting.push({
        async run() {
          const value = await own(() => inside.run(true, work));
          outcome = () => resolve(value);
        },
        finish(failure) {
          if (failure === undefined) outcome();
          else reject(failure);
        },
      });
      if (this.#idle) {
        this.#idle = false;
        // Deferred, so that requests that arrived together can queue first and share the commit.
        setImmediate(() => void this.#work());
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#idle) await new Promise<void>((resolve) => this.#drained.push(resolve));
    await Promise.all(this.#syncing);
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#batch();
      // Lets I/O happen between batches.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#idle = true;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  async #batch(): Promise<void> {
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    try {
      await this.#begin();
      const until = performance.now() + batchMs;
      do {
        const job = this.#waiting.shift();
        if (!job) break;
        done.push(job);
        const error = await this.#one(job, done.length === 1);
        if (error) {
          done.pop();
          failed.push({ job, error: error.cause });
        }
      } while (this.#db.isTransaction && done.length < batchSize && performance.now() < until);
      if (done.length > 0) {
        this.#db.exec('COMMIT');
        this.#committed();
      }
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      // Without a lock nothing has run yet; then the first one fails, and the others try again.
      const first = done.length === 0 && failed.length === 0 ? this.#waiting.splice(0, 1) : [];
      for (const job of [...done.splice(0), ...first]) job.finish(error);
    }
    const settle = (error?: unknown) => {
      for (const job of done) job.finish(error);
      for (const each of failed)
        each.job.finish(each.error ?? new Error('A transaction failed without an error'));
    };
    const durable = done.length > 0 ? this.#durable() : undefined;
    if (!durable) return settle();
    const lose = (error: unknown) => {
      this.#lost ??= { error };
      settle(error);
    };
    const syncing = durable.then(() => settle(), lose).finally(() => this.#syncing.delete(syncing));
    this.#syncing.add(syncing);
  }

  /** The first of a batch has no savepoint: if it fails, the batch is over. Throws an error that ends the whole batch. */
  async #one(job: Job, first: boolean): Promise<{ cause: unknown } | null> {
    if (!first) this.#db.exec('SAVEPOINT job');
    try {
      await job.run();
    } catch (error) {
      // SQLite ends the whole transaction itself, for instance on a full disk.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec(first ? 'ROLLBACK' : 'ROLLBACK TO job; RELEASE job');
      return { cause: error };
    }
    if (!first) this.#db.exec('RELEASE job');
    return null;
  }

  async #begin(): Promise<void> {
    const until = performance.now() + lockTimeoutMs;
    for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
      try {
        this.#db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === busy
  );
}
