import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '#server/http/encoded-answer.ts';

interface GzipFile {
  /** The catalogue version that it was generated for. */
  version: number;
  path: string;
  /** By its content: the same in each process, and after an update or a restored backup another if that is another. */
  etag: string;
}

interface GzipSource {
  version: () => Promise<number>;
  parts: (name: string) => AsyncIterable<string>;
  /** The shop's clock, epoch ms. */
  now: () => number;
}

/** What takes longer to generate is generated again in a tenth of the time at most: of a large shop something changes all the time. */
const longMs = 500;
const restTimes = 9;

/**
 * Texts that may be larger than memory, compressed part by part into a temporary folder. They are generated one at a time, and once
 * for all who ask meanwhile, however often the catalogue changes.
 */
export function createGzipFiles({ version, parts, now }: GzipSource) {
  const made = new Map<string, GzipFile>();
  /** A clock that is set back ends it. */
  let rest = { from: 0, until: 0 };
  const waiting = new Map<string, Promise<GzipFile>>();
  let folder: Promise<string> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function upToDate(name: string): Promise<{ wanted: number; known: GzipFile | undefined }> {
    const wanted = await version();
    const known = made.get(name);
    const at = now();
    const isResting = rest.from <= at && at < rest.until;
    const isRecent = known !== undefined && (known.version === wanted || isResting);
    return { wanted, known: isRecent ? known : undefined };
  }

  async function make(name: string): Promise<GzipFile> {
    waiting.delete(name);
    const { wanted, known } = await upToDate(name);
    if (known) return known;
    folder ??= mkdtemp(join(tmpdir(), 'shopwright-seo-'));
    const path = join(await folder, `${name}.${wanted}.gz`);
    const hash = createHash('sha256');
    const hashed = async function* () {
      for await (const part of parts(name)) {
        hash.update(part);
        yield part;
      }
    };
    const began = now();
    try {
      await pipeline(Readable.from(hashed()), createGzip(), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    const from = now();
    const took = from - began;
    if (took > longMs) rest = { from, until: from + restTimes * took };
    const before = made.get(name);
    const file = { version: wanted, path, etag: `W/"${hash.digest('base64url').slice(0, 22)}"` };
    made.set(name, file);
    // A response that is reading it has it open, and goes on.
    if (before) await rm(before.path, { force: true }).catch(() => undefined);
    return file;
  }

  function enqueue(name: string): Promise<GzipFile> {
    const next = queue.then(() => make(name));
    waiting.set(name, next);
    queue = next.catch(() => undefined);
    return next;
  }

  return {
    async current(name: string): Promise<GzipFile> {
      const { known } = await upToDate(name);
      return known ?? waiting.get(name) ?? enqueue(name);
    },
    async close(): Promise<void> {
      await queue;
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}

/** Answers with the current file, compressed for those who take it so; 304 to a client that has it. */
export async function sendXml(
  files: ReturnType<typeof createGzipFiles>,
  name: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { 'if-none-match': known, 'accept-encoding': encodings } = request.headers;
  const { path, etag } = await files.current(name);
  reply.headers({ 'cache-control': 'public, no-cache', vary: 'Accept-Encoding', etag });
  if (known?.includes(etag)) return reply.status(304).send();
  reply.type(name.endsWith('.jsonl') ? 'application/jsonl' : 'application/xml; charset=utf-8');
  const file = createReadStream(path);
  if (acceptsGzip(encodings)) return reply.header('content-encoding', 'gzip').send(file);
  // Whoever hangs up ends the reading of the file as well.
  return reply.send(connect(file, createGunzip(), () => undefined));
}
