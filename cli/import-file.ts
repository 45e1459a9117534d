/** Imports a file with the images beside it, once everything in it is known to be right. */
import { dirname } from 'node:path';
import type { Problem } from '#contract/problems.ts';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { Terminal } from './command.ts';
import { nothingImported } from './file-problems.ts';
import { findPictures, importPictures, type NamedPicture } from './pictures.ts';

export interface CheckedFile {
  path: string;
  /** Only says whether the file could be imported. */
  check: boolean;
  problems: readonly Problem[];
  pictures: readonly NamedPicture[];
  /** What the import changes. */
  plan?: readonly string[] | undefined;
}

/** Imports the images, then runs `write`. @throws {CommandError} naming every problem, with nothing imported */
export async function importFile(
  services: Services,
  run: RunChange,
  terminal: Terminal,
  { path, check, problems, pictures, plan = [] }: CheckedFile,
  write: () => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  const found = await findPictures(services, pictures, folder);
  const all = [...problems, ...found.problems];
  if (all.length > 0) throw nothingImported(all, terminal.t);
  for (const line of plan) terminal.print(line);
  if (check) {
    terminal.print(`${path} is valid. Nothing was imported.`);
    return;
  }
  await importPictures(services, run, { files: found.files, folder }, terminal);
  await write();
}
