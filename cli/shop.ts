/** The shop's services for a command, whether or not the shop runs beside it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { openDatabase } from '#db/database.ts';
import { pendingMigrations } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { createContainer, type Services } from '#server/container.ts';
import { CommandError, type Terminal } from './command.ts';

/**
 * Runs `work` on the shop's database, which stays closed to nobody. Mails that it causes are sent by the
 * running shop, or by the next one that starts.
 * @throws CommandError where there is no database yet, or one that needs `migrate`
 */
export async function withShop<T>(terminal: Terminal, work: (services: Services) => Promise<T>): Promise<T> {
  const env = terminal.env();
  if (!env.databaseUrl && !existsSync(join(env.dataDir, sqliteFileName)))
    throw new CommandError(`There is no database in ${env.dataDir} yet: npm start makes it.`);
  const db = await openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl });
  try {
    if ((await pendingMigrations(db)).pending.length > 0)
      throw new CommandError('The database needs this version’s migrations first: npm run shop -- migrate');
    return await work(createContainer({ db, env, now: Date.now }));
  } finally {
    await db.close();
  }
}

/** Arguments as `node:util` reads them. @throws CommandError for what it does not know */
export function readArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** Cents from a number like 12.34. @throws CommandError for anything else */
export function centsOf(text: string): number {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0 : Number(whole) * 100 + Number(part.padEnd(2, '0'));
  if (cents === 0) throw new CommandError(`${text} is no amount: write it like 12.34.`);
  return cents;
}
