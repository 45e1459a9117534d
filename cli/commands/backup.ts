/** `backup <file>`: copies the embedded database while the shop runs, and checks the copy. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { makePrivateFile } from '#db/sqlite/private-files.ts';
import { CommandError, type CommandSetup } from '../command.ts';

export const backup: CommandSetup = (program, terminal) => {
  const command = program.command('backup <file>');
  command.description('Copies the embedded database to a new file while the shop runs, and verifies the copy.');
  command.action(async (target: string) => {
    const { dataDir, databaseUrl } = terminal.env();
    if (databaseUrl) throw new CommandError('This shop stores its data in PostgreSQL. Back it up with: pg_dump "$DATABASE_URL"');
    const source = join(dataDir, sqliteFileName);
    if (!existsSync(source)) throw new CommandError(`Database not found: ${source}.`);
    if (existsSync(target))
      throw new CommandError(`${target} already exists. A backup never overwrites a file; choose another name.`);

    const bytes = await copyVerified(source, resolve(target));
    terminal.print(`Backed up ${source} to ${target} (${(bytes / 1024 / 1024).toFixed(1)} MB) and verified the copy.`);
  });
};

/**
 * Writes the copy. It is complete and verified once the file has its final name. Returns its size in bytes.
 * @throws {CommandError} if the copy does not verify; no file is left behind
 */
async function copyVerified(source: string, target: string): Promise<number> {
  const unfinished = `${target}.unfinished`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await rm(unfinished, { force: true });
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
      throw new CommandError(`The copy has rows with missing references: ${orphans.length}. Run "npm run shop -- doctor".`);
  } finally {
    copy.close();
  }
}
