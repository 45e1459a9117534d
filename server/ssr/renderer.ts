/** With the build in production, through Vite in development. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { ApiTransport, PageRedirect, PageRequest } from '#contract/transport.ts';

export interface PageTransport {
  send: ApiTransport;
  visitor?: boolean;
}

export interface WebPage {
  redirect?: undefined;
  status: number;
  locale: Locale;
  /** Never cached. */
  personal: boolean;
  unlisted: boolean;
  /** Payment providers' scripts may run on it. */
  takesPayment: boolean;
  /** Of the innermost route, such as `/products/$cat`. */
  route: string;
  html: string;
  /** `sha256-…` of every style attribute, for the content security policy. */
  styleHashes: string[];
  /** `sha256-…` */
  scriptHashes?: string[];
  error?: unknown;
}

/** The compressed forms are present if they are smaller. */
export interface WebAsset {
  type: string;
  body: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
  /** Its name contains a content hash. */
  immutable: boolean;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Of stock-takes, whose document alone may use the camera. */
export const isScanner = (url: string): boolean => /^\/office\/scan(?:[?/]|$)/.test(url);

export interface WebRenderer {
  render(request: PageRequest): Promise<PageRedirect | WebPage>;
  /** For an address of the office. */
  office?(url: string): Promise<string | null>;
  asset(path: string): Promise<WebAsset | null>;
  middleware?: Middleware;
  close(): Promise<void>;
}

interface InProcessOptions {
  /** For calls that are limited by network. Only for pages that are rendered for one client. */
  address?: string;
  /** For a page for one client: without it no personal data can enter a cached page. Cookies of the answers are dropped. */
  cookie?: string;
  /** An answer from the cache passes no request through the server. */
  cached?: (url: string) => Promise<string | null>;
}

export function inProcessTransport(app: FastifyInstance, { address, cookie, cached }: InProcessOptions): ApiTransport {
  return async ({ method, url, body }) => {
    const known = method === 'GET' ? ((await cached?.(url)) ?? null) : null;
    if (known !== null) return { status: 200, body: JSON.parse(known) };
    const response = await app.inject({
      method,
      url,
      headers: { [clientTokenHeader]: clientToken, ...(cookie === undefined ? {} : { cookie }) },
      ...(address === undefined ? {} : { remoteAddress: address }),
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) };
  };
}
