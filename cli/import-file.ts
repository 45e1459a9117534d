/** Imports a file with the images beside it, once everything in it is known to be right. */
import { dirname } from 'node:path';
import type { Services } from '#server/container.ts';
import { type Terminal, usageError } from './command.ts';
import { nothingImported } from './file-problems.ts';
import { findPictures, importPictures, type NamedPicture } from './pictures.ts';
import { readArgs } from './shop.ts';

/** How commands that import a file are called. */
export const importUsage = '[--check] <file>';

/** @throws {CommandError} if the arguments are not those of `importUsage` */
export function readImportArgs(command: string, args: readonly string[]): { path: string; check: boolean } {
  const options = { check: { type: 'boolean' } } as const;
  const usage = `${command} ${importUsage}`;
  const { values, positionals } = readArgs({ args: [...args], options, allowPositionals: true }, usage);
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw usageError(path ? 'Expected one file.' : 'Missing file.', usage);
  return { path, check: values.check === true };
}

export interface CheckedFile {
  path: string;
  /** Only says whether the file could be imported. */
  check: boolean;
  problems: readonly string[];
  pictures: readonly NamedPicture[];
}

/** Imports the images, then runs `write`. Returns the exit code. @throws {CommandError} naming every problem, with nothing imported */
export async function importFile(
  services: Services,
  terminal: Terminal,
  { path, check, problems, pictures }: CheckedFile,
  write: () => Promise<void>,
): Promise<number> {
  const folder = dirname(path);
  const found = await findPictures(services, pictures, folder);
  const all = [...problems, ...found.problems];
  if (all.length > 0) throw nothingImported(all);
  if (check) {
    terminal.print(`${path} is valid. Nothing was imported.`);
    return 0;
  }
  await importPictures(services, found.files, folder, terminal);
  await write();
  return 0;
}
