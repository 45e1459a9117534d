/** Where a shop's own images and videos are: a folder, or an S3-compatible object store that several machines share. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Env } from '#server/platform/env.ts';
import { createS3Storage } from './s3-storage.ts';

export interface StoredFile {
  size: number;
  /** Changes with the content; with quotes, as in HTTP. */
  etag: string;
}

/** Keys are relative paths, such as `originals/mug.jpg` or `films/studio.mp4`. */
export interface MediaStorage {
  /** A path or the bytes, for what reads either. Null if there is no such file. */
  source(key: string): Promise<string | Buffer | null>;
  read(key: string): Promise<Buffer | null>;
  /** Writes a whole file or nothing. */
  write(key: string, bytes: Buffer): Promise<void>;
  /** Also if there is no such file. */
  remove(key: string): Promise<void>;
  stat(key: string): Promise<StoredFile | null>;
  /** A part of a file that exists; both ends inclusive. */
  stream(key: string, start: number, end: number): Promise<Readable>;
  /** Whether other machines see the same files. */
  readonly shared: boolean;
}

/** The storage that MEDIA_URL names; without it the folder `media` in DATA_DIR. */
export function createMediaStorage({
  dataDir,
  mediaStore,
}: Pick<Env, 'dataDir' | 'mediaStore'>): MediaStorage {
  return mediaStore ? createS3Storage(mediaStore) : folderStorage(join(dataDir, 'media'));
}

export function folderStorage(folder: string): MediaStorage {
  const at = (key: string) => join(folder, key);
  return {
    shared: false,
    source: (key) => access(at(key)).then(() => at(key), orNull),
    read: (key) => readFile(at(key)).catch(orNull),
    async write(key, bytes) {
      await mkdir(dirname(at(key)), { recursive: true });
      // Written under a temporary name first, so that the file is always complete, even after a crash.
      const draft = `${at(key)}.${randomBytes(6).toString('hex')}`;
      try {
        await writeFile(draft, bytes);
        await rename(draft, at(key));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    remove: (key) => rm(at(key), { force: true }),
    async stat(key) {
      const stats = await stat(at(key)).catch(() => null);
      if (!stats?.isFile()) return null;
      return {
        size: stats.size,
        etag: `"${stats.size.toString(36)}-${Math.floor(stats.mtimeMs).toString(36)}"`,
      };
    },
    stream: async (key, start, end) => createReadStream(at(key), { start, end }),
  };
}

function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
