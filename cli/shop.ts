/** Opens the shop's services for a command, whether or not the shop is running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { openDatabase } from '#db/database.ts';
import { pendingMigrations } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { createContainer, type Services } from '#server/container.ts';
import { CommandError, type Terminal, usageError } from './command.ts';

/**
 * Runs `work` on the shop's database, which other processes may use meanwhile. The running shop sends the emails that it
 * causes, or the next one that starts.
 * @throws {CommandError} if there is no database yet, or if it needs `migrate`
 */
export async function withShop<T>(terminal: Terminal, work: (services: Services) => Promise<T>): Promise<T> {
  const env = terminal.env();
  if (!env.databaseUrl && !existsSync(join(env.dataDir, sqliteFileName)))
    throw new CommandError(`There is no database in ${env.dataDir} yet. Run "npm start" to create it.`);
  const db = await openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl });
  try {
    if ((await pendingMigrations(db)).pending.length > 0)
      throw new CommandError('The database has pending migrations. Run "npm run shop -- migrate" first.');
    return await work(createContainer({ db, env, now: Date.now }));
  } finally {
    await db.close();
  }
}

/**
 * Parses arguments with `node:util`.
 * @param usage the command with its arguments, for the usage line
 * @throws {CommandError} for an unknown or invalid argument
 */
export function readArgs<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw usageError(problem.endsWith('.') ? problem : `${problem}.`, usage);
  }
}

/** Parses a decimal amount such as "12.34" into integer cents. @throws {CommandError} for anything else */
export function parseCents(text: string): number {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0 : Number(whole) * 100 + Number(part.padEnd(2, '0'));
  if (cents === 0) throw new CommandError(`${text} is not a valid amount. Write it as 12.34.`);
  return cents;
}
