/** Reads the archives of shops, which `server/platform/zip.ts` writes. */
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ZipFile, Entry as ZippedFile } from 'yauzl';
import { pictureName } from '#contract/media.ts';
import { OperationError } from '#server/platform/errors.ts';

/** Of an archive that `fill` unpacks, at most: whoever made it may mean ill. */
const limits = {
  entries: 500_000,
  /** Bytes of a picture, as those that are uploaded. */
  picture: 25_000_000,
  /** Bytes of a file of JSON: the longest text that is read. */
  json: 500_000_000,
  /** Bytes in all. */
  all: 100_000_000_000,
  /** How many times larger than the archive the files may be. */
  ratio: 200,
};
/** Archives of less than this may be of anything that packs well, bytes. */
const small = 100_000_000;

interface UnpackedShop {
  /** Names of the files, `shop.json` first. */
  files: string[];
}

/** Into a folder that is empty. @throws {OperationError} if it is no archive of a shop, or goes beyond the limits */
export async function unzipShop(archive: string, folder: string): Promise<UnpackedShop> {
  const { openPromise } = await import('yauzl');
  await mkdir(folder, { recursive: true });
  const { size } = await stat(archive);
  const zip = await openPromise(archive, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
    validateEntrySizes: true,
  }).catch(refused);
  try {
    return await unpack(zip, folder, Math.min(limits.all, Math.max(small, size * limits.ratio))).catch(
      refused,
    );
  } finally {
    zip.close();
  }
}

function refused(error: unknown): never {
  if (error instanceof OperationError) throw error;
  throw new OperationError('export.zip.damaged', {
    reason: error instanceof Error ? error.message : String(error),
  });
}

/** Its name in the folder, and how large it may be; null for what is not unpacked. */
function placeOf(name: string): { name: string; most: number } | null {
  if (/^(?:shop|posts(?:-[\w-]+)?)\.json$/.test(name)) return { name, most: limits.json };
  const [, picture = ''] = /^pictures\/([^/]+)$/.exec(name) ?? [];
  return pictureName.test(picture) ? { name: picture, most: limits.picture } : null;
}

async function unpack(zip: ZipFile, folder: string, most: number): Promise<UnpackedShop> {
  if (zip.entryCount > limits.entries)
    throw new OperationError('export.zip.tooMany', { most: limits.entries });
  const files = new Set<string>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const place = placeOf(entry.fileName);
    if (!place) continue;
    bytes += entry.uncompressedSize;
    if (files.has(place.name)) throw new OperationError('export.zip.twice', { file: place.name });
    if (entry.uncompressedSize > place.most || bytes > most)
      throw new OperationError('export.zip.tooLarge', { file: place.name });
    files.add(place.name);
    await write(zip, entry, join(folder, place.name));
  }
  if (!files.has('shop.json')) throw new OperationError('export.zip.noShop');
  return { files: [...files].sort((a, b) => Number(b === 'shop.json') - Number(a === 'shop.json')) };
}

/** Its size was checked, and is held to what it says. */
async function write(zip: ZipFile, entry: ZippedFile, path: string): Promise<void> {
  const from = await zip.openReadStreamPromise(entry);
  await pipeline(from, createWriteStream(path, { flags: 'wx' }));
}
