import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';

const folderMode = 0o700;
const fileMode = 0o600;

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  restrict(folder, folderMode);
}

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
