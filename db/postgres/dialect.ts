import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { sqlState } from '../engines/postgres.ts';
import type { Tables } from '../tables.ts';

export type Client = Pick<pg.PoolClient, 'query'> & { release(broken?: boolean): void };

export interface ClientSource {
  connect(): Promise<Client>;
  end(): Promise<void>;
  readonly options: object;
  /** Such as PgBouncer: it knows no prepared statements. */
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

/** A migration has changed the columns of a prepared query. */
export const planOutdated = '0A000';

/** More than the program's queries; of those whose text varies, such as lists of values, the first are prepared. */
const mostNames = 1000;
const names = new Map<string, string>();

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

/** For one transaction or read. Queries are prepared; one that was not awaited must not run outside its transaction. */
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
