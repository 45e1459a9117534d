/** Kysely on a pool whose connections prepare what they are asked. */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { sqlState } from '../engines/postgres.ts';
import type { Tables } from '../tables.ts';

/** The part of a client that is used here. */
export type Client = Pick<pg.PoolClient, 'query'> & { release(broken?: boolean): void };

export interface ClientSource {
  connect(): Promise<Client>;
  end(): Promise<void>;
  readonly options: object;
  /** Whether a pooler is in between, which knows no prepared statements. */
  readonly pooler: boolean;
}

export function kyselyOn(source: ClientSource): Kysely<Tables> {
  const pool = {
    connect: async () => lentClient(await source.connect(), !source.pooler),
    end: () => source.end(),
    options: source.options,
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** SQLSTATE of a prepared query whose columns a migration has changed. */
export const planOutdated = '0A000';

/** More than the program's queries; of those whose text varies, such as lists of values, the first are prepared. */
const mostNames = 1000;
const names = new Map<string, string>();

/** The name under which connections prepare a query; undefined if there are too many. */
export function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < mostNames) {
    name = `q${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** Connections whose prepared queries are outdated. */
const outdated = new WeakSet<Client>();

/**
 * A connection for one transaction, or one read. It has the server parse and plan each query once: reading the lines of a cart takes
 * the server half the time then. A query that was not awaited must not run outside its transaction.
 */
function lentClient(client: Client, prepares: boolean): PostgresPoolClient {
  let ended = false;
  const query = async (text: string, given: readonly unknown[]) => {
    if (ended && text !== 'rollback') throw new Error('A query came after its transaction had ended; was it awaited?');
    ended = text === 'commit' || text === 'rollback';
    const name = prepares && given.length > 0 && !outdated.has(client) ? nameOf(text) : undefined;
    const values = [...given];
    try {
      return await client.query({ text, values, ...(name ? { name } : {}) });
    } catch (error) {
      if (name === undefined || sqlState(error) !== planOutdated) throw error;
      outdated.add(client);
      // A transaction has failed with it, and is run again.
      return client.query({ text, values }).catch(() => Promise.reject(error));
    }
  };
  return { query, release: (broken?: boolean) => client.release(broken) } as unknown as PostgresPoolClient;
}
