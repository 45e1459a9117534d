/**
 * Queries that are built and compiled once, for the calls that customers make most: building a query costs several times what
 * SQLite needs to run it. PostgreSQL prepares each once per connection.
 */
import { type Compilable, type CompiledQuery, PostgresAdapter, type QueryResult } from 'kysely';
import type { Reader } from './database.ts';

/** A query whose text never changes, so that a connection may keep it prepared. */
export interface FixedQuery<R = unknown> extends CompiledQuery<R> {
  readonly fixed: true;
}

export function isFixed(query: CompiledQuery): boolean {
  return 'fixed' in query;
}

export interface Statement<P, R> {
  rows(db: Reader, values: P): Promise<R[]>;
  /** The first row; null if there is none. */
  first(db: Reader, values: P): Promise<R | null>;
  /** Runs a statement that changes rows. Returns how many. */
  change(db: Reader, values: P): Promise<number>;
}

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy(
  {},
  {
    get: (_, name) => new Placeholder(String(name)),
  },
);

/**
 * Makes a statement of a Kysely query. `build` is called once per engine. Its `values` are placeholders: it passes them to the
 * query and does not look at them, so they suit no list (`in`), and no condition that depends on a value.
 */
export function statement<P extends object, R>(build: (db: Reader, values: P) => Compilable<R>): Statement<P, R> {
  let sqlite: FixedQuery<R> | undefined;
  let postgres: FixedQuery<R> | undefined;

  function compiled(db: Reader): FixedQuery<R> {
    const make = (): FixedQuery<R> => ({ ...build(db, placeholders as P).compile(), fixed: true });
    if (db.getExecutor().adapter instanceof PostgresAdapter) {
      postgres ??= make();
      return postgres;
    }
    sqlite ??= make();
    return sqlite;
  }

  function run(db: Reader, values: P): Promise<QueryResult<R>> {
    const query = compiled(db);
    const given = values as Readonly<Record<string, unknown>>;
    const parameters = query.parameters.map((each) => (each instanceof Placeholder ? given[each.name] : each));
    return db.executeQuery({ ...query, parameters });
  }

  return {
    rows: async (db, values) => (await run(db, values)).rows,
    first: async (db, values) => (await run(db, values)).rows[0] ?? null,
    change: async (db, values) => Number((await run(db, values)).numAffectedRows ?? 0n),
  };
}

/** Statements for each set of columns that callers set, made by `make` when it is first needed. */
export function statementByColumns<S>(make: (columns: readonly string[]) => S): (row: object) => S {
  const made = new Map<string, S>();
  return (row) => {
    const columns = Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const key = columns.join();
    const found = made.get(key) ?? make(columns);
    made.set(key, found);
    return found;
  };
}
