/**
 * Several transactions as one: what a service does in transactions of its own is part of one that is open, and is committed with it, or
 * not at all. For work that calls many services and must not stop halfway.
 */
import { sql } from 'kysely';
import { CommitWork } from './before-commit.ts';
import type { Database, Reader, Trx } from './database.ts';

export interface Joined {
  /** For the services. Outside `together` it reads what is committed, and writes as the database does. */
  db: Database;
  /** Runs `work`, whose transactions through `db` become one of the database. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Within `together`: if `work` fails, what it did is taken back, and the rest stays. */
  apart<T>(work: () => Promise<T>): Promise<T>;
}

/** `db` must not be closed through the result. One `together` at a time. */
export function joinTransactions(db: Database): Joined {
  const work = new CommitWork();
  let open: Trx | null = null;
  /** One savepoint after the other. */
  let last: Promise<unknown> = Promise.resolve();

  async function within<T>(outer: Trx, inner: (trx: Trx) => Promise<T>): Promise<T> {
    // Another object on the same connection: what is kept by transaction, such as who acts, ends with this part.
    const trx = outer.withoutPlugins() as Reader as Trx;
    return saved(outer, 'part', () => work.finish(trx, inner));
  }

  const joined: Database = {
    ...db,
    read: delegating(() => open ?? db.read),
    changes: db.changes,
    transaction(inner) {
      const outer = open;
      if (!outer) return db.transaction((trx) => work.finish(trx, inner));
      const mine = last.then(() => within(outer, inner));
      last = mine.catch(() => {});
      return mine;
    },
    beforeCommit: (each) => work.add(each),
  };
  return {
    db: joined,
    together: (all) =>
      db.transaction(async (trx) => {
        open = trx;
        try {
          return await all();
        } finally {
          open = null;
        }
      }),
    apart(all) {
      if (!open) throw new Error('There is no transaction to be apart from');
      return saved(open, 'whole', all);
    },
  };
}

/** Takes back what `work` did if it fails. */
async function saved<T>(trx: Trx, name: 'part' | 'whole', work: () => Promise<T>): Promise<T> {
  const savepoint = sql.id(name);
  await sql`savepoint ${savepoint}`.execute(trx);
  try {
    const result = await work();
    await sql`release savepoint ${savepoint}`.execute(trx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint ${savepoint}`.execute(trx);
    await sql`release savepoint ${savepoint}`.execute(trx);
    throw error;
  }
}

/** A reader that is another one at every use. */
function delegating(current: () => Reader): Reader {
  return new Proxy({} as Reader, {
    get(_target, name) {
      const reader = current();
      const value: unknown = Reflect.get(reader, name, reader);
      return typeof value === 'function' ? value.bind(reader) : value;
    },
  });
}
