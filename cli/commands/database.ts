/** `backup`, `migrate`, `move`: copies, migrates and moves the database (docs/how-to/operate-a-shop.md). */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#db/database.ts';
import { migrate as migrateDatabase, pendingMigrations } from '#db/migrate.ts';
import { moveDatabase } from '#db/move/move.ts';
import { MoveTargetError } from '#db/move/side.ts';
import { parsePostgresUrl } from '#db/postgres/url.ts';
import { makePrivateFile, sqliteFileName } from '#db/sqlite/open.ts';
import { CommandError, type CommandSetup, countOf, unfinishedName } from '../command.ts';

export const backup: CommandSetup = (program, terminal) => {
  const command = program.command('backup <file>');
  command.description(
    'Copies the embedded database to a new file while the shop runs, and verifies the copy.',
  );
  command.changes('id', async (target: string) => {
    const { dataDir, databaseUrl } = terminal.env();
    if (databaseUrl)
      throw new CommandError(
        'This shop stores its data in PostgreSQL. Back it up with: pg_dump "$DATABASE_URL"',
      );
    const source = join(dataDir, sqliteFileName);
    if (!existsSync(source)) throw new CommandError(`Database not found: ${source}.`);
    if (existsSync(target)) throw existing(target);

    const bytes = await copyVerified(source, resolve(target));
    terminal.print(
      `Backed up ${source} to ${target} (${(bytes / 1024 / 1024).toFixed(1)} MB) and verified the copy.`,
    );
  });
};

const existing = (target: string) =>
  new CommandError(`${target} already exists. A backup never overwrites a file; choose another name.`);

/** Complete and verified once the file has its final name; its size in bytes. @throws {CommandError} if not, and leaves no file behind */
async function copyVerified(source: string, target: string): Promise<number> {
  const unfinished = unfinishedName(target);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  makePrivateFile(unfinished);
  try {
    const from = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
    try {
      // All pages in one step, which sees one moment while writers continue. Small steps would restart at every sale.
      await copyDatabase(from, unfinished, { rate: 2 ** 31 - 1 });
    } finally {
      from.close();
    }
    verify(unfinished);
    if (existsSync(target)) throw existing(target);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return (await stat(target)).size;
}

function verify(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    // As one file, without a write-ahead log beside it, it can be moved anywhere.
    copy.exec('PRAGMA journal_mode = DELETE');
    const verdicts = copy
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row.integrity_check));
    const orphans = copy.prepare('PRAGMA foreign_key_check').all();
    if (verdicts.join() !== 'ok')
      throw new CommandError(
        `The copy is damaged, and the database may be too. Run "npm run shop -- doctor". Details: ${verdicts.slice(0, 5).join('; ')}`,
      );
    if (orphans.length > 0)
      throw new CommandError(
        `The copy has rows with missing references: ${orphans.length}. Run "npm run shop -- doctor".`,
      );
  } finally {
    copy.close();
  }
}

export const migrate: CommandSetup = (program, terminal) => {
  const command = program
    .command('migrate')
    .description('Migrates the database to this version, as `npm start` does.');
  command.changes('same', async () => {
    const { dataDir, databaseUrl } = terminal.env();
    const db = await openDatabase({ dataDir, databaseUrl });
    try {
      const ran = await migrateDatabase(db);
      for (const name of ran) terminal.print(`Ran migration ${name}.`);
      terminal.print(
        `${ran.length === 0 ? '' : `Ran ${countOf(ran.length, 'migration')}. `}The database is up to date.`,
      );
    } finally {
      await db.close();
    }
  });
};

export const move: CommandSetup = (program, terminal) => {
  const command = program.command('move <target>');
  command.description(
    'Copies the database to an empty PostgreSQL database (postgres://…), or to SQLite in a folder. The source stays as it is.',
  );
  command.changes('id', async (target: string) => {
    const { dataDir, databaseUrl } = terminal.env();
    const toPostgres = target.includes('://');
    if (toPostgres && !parsePostgresUrl(target))
      throw new CommandError('The target is not the URL of a PostgreSQL database.');
    if (!databaseUrl && !existsSync(join(dataDir, sqliteFileName)))
      throw new CommandError(`There is no database in ${dataDir}.`);
    const source = await openDatabase({ dataDir, databaseUrl });
    const { pending, newer } = await pendingMigrations(source).finally(() => source.close());
    if (newer)
      throw new CommandError(
        'A newer version of the program wrote the database. Run the command by that version.',
      );
    if (pending.length > 0)
      throw new CommandError('The database has pending migrations. Run "npm run shop -- migrate" first.');

    const started = Date.now();
    terminal.print(`The copy has what is in the database at ${new Date(started).toISOString()}.`);
    const from = databaseUrl ? { databaseUrl } : { dataDir };
    const to = toPostgres ? { databaseUrl: target } : { dataDir: resolve(target) };
    const { tables, sourceInUse } = await moveDatabase(from, to, terminal.print).catch((error: unknown) => {
      throw error instanceof MoveTargetError ? new CommandError(error.message) : error;
    });
    const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    terminal.print(
      `Copied ${countOf(tables.size, 'table')} with ${countOf(rows, 'row')} in ${seconds} s; all rows are equal.`,
    );
    if (sourceInUse) {
      terminal.print(
        'WARN  Others used the database meanwhile, such as a running shop: what they changed may be missing in the copy.',
      );
      terminal.print('      Stop the shop, empty the target and run the command again.');
      terminal.exitCode = 1;
    }
    const setting = toPostgres
      ? 'set DATABASE_URL to it'
      : `remove DATABASE_URL and set DATA_DIR=${resolve(target)}`;
    terminal.print(
      `To use the copy, ${setting}, then start the shop. Images and videos stay where they are.`,
    );
  });
};
