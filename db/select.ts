/** Queries written as text, for the few that every visitor makes: nothing is built or compiled for each. */
import { CompiledQuery } from 'kysely';
import type { SqlValue } from './bulk-writes.ts';
import type { EngineName, Reader } from './database.ts';

const numbered = new Map<string, string>();

/** Runs `text`, whose parameters are written `?` for either engine. */
export async function select<R>(db: Reader, engine: EngineName, text: string, parameters: readonly SqlValue[]): Promise<R[]> {
  const { rows } = await db.executeQuery<R>(CompiledQuery.raw(engine === 'sqlite' ? text : withNumbers(text), [...parameters]));
  return rows;
}

/** PostgreSQL's way of writing parameters. */
function withNumbers(text: string): string {
  let made = numbered.get(text);
  if (!made) {
    let parameter = 0;
    made = text.replace(/\?/g, () => `$${++parameter}`);
    if (numbered.size < 1000) numbered.set(text, made);
  }
  return made;
}
