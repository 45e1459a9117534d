/** Imports the images that lie beside a file and are named in it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '#server/container.ts';
import { CommandError, type Terminal } from './command.ts';

export const imageExtensions = ['jpg', 'jpeg', 'png', 'webp', 'avif'];
/** Videos and their subtitles. */
export const videoExtensions = ['mp4', 'webm', 'vtt'];

/**
 * Imports the images that `named` names from `folder`. Prints the images that are missing and those that replaced an existing
 * one: every image of a shop has a unique name.
 * @throws {CommandError} for an image that cannot be read; that image stays unchanged
 */
export async function importPictures({ media }: Services, named: unknown, folder: string, terminal: Terminal): Promise<void> {
  const all = namedFiles(named, imageExtensions);
  const before = await media.images(all);
  const imported: string[] = [];
  for (const name of all) {
    if (/[A-Z]/.test(name.slice(name.lastIndexOf('.')))) {
      terminal.print(`${name} was skipped: write its extension in lowercase, in the file name and in this file.`);
      continue;
    }
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes) {
      await media.addOriginal(name, bytes).catch((error: unknown) => {
        throw new CommandError(`${name} is not a valid image: ${error instanceof Error ? error.message : error}`);
      });
      imported.push(name);
    } else if (!before.has(name)) terminal.print(`${name} was not found in ${folder} and has not been imported.`);
  }
  const after = await media.images(imported);
  for (const name of imported) {
    const old = before.get(name);
    if (old && old.imageURL !== after.get(name)?.imageURL) terminal.print(`${name} replaced the existing image.`);
  }
}

/** The file names with one of these extensions that a value names, each once, in the order of their first mention. */
export function namedFiles(value: unknown, extensions: readonly string[]): string[] {
  // In a part of rich text the quotes around a name are themselves escaped.
  const name = new RegExp(`(?<=")[A-Za-z0-9][A-Za-z0-9._-]*\\.(?:${extensions.join('|')})(?=\\\\?")`, 'gi');
  return [...new Set(JSON.stringify(value).match(name) ?? [])];
}
