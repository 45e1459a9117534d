/** Provides the shop's own videos and their subtitles: plain files, served in parts as players request them. */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { folderStorage, type MediaStorage, type StoredFile } from './storage.ts';

const demoVideos = join(import.meta.dirname, '../../../demo/films');

const types: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  vtt: 'text/vtt; charset=utf-8',
};

/** A plain file name, without a path. */
export const videoName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.(mp4|webm|vtt)$/;

export interface ServedVideo {
  type: string;
  etag: string;
  size: number;
  /** Both ends inclusive. */
  read(start: number, end: number): Promise<Readable>;
}

export type Videos = ReturnType<typeof createVideos>;

/** The shop's own files take precedence over those of the demo. */
export function createVideos(own: MediaStorage) {
  const places = [
    { storage: own, folder: 'films/' },
    { storage: folderStorage(demoVideos), folder: '' },
  ];

  async function find(
    file: string,
  ): Promise<{ storage: MediaStorage; key: string; stored: StoredFile } | null> {
    if (!videoName.test(file)) return null;
    for (const { storage, folder } of places) {
      const stored = await storage.stat(folder + file);
      if (stored) return { storage, key: folder + file, stored };
    }
    return null;
  }

  return {
    /** The URL path of a video or subtitles; null if there is no such file. */
    address: async (file: string): Promise<string | null> =>
      (await find(file)) ? `/media/films/${file}` : null,
    async open(file: string): Promise<ServedVideo | null> {
      const found = await find(file);
      if (!found) return null;
      const { storage, key, stored } = found;
      return {
        type: types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        ...stored,
        read: (start, end) => storage.stream(key, start, end),
      };
    },
  };
}

export type Range = { start: number; end: number } | 'unsatisfiable' | null;

/** A single range, ends inclusive. Null means the whole file (no range, several, or an invalid one). */
export function rangeOf(header: string | undefined, size: number): Range {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
