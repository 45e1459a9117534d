/** Forward only. */
import { sql } from 'kysely';
import type { Database, Trx } from './database.ts';
import { type Migration, migrations as shipped } from './migrations/index.ts';

/** Added to the numbers of migrations while data is moved into a database, so that no shop uses it. */
export const unfinishedMove = 1_000_000;

/** This version would damage the database. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';

  constructor(database: number, program: number) {
    if (database > unfinishedMove) {
      super(
        'Data is being moved into this database, or a move was interrupted. Wait for its end, or run the command "move" again.',
      );
      return;
    }
    super(
      `The database is at version ${database}; this program supports versions up to ${program}. ` +
        'It was migrated by a newer version. Run that version, or restore an older backup.',
    );
  }
}

/** One transaction each, under a lock: several processes may start at once. @throws {NewerDatabaseError} */
export async function migrate(db: Database, migrations: readonly Migration[] = shipped): Promise<string[]> {
  const newest = Math.max(0, ...migrations.map((migration) => migration.id));
  const ran: string[] = [];
  for (const migration of migrations) {
    const done = await db.transaction(async (trx) => {
      const version = await lockedVersion(db, trx);
      if (version > newest) throw new NewerDatabaseError(version, newest);
      if (version >= migration.id) return false;
      await migration.up(trx, db.engine);
      await sql`insert into schema_migrations (id, name) values (${migration.id}, ${migration.name})`.execute(
        trx,
      );
      return true;
    });
    if (done) ran.push(migration.name);
  }
  return ran;
}

export async function isMigrated(db: Database, migrations: readonly Migration[] = shipped): Promise<boolean> {
  const newest = Math.max(0, ...migrations.map((migration) => migration.id));
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from schema_migrations`.execute(
    db.read,
  );
  return rows[0]?.id === newest;
}

/** `newer`: `migrate` would throw `NewerDatabaseError`. */
export async function pendingMigrations(
  db: Database,
  migrations: readonly Migration[] = shipped,
): Promise<{ pending: string[]; newer: NewerDatabaseError | null }> {
  const tables = await db.read.introspection.getTables();
  const known = tables.some(({ name }) => name === 'schema_migrations');
  const { rows } = known
    ? await sql<{ id: number | null }>`select max(id) as id from schema_migrations`.execute(db.read)
    : { rows: [] };
  const version = rows[0]?.id ?? 0;
  const newest = Math.max(0, ...migrations.map(({ id }) => id));
  return {
    pending: migrations.filter(({ id }) => id > version).map(({ name }) => name),
    newer: version > newest ? new NewerDatabaseError(version, newest) : null,
  };
}

async function lockedVersion(db: Database, trx: Trx): Promise<number> {
  await db.queries.lock(trx, 'migrate');
  await sql`create table if not exists schema_migrations (id integer primary key, name text not null)`.execute(
    trx,
  );
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from schema_migrations`.execute(trx);
  return rows[0]?.id ?? 0;
}
