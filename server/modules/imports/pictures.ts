/** They lie beside a file and are named in it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pictureName } from '#contract/media.ts';
import { type Problem, problem } from '#contract/problems.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';

/** An image that an entry of a file names. */
export interface NamedPicture {
  /** Such as `['products', 'river-mug']`. */
  owner: readonly string[];
  file: string;
}

export interface FoundPictures {
  folder: string;
  /** Of the images that lie in the folder. */
  files: string[];
  /** Images that are neither there nor in the shop, or are not images. */
  problems: Problem[];
}

/** In `folder` and in the shop. Imports nothing. */
export async function findPictures(media: MediaService, named: readonly NamedPicture[], folder: string): Promise<FoundPictures> {
  const owners = Map.groupBy(named, ({ file }) => file);
  const inShop = await media.images([...owners.keys()]);
  const found: FoundPictures = { folder, files: [], problems: [] };
  for (const [file, users] of owners) {
    const result = await lookFor(media, file, { folder, isInShop: inShop.has(file) });
    if (result === 'beside') found.files.push(file);
    else if (result !== 'inShop')
      found.problems.push(...users.map(({ owner }) => problem(owner, result.key, { file, folder, ...result.values })));
  }
  return found;
}

async function lookFor(
  media: MediaService,
  file: string,
  { folder, isInShop }: { folder: string; isInShop: boolean },
): Promise<'beside' | 'inShop' | Pick<Problem, 'key' | 'values'>> {
  const heic = { key: 'problem.image.heic', values: { jpeg: `${file.replace(/\.\w+$/, '')}.jpg` } } as const;
  if (/\.hei[cf]$/i.test(file)) return heic;
  if (!pictureName.test(file)) return { key: 'problem.image.name', values: { file: JSON.stringify(file) } };
  const bytes = await readFile(join(folder, file)).catch(() => null);
  if (!bytes && isInShop) return 'inShop';
  if (!bytes) {
    const similar = (await readdir(folder).catch(() => [])).find((name) => name.toLowerCase() === file.toLowerCase());
    return similar === undefined
      ? { key: 'problem.image.missing', values: {} }
      : { key: 'problem.image.letters', values: { other: similar } };
  }
  return media.requireImage(file, bytes).then(
    () => 'beside',
    (error: unknown) =>
      isHeic(bytes)
        ? heic
        : { key: 'problem.image.invalid', values: { reason: error instanceof Error ? error.message : String(error) } },
  );
}

/** Whatever its name: a "file type" box with one of the brands that phones write. */
function isHeic(bytes: Buffer): boolean {
  return /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/.test(bytes.toString('latin1', 4, 12));
}

/** Every image of a shop has a unique name. */
export async function importPictures(
  media: MediaService,
  run: RunChange,
  { files, folder }: FoundPictures,
  { replaced }: { replaced(image: string): void },
): Promise<void> {
  const before = await media.images(files);
  for (const file of files) await media.addOriginal(run, file, await readFile(join(folder, file)));
  const after = await media.images(files);
  for (const file of files) {
    const old = before.get(file);
    if (old && old.imageURL !== after.get(file)?.imageURL) replaced(file);
  }
}
