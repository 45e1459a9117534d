/** Restricts files with customer data to their owner: folders have mode 700, files 600. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';

const folderMode = 0o700;
const fileMode = 0o600;

/** Creates a folder that only its owner can access, or restricts an existing one. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  restrict(folder, folderMode);
}

/** Creates an empty file that only its owner can read, or restricts an existing one. */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', fileMode));
  restrict(file, fileMode);
}

function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // A folder of another owner, or a file system without modes: its administrator controls access.
  }
}
