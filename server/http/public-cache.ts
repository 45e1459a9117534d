/**
 * The cache of public answers. They hold nothing personal, so one serves everybody: kept by URL (the
 * language is part of it) for as long as the catalogue version stands, with strong ETags and bytes
 * ready compressed. A hit writes them out before Fastify does anything else with the request.
 *
 * An answer asked for once can only take the place of others asked for once, so that a caller who
 * tries many URLs does not push out what shoppers ask for (a segmented LRU).
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheKey, isCacheable } from './cache-keys.ts';

/** What a maker makes. Only answers with status 200 are kept; others are shared by those who wait for them. */
export interface PublicResponse {
  status?: number;
  contentType: string;
  body: string | Buffer;
  /** Further headers, in lower case. */
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
  /** The catalogue version, not older than the call. */
  version: () => number | Promise<number>;
  /** Sent with every answer of a content type. */
  headersFor?: (contentType: string) => Record<string, string>;
  /** All bodies, plain and compressed. */
  maxBytes?: number;
}

/** Of all bytes, the part that answers asked for once always have. */
const onceShare = 1 / 4;
const compressFrom = 1000;
const compressHereUpTo = 24_000;
const longestKey = 2000;
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export class PublicCache {
  readonly #options: Required<PublicCacheOptions>;
  /** Maps keep the order of insertion: the least recently used comes first. */
  readonly #once = new Map<string, Entry>();
  readonly #again = new Map<string, Entry>();
  readonly #making = new Map<string, { version: number; entry: Promise<Entry> }>();
  #version = -1;
  #bytes = 0;
  #onceBytes = 0;

  constructor(options: PublicCacheOptions) {
    this.#options = { headersFor: () => ({}), maxBytes: 32 * 1024 * 1024, ...options };
  }

  /** Bodies held, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#once.size + this.#again.size;
  }

  /**
   * An `onRequest` hook that answers from the cache what it has, and lets the rest pass. It leaves out
   * all further hooks, so nothing that must happen to a public answer may stand in one.
   */
  readonly answerFirst = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const version = this.#options.version();
    if (typeof version === 'number') this.#answer(version, request, reply, done);
    else {
      version.then(
        (known) => this.#answer(known, request, reply, done),
        // While the database is away nothing changes: what is kept is served on, the rest is for its handler to answer.
        () => this.#answer(this.#version, request, reply, done),
      );
    }
  };

  /**
   * Answers with what `make` makes for this URL, making it once for all who wait for it. `keep` says whether the
   * answer may be kept; by default it is for a URL without a query.
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

  /** The answer for `key`, from the cache or made now. Keep to keys that came from a judged URL. */
  async get(key: string, make: () => Promise<PublicResponse>, keep = true): Promise<Entry> {
    const version = await Promise.resolve(this.#options.version()).catch(() => null);
    // Nobody knows what it belongs to, so it is made for this call alone.
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

  /** Removes answers until the rest fits: those asked for once first, down to their share. */
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
    // Handing a small body to another thread costs more than compressing it.
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

/** The best encoding a caller accepts. `q=0` means not acceptable. */
function accepted(header: string | string[] | undefined, entry: Entry): Encoding {
  if (typeof header !== 'string' || entry.answer.body.length < compressFrom) return 'identity';
  if (header.includes('br') && !/\bbr *; *q=0(?:\.0*)? *(?:,|$)/.test(header)) return 'br';
  if (header.includes('gzip') && !/\bgzip *; *q=0(?:\.0*)? *(?:,|$)/.test(header)) return 'gzip';
  return 'identity';
}

/** Writes past Fastify, whose hooks and header handling would cost more than all the rest. */
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
