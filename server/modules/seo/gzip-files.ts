import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '#server/http/encoded-answer.ts';

interface GzipFile {
  /** The catalogue version that it was generated for. */
  version: number;
  path: string;
}

interface GzipSource {
  version: () => Promise<number>;
  parts: (name: string) => AsyncIterable<string>;
}

/**
 * Texts that may be larger than memory, compressed part by part into a temporary folder. They are generated one at a time, and once
 * for all who ask meanwhile, however often the catalogue changes.
 */
export function createGzipFiles({ version, parts }: GzipSource) {
  const made = new Map<string, GzipFile>();
  const waiting = new Map<string, Promise<GzipFile>>();
  let folder: Promise<string> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function upToDate(name: string): Promise<{ wanted: number; known: GzipFile | undefined }> {
    const wanted = await version();
    const known = made.get(name);
    return { wanted, known: known?.version === wanted ? known : undefined };
  }

  async function make(name: string): Promise<GzipFile> {
    waiting.delete(name);
    const { wanted, known } = await upToDate(name);
    if (known) return known;
    folder ??= mkdtemp(join(tmpdir(), 'shopwright-seo-'));
    const path = join(await folder, `${name}.${wanted}.gz`);
    try {
      await pipeline(Readable.from(parts(name)), createGzip(), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    const before = made.get(name);
    made.set(name, { version: wanted, path });
    // A response that is reading it has it open, and goes on.
    if (before) await rm(before.path, { force: true }).catch(() => undefined);
    return { version: wanted, path };
  }

  function enqueue(name: string): Promise<GzipFile> {
    const next = queue.then(() => make(name));
    waiting.set(name, next);
    queue = next.catch(() => undefined);
    return next;
  }

  return {
    version,
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
  const tagOf = (version: number) => `W/"${name}-${version}"`;
  const { 'if-none-match': known, 'accept-encoding': encodings } = request.headers;
  reply.headers({ 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' });
  if (known !== undefined && known === tagOf(await files.version())) return reply.header('etag', known).status(304).send();
  const { version, path } = await files.current(name);
  const type = name.endsWith('.jsonl') ? 'application/jsonl' : 'application/xml; charset=utf-8';
  reply.header('etag', tagOf(version)).type(type);
  const file = createReadStream(path);
  if (acceptsGzip(encodings)) return reply.header('content-encoding', 'gzip').send(file);
  const plain = createGunzip();
  file.on('error', (error) => plain.destroy(error));
  return reply.send(file.pipe(plain));
}
