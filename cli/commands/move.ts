/** `move <target>`: copies the shop's database to PostgreSQL, or from there to SQLite. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '#db/database.ts';
import { pendingMigrations } from '#db/migrate.ts';
import { moveDatabase } from '#db/move/move.ts';
import { MoveTargetError } from '#db/move/side.ts';
import { parsePostgresUrl } from '#db/postgres/url.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { CommandError, type CommandSetup, countOf } from '../command.ts';

export const move: CommandSetup = (program, terminal) => {
  const command = program.command('move <target>');
  command.description(
    'Copies the database to an empty PostgreSQL database (postgres://…), or to SQLite in a folder. The source stays as it is.',
  );
  command.action(async (target: string) => {
    const { dataDir, databaseUrl } = terminal.env();
    const toPostgres = target.includes('://');
    if (toPostgres && !parsePostgresUrl(target)) throw new CommandError('The target is not the URL of a PostgreSQL database.');
    if (!databaseUrl && !existsSync(join(dataDir, sqliteFileName))) throw new CommandError(`There is no database in ${dataDir}.`);
    const source = await openDatabase({ dataDir, databaseUrl });
    const { pending, newer } = await pendingMigrations(source).finally(() => source.close());
    if (newer) throw new CommandError('A newer version of the program wrote the database. Run the command by that version.');
    if (pending.length > 0) throw new CommandError('The database has pending migrations. Run "npm run shop -- migrate" first.');

    const started = Date.now();
    terminal.print(`The copy has what is in the database at ${new Date(started).toISOString()}.`);
    const from = databaseUrl ? { databaseUrl } : { dataDir };
    const to = toPostgres ? { databaseUrl: target } : { dataDir: resolve(target) };
    const { tables, sourceInUse } = await moveDatabase(from, to, terminal.print).catch((error: unknown) => {
      throw error instanceof MoveTargetError ? new CommandError(error.message) : error;
    });
    const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    terminal.print(`Copied ${countOf(tables.size, 'table')} with ${countOf(rows, 'row')} in ${seconds} s; all rows are equal.`);
    if (sourceInUse) {
      terminal.print(
        'WARN  Others used the database meanwhile, such as a running shop: what they changed may be missing in the copy.',
      );
      terminal.print('      Stop the shop, empty the target and run the command again.');
      terminal.exitCode = 1;
    }
    const setting = toPostgres ? 'set DATABASE_URL to it' : `remove DATABASE_URL and set DATA_DIR=${resolve(target)}`;
    terminal.print(`To use the copy, ${setting}, then start the shop. Images and videos stay where they are.`);
  });
};
