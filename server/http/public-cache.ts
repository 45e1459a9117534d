/**
 * Public responses contain nothing personal, so one serves all clients: cached by URL (which includes the language) until
 * something that it shows changes, with a strong ETag and precompressed bytes. What has changed is read on the path of each
 * request. A hit is written before Fastify does anything else. A response requested once can only replace others requested once,
 * so a client that tries many URLs does not evict popular ones (a segmented LRU).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOffered } from '#contract/locales.ts';
import { type ChangeLog, everything } from '#db/catalogue-version.ts';
import { recordAll, recordReads, recordUntil, refreshOnce } from '#server/platform/recorded-reads.ts';
import {
  acceptedEncoding,
  EncodedAnswer,
  type Encoding,
  type PublicResponse,
  type Variant,
} from './encoded-answer.ts';

/** A percent-encoded character that needs no encoding, or one with lower-case hex digits. */
const oddlyEncoded = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA]|[\dA-Fa-f]?[a-f])/;

/** Path and query, with sorted parameters: one key per response, and none for a URL that only a guess would produce. */
function cacheKey(url: string): string {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('&', start)) return url;
  const pairs = url.slice(start + 1).split('&');
  return `${url.slice(0, start)}?${pairs.sort().join('&')}`;
}

/** In canonical spelling, and only with parameters that `isKnown` accepts. */
export function isCacheable(url: string, isKnown: (name: string) => boolean): boolean {
  if (url.includes('%') && oddlyEncoded.test(url)) return false;
  const start = url.indexOf('?');
  if (start === -1) return true;
  const names = new Set<string>();
  for (const pair of url.slice(start + 1).split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    // A request in a language that the shop does not offer is answered in the default one.
    const known =
      name === 'lang' && value !== '' ? isOffered(value) && isKnown(name) : value !== '' && isKnown(name);
    if (!known || names.has(name)) return false;
    names.add(name);
  }
  return true;
}

/** The parameters of lists, which pages are cached by. Others, such as campaign parameters, do not change a page. */
const pageParameters = new Set(['brand', 'cat', 'key', 'newArrival', 'page', 'sort', 'view']);

export function isCacheablePage(url: string): boolean {
  return isCacheable(url, (name) => pageParameters.has(name));
}

interface PublicCacheOptions {
  changes: ChangeLog;
  /** Epoch ms. */
  now?: () => number;
  headersFor?: (contentType: string) => Record<string, string>;
  maxBytes?: number;
}

/** Reserved for responses requested once. */
const onceShare = 1 / 4;
const longestKey = 2000;

export class PublicCache {
  readonly #options: Required<PublicCacheOptions>;
  /** Maps iterate in insertion order: the least recently used comes first. */
  readonly #once = new Map<string, EncodedAnswer>();
  readonly #again = new Map<string, EncodedAnswer>();
  readonly #making = new Map<string, { moment: number; answer: Promise<EncodedAnswer> }>();
  readonly #stats = { hits: 0, joined: 0, misses: 0 };
  #bytes = 0;
  #onceBytes = 0;

  constructor(options: PublicCacheOptions) {
    this.#options = { now: Date.now, headersFor: () => ({}), maxBytes: 32 * 1024 * 1024, ...options };
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#once.size + this.#again.size;
  }

  /** Requests answered from memory, that joined a response under way, and that made a new one, since the start. */
  get stats(): Readonly<{ hits: number; joined: number; misses: number }> {
    return this.#stats;
  }

  get underWay(): number {
    return this.#making.size;
  }

  /** Lets all but cache hits pass. A hit skips all further hooks, so no hook may be essential to a public response. */
  readonly answerFirst = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    const refreshing = refreshOnce(this.#options.changes);
    const answer = (duringOutage = false) => this.#answer(request, reply, done, duringOutage);
    // Nothing can change during a database outage: hits are served, and the handler answers the rest.
    if (refreshing)
      refreshing.then(
        () => answer(),
        () => answer(true),
      );
    else answer();
  };

  /** Calls `make` once for all that wait for it. `keep`: the response may be cached; by default if there is no query. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<PublicResponse>,
    keep = isCacheable(request.url, () => false),
  ): Promise<FastifyReply> {
    const answer = await this.get(cacheKey(request.url), make, keep);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    write(request, reply, answer, answer.ready(encoding) ?? (await this.#encode(answer, encoding)));
    return reply;
  }

  /** From the cache or newly made. A response that is made with it records what it shows. Pass only keys of validated URLs. */
  async get(key: string, make: () => Promise<PublicResponse>, keep = true): Promise<EncodedAnswer> {
    try {
      const answer = await this.#get(key, make, keep);
      recordAll(answer.topics);
      recordUntil(answer.until);
      return answer;
    } catch (error) {
      recordReads(everything);
      throw error;
    }
  }

  /** Recorded like that of `get`; null if there is none, or if what has changed cannot be read. */
  async text(url: string): Promise<string | null> {
    try {
      await refreshOnce(this.#options.changes);
    } catch {
      return null;
    }
    const answer = this.#lookup(cacheKey(url));
    if (!answer) return null;
    this.#stats.hits += 1;
    recordAll(answer.topics);
    recordUntil(answer.until);
    const { body } = answer.ready('identity') ?? (await this.#encode(answer, 'identity'));
    return body.toString();
  }

  async #get(key: string, make: () => Promise<PublicResponse>, keep: boolean): Promise<EncodedAnswer> {
    const { changes } = this.#options;
    try {
      await refreshOnce(changes);
    } catch {
      // What has changed is unknown, so the response is made for this call alone.
      return this.#make(key, make, false);
    }
    const kept = this.#lookup(key);
    if (kept) {
      this.#stats.hits += 1;
      return kept;
    }
    const making = this.#making.get(key);
    if (making?.moment === changes.moment) {
      this.#stats.joined += 1;
      return making.answer;
    }
    const answer = this.#make(key, make, keep);
    this.#making.set(key, { moment: changes.moment, answer });
    const forget = () => {
      if (this.#making.get(key)?.answer === answer) this.#making.delete(key);
    };
    answer.then(forget, forget);
    return answer;
  }

  #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
    duringOutage: boolean,
  ): void {
    const answer = this.#lookup(cacheKey(request.url), duringOutage);
    if (!answer) {
      done();
      return;
    }
    this.#stats.hits += 1;
    recordAll(answer.topics);
    recordUntil(answer.until);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    const variant = answer.ready(encoding);
    if (variant) write(request, reply, answer, variant);
    else this.#encode(answer, encoding).then((made) => write(request, reply, answer, made), done);
  }

  #lookup(key: string, duringOutage = false): EncodedAnswer | undefined {
    const answer = this.#held(key);
    if (!answer) return undefined;
    if (!duringOutage && this.#isOver(answer)) return undefined;
    if (this.#isOutdated(answer)) {
      this.#delete(answer);
      return undefined;
    }
    if (this.#once.delete(key)) this.#onceBytes -= answer.countedBytes;
    else this.#again.delete(key);
    this.#again.set(key, answer);
    return answer;
  }

  #isOver({ until }: EncodedAnswer): boolean {
    return until <= this.#options.now();
  }

  /** An answer that is found current is current as of now. */
  #isOutdated(answer: EncodedAnswer): boolean {
    const { changes } = this.#options;
    if (answer.moment === changes.moment) return false;
    if (changes.changedSince(answer.moment, answer.topics)) return true;
    answer.moment = changes.moment;
    return false;
  }

  async #make(key: string, make: () => Promise<PublicResponse>, mayKeep: boolean): Promise<EncodedAnswer> {
    const { changes, headersFor } = this.#options;
    const { moment } = changes;
    this.#stats.misses += 1;
    const response = await make();
    const answer = new EncodedAnswer(key, moment, response, headersFor(response.contentType));
    if (mayKeep && answer.status === 200 && key.length <= longestKey && !this.#isOutdated(answer)) {
      this.#delete(this.#held(key));
      this.#once.set(key, answer);
      this.#count(answer);
    }
    return answer;
  }

  async #encode(answer: EncodedAnswer, encoding: Encoding): Promise<Variant> {
    const variant = await answer.make(encoding);
    this.#count(answer);
    return variant;
  }

  #held(key: string): EncodedAnswer | undefined {
    return this.#again.get(key) ?? this.#once.get(key);
  }

  /** Its memory grows with each encoding. */
  #count(answer: EncodedAnswer): void {
    if (this.#held(answer.key) !== answer) return;
    const more = answer.bytes - answer.countedBytes;
    answer.countedBytes = answer.bytes;
    this.#bytes += more;
    if (this.#once.has(answer.key)) this.#onceBytes += more;
    this.#shrink();
  }

  #shrink(): void {
    const { maxBytes } = this.#options;
    while (this.#bytes > maxBytes) {
      const fromOnce = this.#onceBytes > maxBytes * onceShare || this.#again.size === 0;
      const [oldest] = (fromOnce ? this.#once : this.#again).values();
      if (!oldest) return;
      this.#delete(oldest);
    }
  }

  #delete(answer: EncodedAnswer | undefined): void {
    if (!answer) return;
    this.#bytes -= answer.countedBytes;
    if (this.#once.delete(answer.key)) this.#onceBytes -= answer.countedBytes;
    else this.#again.delete(answer.key);
    answer.countedBytes = 0;
  }
}

/** Bypasses Fastify, whose hooks and header handling would cost more than all the rest. */
function write(request: FastifyRequest, reply: FastifyReply, answer: EncodedAnswer, variant: Variant): void {
  reply.hijack();
  if (answer.route !== null) reply.measuredAs = answer.route;
  const match = request.headers['if-none-match'];
  const tag = match === undefined ? undefined : answer.matchingTag(match, variant);
  if (tag !== undefined) {
    reply.raw.writeHead(304, answer.notModified(tag));
    reply.raw.end();
    return;
  }
  reply.raw.writeHead(answer.status, variant.headers);
  reply.raw.end(request.method === 'HEAD' ? undefined : variant.body);
}
