/** Requests URLs that other people wrote, at public addresses only (`pinned-request.ts`). Every redirect is validated the same way. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import {
  type NetworkPolicy,
  publicInternet,
  SafeFetchError,
  StatusError,
  sendPinned,
  toSafeFetchError,
  validateUrl,
} from './pinned-request.ts';

export {
  anyNetwork,
  loopbackOnly,
  type NetworkPolicy,
  NoAnswerError,
  publicInternet,
  type ResolvedAddress,
  SafeFetchError,
  StatusError,
} from './pinned-request.ts';

export interface SafeFetchRequest {
  url: string;
  headers?: Record<string, string>;
  accepts(mediaType: string): boolean;
  /** Both as sent and decompressed. */
  maxBytes: number;
  /** Including redirects. */
  timeoutMs?: number;
  /** Followed at most; 3 by default. */
  redirects?: number;
}

export interface SafeFetchResponse {
  url: string;
  /** 200, or 304 with an empty body if the request was conditional. */
  status: 200 | 304;
  contentType: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export type SafeFetch = (request: SafeFetchRequest) => Promise<SafeFetchResponse>;

const defaultTimeoutMs = 5000;
const mostRedirects = 3;
const redirectStatuses = [301, 302, 303, 307, 308];

export function createSafeFetch(reach: NetworkPolicy = publicInternet): SafeFetch {
  return async ({ url, timeoutMs = defaultTimeoutMs, redirects = mostRedirects, ...wanted }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    let at = url;
    try {
      for (let hop = 0; hop <= redirects; hop++) {
        const target = validateUrl(at, reach);
        const headers = { 'accept-encoding': 'gzip, deflate, br', ...wanted.headers };
        const response = await sendPinned(target, reach, { method: 'GET', headers }, signal);
        const status = response.statusCode ?? 0;
        if (redirectStatuses.includes(status) && response.headers.location) {
          response.destroy();
          at = URL.parse(response.headers.location, target)?.href ?? '';
          continue;
        }
        return await readResponse(response, target, wanted, signal);
      }
    } catch (error) {
      throw toSafeFetchError(error, signal);
    }
    throw new SafeFetchError('too many redirects', 'redirects');
  };
}

async function readResponse(
  response: IncomingMessage,
  url: URL,
  { accepts, maxBytes, headers: asked }: Omit<SafeFetchRequest, 'url' | 'redirects'>,
  signal: AbortSignal,
): Promise<SafeFetchResponse> {
  const contentType = String(response.headers['content-type'] ?? '');
  const about = { url: url.href, contentType, headers: response.headers };
  if (response.statusCode === 304 && asked && ('if-none-match' in asked || 'if-modified-since' in asked)) {
    response.resume();
    return { ...about, status: 304, body: Buffer.alloc(0) };
  }
  try {
    if (response.statusCode !== 200) throw new StatusError(response.statusCode ?? 0);
    if (!accepts(mediaTypeOf(contentType))) throw new SafeFetchError('another content type', 'type');
    return { ...about, status: 200, body: await readBody(response, maxBytes, signal) };
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** A small body may decompress to gigabytes: both sizes are counted. */
async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes)
    throw new SafeFetchError('too long', 'tooLong');
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  await pipeline(response, limitedTo(maxBytes), unpacker(response), limitedTo(maxBytes), collect, { signal });
  return Buffer.concat(chunks);
}

function limitedTo(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new SafeFetchError('too long', 'tooLong');
      yield chunk;
    }
  };
}

function unpacker(response: IncomingMessage): Transform {
  switch (String(response.headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return new PassThrough();
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new SafeFetchError('another content encoding');
  }
}

export interface SafePostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
  timeoutMs: number;
  /** Unless the status is 2xx. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface SafePostResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** '' for a 2xx status. */
  text: string;
}

export type SafePost = (request: SafePostRequest) => Promise<SafePostResponse>;

/** Posts, and follows no redirect. @throws {SafeFetchError} if no response arrives */
export function createSafePost(reach: NetworkPolicy, { httpsOnly }: { httpsOnly: boolean }): SafePost {
  return async ({ url, headers, body, timeoutMs, maxBytes, signal: stop }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = stop ? AbortSignal.any([stop, timeout]) : timeout;
    try {
      const target = validateUrl(url, reach);
      if (httpsOnly && target.protocol !== 'https:') throw new SafeFetchError('not https');
      const length = String(Buffer.byteLength(body));
      const response = await sendPinned(
        target,
        reach,
        { method: 'POST', headers: { ...headers, 'content-length': length }, body },
        signal,
      );
      const status = response.statusCode ?? 0;
      const accepted = status >= 200 && status < 300;
      const text = accepted ? '' : await beginningOf(response, maxBytes).catch(() => '');
      response.destroy();
      return { status, headers: response.headers, text };
    } catch (error) {
      throw toSafeFetchError(error, signal);
    }
  };
}

async function beginningOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
