/** Runs queries written as text, for those that every page view or sale needs: nothing is built or compiled per query. */
import { CompiledQuery } from 'kysely';
import type { SqlValue } from './bulk-writes.ts';
import type { EngineName, Reader } from './database.ts';
import type { FixedQuery } from './statement.ts';

const numbered = new Map<string, string>();
const fixed: Record<EngineName, Map<string, FixedQuery>> = { sqlite: new Map(), postgres: new Map() };

/** Runs one of few texts, with `?` for parameters on either engine. PostgreSQL prepares each once per connection. */
export async function select<R>(db: Reader, engine: EngineName, text: string, parameters: readonly SqlValue[]): Promise<R[]> {
  let query = fixed[engine].get(text) as FixedQuery<R> | undefined;
  if (!query) {
    query = { ...CompiledQuery.raw(engine === 'sqlite' ? text : withNumbers(text)), fixed: true } as FixedQuery<R>;
    fixed[engine].set(text, query);
  }
  return (await db.executeQuery<R>({ ...query, parameters })).rows;
}

/**
 * Like `select`, for texts that depend on what is asked (lists, filters): there are many of them, and their best plan depends on
 * the parameters, so PostgreSQL plans each query.
 */
export async function selectVarying<R>(
  db: Reader,
  engine: EngineName,
  text: string,
  parameters: readonly SqlValue[],
): Promise<R[]> {
  const { rows } = await db.executeQuery<R>(CompiledQuery.raw(engine === 'sqlite' ? text : withNumbers(text), [...parameters]));
  return rows;
}

/** Converts to PostgreSQL's parameter syntax. */
function withNumbers(text: string): string {
  let made = numbered.get(text);
  if (!made) {
    let parameter = 0;
    made = text.replace(/\?/g, () => `$${++parameter}`);
    if (numbered.size < 1000) numbered.set(text, made);
  }
  return made;
}
