/** Reads the JSON files that a command is given. */
import { readFile } from 'node:fs/promises';
import { CommandError } from './command.ts';

/**
 * Reads a text file. Editors on Windows may begin it with a byte-order mark, which is left out.
 * @throws {CommandError} if the file cannot be read
 */
export async function readTextFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`File not found: ${path}.`);
    throw unreadable(path, error.message);
  });
  return text.replace(/^\uFEFF/, '');
}

/** Reads and parses a JSON file. @throws {CommandError} if the file is missing or is not valid JSON */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
}

export function unreadable(path: string, why: string): CommandError {
  return new CommandError(`Could not read ${path}: ${why}.`);
}
