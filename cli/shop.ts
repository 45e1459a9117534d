/** Opens the shop's services for a command, whether or not the shop is running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#db/database.ts';
import { pendingMigrations } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { createContainer, type Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import { CommandError, type Terminal } from './command.ts';

/** While other processes use the database. `run` names the terminal in the journal. @throws {CommandError} without a database, or before `migrate` */
export async function withShop<T>(terminal: Terminal, work: (services: Services, run: RunChange) => Promise<T>): Promise<T> {
  const env = terminal.env();
  if (!env.databaseUrl && !existsSync(join(env.dataDir, sqliteFileName)))
    throw new CommandError(`There is no database in ${env.dataDir} yet. Run "npm start" to create it.`);
  const db = await openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl });
  try {
    if ((await pendingMigrations(db)).pending.length > 0)
      throw new CommandError('The database has pending migrations. Run "npm run shop -- migrate" first.');
    const services = createContainer({ db, env, now: Date.now });
    terminal.timeZone = await services.stores.timeZone();
    await services.settings.all();
    return await work(services, services.changes.by({ kind: 'terminal' }, terminal.command));
  } finally {
    await db.close();
  }
}
