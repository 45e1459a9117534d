/** Files that a command is given. */
import { readFile } from 'node:fs/promises';
import { CommandError } from './command.ts';

/** What `path` holds as JSON. @throws CommandError where it is not there, or no JSON */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`There is no file ${path}.`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
}

export function unreadable(path: string, why: string): CommandError {
  return new CommandError(`${path} cannot be read: ${why}`);
}
