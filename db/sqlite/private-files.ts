/** Files that hold customers' data are their owner's alone: folders have mode 700, files 600. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';

const folderMode = 0o700;
const fileMode = 0o600;

/** Makes a folder that only its owner enters, and closes one that is there already to everybody else. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  restrict(folder, folderMode);
}

/** Makes a file that only its owner reads, empty where there was none. */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', fileMode));
  restrict(file, fileMode);
}

function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Somebody else's folder, or a file system without modes: whoever set that up decides who reads it.
  }
}
