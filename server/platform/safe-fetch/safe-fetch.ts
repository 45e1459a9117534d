/**
 * Requests URLs that other people wrote. A name is resolved once, every address it has must be public, and the connection goes to
 * exactly those addresses, so a name server cannot change its answer between check and connection (DNS rebinding). Every redirect
 * is validated the same way.
 */
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { SafeFetchError } from './fetch-error.ts';
import { isPublicAddress } from './public-addresses.ts';
import { readBody } from './read-body.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** How requests reach the network. Tests supply their own. */
export interface NetworkPolicy {
  /** Returns all addresses of a host name. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  isPublic(address: string): boolean;
  /** Returns the address to connect to for a validated address: the same one, except in tests. */
  dial(found: ResolvedAddress, port: number): ResolvedAddress & { port: number };
  /** Whether ports other than 80 and 443 are allowed. */
  anyPort?: boolean;
  /** The CA certificates to trust (PEM). Defaults to those that Node ships. */
  ca?: string;
}

export const publicInternet: NetworkPolicy = {
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
  dial: (found, port) => ({ ...found, port }),
};

/** Allows this machine and nothing else, for fakes of external servers. */
export const loopbackOnly: NetworkPolicy = {
  ...publicInternet,
  isPublic: (address) => address === '::1' || (isIP(address) === 4 && address.startsWith('127.')),
  anyPort: true,
};

export interface SafeFetchRequest {
  url: string;
  headers?: Record<string, string>;
  /** Whether a response of this media type (lower case, without parameters) is accepted. */
  accepts(mediaType: string): boolean;
  /** The largest body in bytes, both as sent and decompressed. */
  maxBytes: number;
  /** For the whole exchange including redirects, ms. */
  timeoutMs?: number;
}

export interface SafeFetchResponse {
  /** The final URL after redirects. */
  url: string;
  /** 200, or 304 with an empty body if the request was conditional. */
  status: 200 | 304;
  /** The full content-type header. */
  contentType: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export type SafeFetch = (request: SafeFetchRequest) => Promise<SafeFetchResponse>;

const defaultTimeoutMs = 5000;
const mostRedirects = 3;
const redirects = [301, 302, 303, 307, 308];

export function createSafeFetch(reach: NetworkPolicy = publicInternet): SafeFetch {
  return async ({ url, timeoutMs = defaultTimeoutMs, ...wanted }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    let at = url;
    try {
      for (let hop = 0; hop <= mostRedirects; hop++) {
        const target = validateUrl(at, reach);
        const response = await requestAddress(
          target,
          await withSignal(addressesOf(target, reach), signal),
          reach,
          wanted,
          signal,
        );
        const status = response.statusCode ?? 0;
        if (redirects.includes(status) && response.headers.location) {
          response.destroy();
          at = new URL(response.headers.location, target).href;
          continue;
        }
        return await readResponse(response, target, wanted, signal);
      }
    } catch (error) {
      throw toSafeFetchError(error, signal);
    }
    throw new SafeFetchError('too many redirects');
  };
}

/** Accepts http and https on their default ports, without credentials. */
function validateUrl(text: string, { anyPort = false }: NetworkPolicy): URL {
  if (!URL.canParse(text)) throw new SafeFetchError('not an address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new SafeFetchError('not http or https');
  // A protocol's own port parses as ''; the other protocol's port is odd but harmless.
  if (!anyPort && !['', '80', '443'].includes(url.port)) throw new SafeFetchError('another port than 80 or 443');
  if (url.username || url.password) throw new SafeFetchError('a password in the address');
  return url;
}

async function addressesOf({ hostname }: URL, { resolve, isPublic }: NetworkPolicy): Promise<ResolvedAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (found.length === 0) throw new SafeFetchError('no such host');
  // One private address among public ones is an attack, not a mistake.
  if (!found.every(({ address }) => isPublic(address))) throw new SafeFetchError('a private address');
  return found;
}

function requestAddress(
  url: URL,
  found: readonly ResolvedAddress[],
  reach: NetworkPolicy,
  { headers = {}, accepts: _, maxBytes: __ }: Omit<SafeFetchRequest, 'url'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  const port = Number(url.port) || (secure ? 443 : 80);
  const connectionOptions = found.map((each) => reach.dial(each, port));
  const pinned: LookupFunction = (_host, options, callback) => {
    const [first] = connectionOptions;
    if (options.all)
      callback(
        null,
        connectionOptions.map(({ address, family }) => ({ address, family })),
      );
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
  const options: RequestOptions = {
    method: 'GET',
    // Called for host names only; an IP address in the URL has been validated already.
    lookup: pinned,
    port: connectionOptions[0]?.port ?? port,
    ...(reach.ca === undefined ? {} : { ca: reach.ca }),
    signal,
    // A new connection: a reused one was pinned for another request.
    agent: false,
    maxHeaderSize: 16 * 1024,
    headers: {
      'user-agent': 'Shopwright',
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      host: url.host,
    },
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(url, options, resolve);
    request.once('error', reject);
    // A response that switches protocols emits neither a response nor an error.
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new SafeFetchError('another protocol'));
    });
    request.once('close', () => reject(new SafeFetchError('closed without an answer')));
    request.end();
  });
}

async function readResponse(
  response: IncomingMessage,
  url: URL,
  { accepts, maxBytes, headers: asked }: Omit<SafeFetchRequest, 'url'>,
  signal: AbortSignal,
): Promise<SafeFetchResponse> {
  const contentType = String(response.headers['content-type'] ?? '');
  const about = { url: url.href, contentType, headers: response.headers };
  if (response.statusCode === 304 && asked && ('if-none-match' in asked || 'if-modified-since' in asked)) {
    response.resume();
    return { ...about, status: 304, body: Buffer.alloc(0) };
  }
  try {
    if (response.statusCode !== 200) throw new SafeFetchError(`status ${response.statusCode}`);
    if (!accepts(mediaTypeOf(contentType))) throw new SafeFetchError('another content type');
    return { ...about, status: 200, body: await readBody(response, maxBytes, signal) };
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** The media type of a content-type header: lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function toSafeFetchError(error: unknown, signal: AbortSignal): SafeFetchError {
  if (error instanceof SafeFetchError) return error;
  if (signal.aborted) return new SafeFetchError('no answer in time');
  const { code, name = 'Error' } = error as { code?: string; name?: string };
  return new SafeFetchError(code ?? name);
}
