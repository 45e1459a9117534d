/** Copies a shop's own images and videos from its data folder to the object store. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pictureName } from '#contract/media.ts';
import { createS3Storage, type S3Storage, type S3Target } from './s3-storage.ts';
import { videoName } from './videos.ts';

/** Folders of the media folder, and the names that their files can have. Generated sizes are not copied: the shop makes them again. */
const folders: Readonly<Record<string, RegExp>> = { originals: pictureName, films: videoName };

const atOnce = 4;

export interface UploadOptions {
  dataDir: string;
  mediaStore: S3Target;
  /** Overwrites files whose content in the store is another. */
  replace: boolean;
}

/** Names are keys of the store, such as `originals/mug.jpg`, in order. */
export interface UploadResult {
  uploaded: string[];
  bytes: number;
  /** Files that the store had already, with the same content. */
  present: string[];
  /** Files whose content in the store is another. If there are any and they must not be replaced, nothing is uploaded. */
  different: string[];
  /** Files that are neither images nor videos by their names. */
  ignored: string[];
  /** Why uploading stopped before all files were sent; null if it did not. */
  error: unknown;
}

interface LocalFile {
  key: string;
  path: string;
  size: number;
}

/** Compares everything first; after `error` the next upload goes on. @throws {Error} if the folder or the store cannot be read */
export async function uploadMedia({ dataDir, mediaStore, replace }: UploadOptions): Promise<UploadResult> {
  const store = createS3Storage(mediaStore);
  const { files, ignored } = await localFiles(join(dataDir, 'media'));
  const states = new Map<LocalFile, StoredState>();
  await forEachAtOnce(files, async (file) => void states.set(file, await stateOf(store, file)));
  const having = (state: StoredState) => files.filter((file) => states.get(file) === state);
  const different = having('different');
  const planned =
    different.length > 0 && !replace ? [] : files.filter((file) => states.get(file) !== 'present');
  const sent = new Set<LocalFile>();
  let error: unknown = null;
  try {
    await forEachAtOnce(planned, async (file) => {
      await store.upload(file.key, file.path, file.size);
      sent.add(file);
    });
  } catch (cause) {
    error = cause;
  }
  return {
    uploaded: namesOf([...sent]),
    bytes: [...sent].reduce((sum, { size }) => sum + size, 0),
    present: namesOf(having('present')),
    different: namesOf(different),
    ignored,
    error,
  };
}

const namesOf = (files: readonly LocalFile[]) => files.map(({ key }) => key).sort();

async function localFiles(media: string): Promise<{ files: LocalFile[]; ignored: string[] }> {
  const files: LocalFile[] = [];
  const ignored: string[] = [];
  for (const [folder, pattern] of Object.entries(folders)) {
    for (const name of (await namesIn(join(media, folder))).sort()) {
      const path = join(media, folder, name);
      const stats = await stat(path);
      if (stats.isFile() && pattern.test(name))
        files.push({ key: `${folder}/${name}`, path, size: stats.size });
      else ignored.push(`${folder}/${name}`);
    }
  }
  return { files, ignored };
}

/** The names in a folder; none if it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

type StoredState = 'missing' | 'present' | 'different';

async function stateOf(store: S3Storage, { key, path, size }: LocalFile): Promise<StoredState> {
  const digest = await digestOf(createReadStream(path));
  const stored = await store.stat(key);
  if (!stored) return 'missing';
  if (stored.size !== size) return 'different';
  // The ETag is the MD5 of an object that was written in one part, unless the store encrypts it with a key of its own.
  if (size === 0 || stored.etag === `"${digest}"`) return 'present';
  return (await digestOf(await store.stream(key, 0, size - 1))) === digest ? 'present' : 'different';
}

async function digestOf(content: Readable): Promise<string> {
  const hash = createHash('md5');
  for await (const part of content) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Works on a few at a time. After a rejection nothing more is begun, and it rejects once what was begun has ended. */
async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      try {
        await work(item);
      } catch (error) {
        left.length = 0;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
