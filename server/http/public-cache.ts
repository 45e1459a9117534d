/**
 * The cache of public responses. They contain nothing personal, so one response serves all clients. It is cached by URL (which
 * includes the language) until the catalogue version changes, with a strong ETag and precompressed bytes. A hit is written before
 * Fastify does anything else with the request.
 *
 * A response requested once can only replace others requested once, so a client that tries many URLs does not evict popular
 * responses (a segmented LRU).
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheKey, isCacheable } from './cache-keys.ts';

/** A response before it is cached. Only status 200 is cached; others are shared by the requests that wait for them. */
export interface PublicResponse {
  status?: number;
  contentType: string;
  body: string | Buffer;
  /** Additional headers, in lower case. */
  headers?: Record<string, string>;
}

export type Encoding = 'identity' | 'br' | 'gzip';

interface Variant {
  etag: string;
  body: Buffer;
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
  notModified: string[];
}

interface Entry {
  key: string;
  answer: PublicResponse;
  hash: string;
  bytes: number;
  variants: Partial<Record<Encoding, Variant>>;
  pending: Partial<Record<Encoding, Promise<Variant>>>;
}

export interface PublicCacheOptions {
  /** Returns the catalogue version, no older than the call. */
  version: () => number | Promise<number>;
  /** Headers sent with every response of a content type. */
  headersFor?: (contentType: string) => Record<string, string>;
  /** The limit for all bodies, plain and compressed, in bytes. */
  maxBytes?: number;
}

/** The share of all bytes that is reserved for responses requested once. */
const onceShare = 1 / 4;
const compressFrom = 1000;
const compressHereUpTo = 24_000;
const longestKey = 2000;
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export class PublicCache {
  readonly #options: Required<PublicCacheOptions>;
  /** Maps iterate in insertion order: the least recently used comes first. */
  readonly #once = new Map<string, Entry>();
  readonly #again = new Map<string, Entry>();
  readonly #making = new Map<string, { version: number; entry: Promise<Entry> }>();
  #version = -1;
  #bytes = 0;
  #onceBytes = 0;

  constructor(options: PublicCacheOptions) {
    this.#options = { headersFor: () => ({}), maxBytes: 32 * 1024 * 1024, ...options };
  }

  /** The size of all cached bodies, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#once.size + this.#again.size;
  }

  /**
   * An `onRequest` hook that answers cache hits and lets other requests pass. A hit skips all further hooks, so no hook may be
   * essential to a public response.
   */
  readonly answerFirst = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const version = this.#options.version();
    if (typeof version === 'number') this.#answer(version, request, reply, done);
    else {
      version.then(
        (known) => this.#answer(known, request, reply, done),
        // Nothing can change during a database outage: hits are served, and the handler answers the rest.
        () => this.#answer(this.#version, request, reply, done),
      );
    }
  };

  /**
   * Answers with the result of `make` for this URL, calling it once for all requests that wait for it. `keep` says whether the
   * response may be cached; the default is true for a URL without a query.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<PublicResponse>,
    keep = isCacheable(request.url, () => false),
  ): Promise<FastifyReply> {
    const entry = await this.get(cacheKey(request.url), make, keep);
    const encoding = accepted(request.headers['accept-encoding'], entry);
    const variant = entry.variants[encoding] ?? (await this.#variant(entry, encoding));
    write(request, reply, entry.answer.status ?? 200, variant);
    return reply;
  }

  /** Returns the response for `key`, from the cache or newly made. Pass only keys of validated URLs. */
  async get(key: string, make: () => Promise<PublicResponse>, keep = true): Promise<Entry> {
    const version = await Promise.resolve(this.#options.version()).catch(() => null);
    // Its catalogue version is unknown, so the response is made for this call alone.
    if (version === null) return this.#make(key, -1, make, false);
    const kept = this.#lookup(key, version);
    if (kept) return kept;
    const making = this.#making.get(key);
    if (making?.version === version) return making.entry;
    const entry = this.#make(key, version, make, keep);
    this.#making.set(key, { version, entry });
    const forget = () => {
      if (this.#making.get(key)?.entry === entry) this.#making.delete(key);
    };
    entry.then(forget, forget);
    return entry;
  }

  #answer(version: number, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const entry = this.#lookup(cacheKey(request.url), version);
    if (!entry) {
      done();
      return;
    }
    const encoding = accepted(request.headers['accept-encoding'], entry);
    const variant = entry.variants[encoding];
    if (variant) write(request, reply, 200, variant);
    else this.#variant(entry, encoding).then((made) => write(request, reply, 200, made), done);
  }

  #lookup(key: string, version: number): Entry | undefined {
    if (version !== this.#version) {
      this.#once.clear();
      this.#again.clear();
      this.#bytes = 0;
      this.#onceBytes = 0;
      this.#version = version;
      return undefined;
    }
    const entry = this.#again.get(key) ?? this.#once.get(key);
    if (entry) {
      if (this.#once.delete(key)) this.#onceBytes -= entry.bytes;
      else this.#again.delete(key);
      this.#again.set(key, entry);
    }
    return entry;
  }

  async #make(key: string, version: number, make: () => Promise<PublicResponse>, mayKeep: boolean): Promise<Entry> {
    const answer = await make();
    const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(answer.body);
    const hash = createHash('sha256')
      .update(body)
      .update(JSON.stringify(answer.headers ?? {}))
      .digest('base64url')
      .slice(0, 22);
    const entry: Entry = {
      key,
      answer: { ...answer, body },
      hash,
      bytes: body.length + 2 * key.length + 1000,
      variants: {},
      pending: {},
    };
    const keep = mayKeep && (answer.status ?? 200) === 200 && key.length <= longestKey && version === this.#version;
    if (keep) {
      this.#once.set(key, entry);
      this.#onceBytes += entry.bytes;
      this.#bytes += entry.bytes;
      this.#shrink();
    }
    return entry;
  }

  #variant(entry: Entry, encoding: Encoding): Promise<Variant> {
    entry.pending[encoding] ??= this.#encode(entry, encoding);
    return entry.pending[encoding];
  }

  async #encode(entry: Entry, encoding: Encoding): Promise<Variant> {
    const plain = entry.answer.body as Buffer;
    const body = await compress(plain, encoding);
    const etag = `"${entry.hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;
    const status = entry.answer.status ?? 200;
    const about: Record<string, string> = {
      ...this.#options.headersFor(entry.answer.contentType),
      'cache-control': status === 200 ? 'public, no-cache' : 'no-store',
      vary: 'Accept-Encoding',
      ...(status === 200 ? { etag } : {}),
      ...entry.answer.headers,
    };
    const headers = { 'content-type': entry.answer.contentType, 'content-length': String(body.length), ...about };
    const variant: Variant = {
      etag,
      body,
      headers: Object.entries(encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }).flat(),
      notModified: Object.entries(about).flat(),
    };
    entry.variants[encoding] = variant;
    const once = this.#once.get(entry.key) === entry;
    if (encoding !== 'identity' && (once || this.#again.get(entry.key) === entry)) {
      entry.bytes += body.length;
      this.#bytes += body.length;
      if (once) this.#onceBytes += body.length;
      this.#shrink();
    }
    return variant;
  }

  /** Evicts responses until the rest fits: those requested once first, down to their share. */
  #shrink(): void {
    const { maxBytes } = this.#options;
    while (this.#bytes > maxBytes) {
      const fromOnce = this.#onceBytes > maxBytes * onceShare || this.#again.size === 0;
      const entries = fromOnce ? this.#once : this.#again;
      const [oldest] = entries.values();
      if (!oldest) return;
      entries.delete(oldest.key);
      this.#bytes -= oldest.bytes;
      if (fromOnce) this.#onceBytes -= oldest.bytes;
    }
  }
}

async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') {
    // Passing a small body to another thread costs more than compressing it.
    const small = body.length <= compressHereUpTo;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: small ? 5 : 6,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_LGWIN]: windowFor(body.length),
    };
    if (small) return brotliCompressSync(body, { params });
    return await brotli(body, { params });
  }
  return encoding === 'gzip' ? await gzipped(body, { level: 6 }) : body;
}

/** The logarithm of the smallest window that holds a body whole. The encoder's own memory grows with it, to 8 MB. */
function windowFor(bytes: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(bytes)), constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW);
}

/** The best encoding a client accepts. `q=0` means not acceptable. */
function accepted(header: string | string[] | undefined, entry: Entry): Encoding {
  if (typeof header !== 'string' || entry.answer.body.length < compressFrom) return 'identity';
  if (header.includes('br') && !/\bbr *; *q=0(?:\.0*)? *(?:,|$)/.test(header)) return 'br';
  if (header.includes('gzip') && !/\bgzip *; *q=0(?:\.0*)? *(?:,|$)/.test(header)) return 'gzip';
  return 'identity';
}

/** Bypasses Fastify, whose hooks and header handling would cost more than all the rest. */
function write(request: FastifyRequest, reply: FastifyReply, status: number, variant: Variant): void {
  reply.hijack();
  const match = request.headers['if-none-match'];
  if (match !== undefined && status === 200 && (match === variant.etag || matches(match, variant.etag))) {
    reply.raw.writeHead(304, variant.notModified);
    reply.raw.end();
    return;
  }
  reply.raw.writeHead(status, variant.headers);
  reply.raw.end(request.method === 'HEAD' ? undefined : variant.body);
}

function matches(header: string, etag: string): boolean {
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
