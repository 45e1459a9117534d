/** Runs queries written as text, for the few that every page view needs: nothing is built or compiled per query. */
import { CompiledQuery } from 'kysely';
import type { SqlValue } from './bulk-writes.ts';
import type { EngineName, Reader } from './database.ts';

const numbered = new Map<string, string>();

/** Runs `text`, with `?` for parameters on either engine. */
export async function select<R>(db: Reader, engine: EngineName, text: string, parameters: readonly SqlValue[]): Promise<R[]> {
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
