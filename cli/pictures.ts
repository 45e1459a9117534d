/** Pictures that lie beside a file and are named in it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '#server/services.ts';

/** Imports those that `named` names and that lie in `folder`. Returns those that neither lie there nor were imported before. */
export async function importPictures({ media }: Services, named: unknown, folder: string): Promise<string[]> {
  // In a part of rich text the quotes around a name are themselves quoted.
  const names = JSON.stringify(named).match(/(?<=")[A-Za-z0-9][A-Za-z0-9._-]*\.(?:jpe?g|png|webp|avif)(?=\\?")/g) ?? [];
  const missing: string[] = [];
  for (const name of new Set(names)) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes) await media.addOriginal(name, bytes);
    else missing.push(name);
  }
  const known = await media.images(missing);
  return missing.filter((name) => !known.has(name));
}
