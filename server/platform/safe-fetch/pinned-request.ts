/**
 * A name is resolved once, every address it has must be public, and the connection goes to exactly those addresses, so a name
 * server cannot change its answer between check and connection (DNS rebinding).
 */
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

interface PinnedRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/**
 * Resolves before the body is read, whatever the status. @throws {SafeFetchError} if the URL or one of its addresses is not
 * allowed, or the host gives no valid response
 */
export async function sendPinned(
  url: URL,
  reach: NetworkPolicy,
  request: PinnedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return await requestAddress(
    { url, found: await withSignal(addressesOf(url, reach), signal) },
    reach,
    request,
    signal,
  );
}

/** http and https on their default ports, without credentials. @throws {SafeFetchError} */
export function validateUrl(text: string, { anyPort = false }: Pick<NetworkPolicy, 'anyPort'>): URL {
  if (!URL.canParse(text)) throw new SafeFetchError('not an address', 'address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SafeFetchError('not http or https', 'address');
  if (!anyPort && !['', '80', '443'].includes(url.port))
    throw new SafeFetchError('another port than 80 or 443', 'address');
  if (url.username || url.password) throw new SafeFetchError('a password in the address', 'address');
  return url;
}

async function addressesOf(
  { hostname }: URL,
  { resolve, isPublic }: NetworkPolicy,
): Promise<ResolvedAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (found.length === 0) throw new SafeFetchError('no such host', 'noHost');
  // One private address among public ones is an attack, not a mistake.
  if (!found.every(({ address }) => isPublic(address)))
    throw new SafeFetchError('a private address', 'private');
  return found;
}

function requestAddress(
  { url, found }: { url: URL; found: readonly ResolvedAddress[] },
  reach: NetworkPolicy,
  { method, headers, body }: PinnedRequest,
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
    method,
    // Called for host names only; an IP address in the URL has been validated already.
    lookup: pinned,
    port: connectionOptions[0]?.port ?? port,
    ...(reach.ca === undefined ? {} : { ca: reach.ca }),
    signal,
    // A new connection: a reused one was pinned for another request.
    agent: false,
    maxHeaderSize: 16 * 1024,
    headers: { 'user-agent': 'Shopwright', ...headers, host: url.host },
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
    request.end(body);
  });
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function toSafeFetchError(error: unknown, signal: AbortSignal): SafeFetchError {
  if (error instanceof SafeFetchError) return error;
  if (signal.aborted) return new NoAnswerError();
  const { code, name = 'Error' } = error as { code?: string; name?: string };
  return new SafeFetchError(code ?? name, failureOf(code));
}

/** What OpenSSL and Node call faults of certificates. */
const certificateCodes = /^(?:CERT_|CRL_|ERR_TLS_CERT|UNABLE_TO_)|_SIGNED_CERT|_CERT_CHAIN|_CA$/;

function failureOf(code = ''): FetchFailure {
  if (code === 'ENOTFOUND') return 'noHost';
  return certificateCodes.test(code) ? 'certificate' : 'other';
}

/** Why a request outside failed, as far as its sender can do something about it; `other` is everything else. */
export type FetchFailure =
  | 'address'
  | 'private'
  | 'noHost'
  | 'certificate'
  | 'noAnswer'
  | 'redirects'
  | 'tooLong'
  | 'type'
  | 'other';

/** A code and at most a status, so that it is safe to log. */
export class SafeFetchError extends Error {
  override name = 'OutsideError';
  readonly failure: FetchFailure;

  constructor(message: string, failure: FetchFailure = 'other') {
    super(message);
    this.failure = failure;
  }
}

export class NoAnswerError extends SafeFetchError {
  constructor() {
    super('no answer in time', 'noAnswer');
  }
}

export class StatusError extends SafeFetchError {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface NetworkPolicy {
  /** Returns all addresses. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  isPublic(address: string): boolean;
  /** The address to connect to for a validated one: the same, except in tests. */
  dial(found: ResolvedAddress, port: number): ResolvedAddress & { port: number };
  anyPort?: boolean;
  /** PEM. Defaults to those that Node ships. */
  ca?: string;
}

/** Never this machine, its network or the cloud's metadata that serves credentials (169.254.169.254). */
export const publicInternet: NetworkPolicy = {
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
  dial: (found, port) => ({ ...found, port }),
};

/** For fakes of external servers. */
export const loopbackOnly: NetworkPolicy = {
  ...publicInternet,
  isPublic: (address) => address === '::1' || (isIP(address) === 4 && address.startsWith('127.')),
  anyPort: true,
};

/** Only for addresses that the operator enters. */
export const anyNetwork: NetworkPolicy = { ...publicInternet, isPublic: () => true, anyPort: true };

/** The only assigned part of IPv6; ipaddr.js treats the rest as ordinary unicast. */
const assignedIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** By IANA's special-purpose registries. IPv4 written as IPv6 (mapped, NAT64) is not public: no name server needs it. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses short and hexadecimal forms, which are rejected here.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(assignedIpv6));
}
