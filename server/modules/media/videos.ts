/** Provides the shop's own videos and their subtitles: plain files, served in parts as players request them. */
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Env } from '#server/platform/env.ts';

/** The demo videos that ship with the program. */
const demoVideos = join(import.meta.dirname, '../../../demo/films');

const types: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', vtt: 'text/vtt; charset=utf-8' };

/** A plain file name, without a path. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.(mp4|webm|vtt)$/;

export interface ServedVideo {
  type: string;
  etag: string;
  /** Bytes. */
  size: number;
  /** Both ends inclusive. */
  read(start: number, end: number): Readable;
}

export interface Videos {
  /** The URL path of a video or subtitles; null if there is no such file. */
  address(file: string): Promise<string | null>;
  open(file: string): Promise<ServedVideo | null>;
}

/** Files in DATA_DIR/media/films take precedence over those of the demo. */
export function createVideos({ dataDir }: Pick<Env, 'dataDir'>): Videos {
  const folders = [join(dataDir, 'media', 'films'), demoVideos];

  async function find(file: string): Promise<{ path: string; stats: Stats } | null> {
    if (!fileName.test(file)) return null;
    for (const folder of folders) {
      const path = join(folder, file);
      const stats = await stat(path).catch(() => null);
      if (stats?.isFile()) return { path, stats };
    }
    return null;
  }

  return {
    address: async (file) => ((await find(file)) ? `/media/films/${file}` : null),
    async open(file) {
      const found = await find(file);
      if (!found) return null;
      const { path, stats } = found;
      return {
        type: types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        etag: `"${stats.size.toString(36)}-${Math.floor(stats.mtimeMs).toString(36)}"`,
        size: stats.size,
        read: (start, end) => createReadStream(path, { start, end }),
      };
    },
  };
}

export type Range = { start: number; end: number } | 'unsatisfiable' | null;

/**
 * Parses a Range header with a single range, ends inclusive. Null means the whole file (no range, several, or an invalid one).
 */
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
