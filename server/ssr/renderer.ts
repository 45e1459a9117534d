/**
 * The interface that renders pages of the storefront, with the build in production or through Vite in development; `app.ts`
 * receives either.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locale } from '#contract/locales.ts';
import type { PageRedirect, PageRequest } from '#contract/rendering.ts';
import type { ApiTransport } from '#contract/transport.ts';

/** How the page of one request gets its data. */
export interface PageTransport {
  send: ApiTransport;
  /** See `PageRequest.visitor`. */
  visitor?: boolean;
}

export interface WebPage {
  redirect?: undefined;
  status: number;
  locale: Locale;
  /** A page with one customer's data: never cached. */
  personal: boolean;
  unlisted: boolean;
  /** The page on which payment providers' scripts may run. */
  takesPayment: boolean;
  /** The id of the innermost route, such as `/products/$cat`. */
  route: string;
  html: string;
  /** `sha256-…` of every style attribute in the page, for its content security policy. */
  styleHashes: string[];
  /** `sha256-…` of every inline script in the page. */
  scriptHashes?: string[];
  /** The error that the page shows, if any; for the log. */
  error?: unknown;
}

/** A file of the build, ready to send. The compressed forms are present if they are smaller. */
export interface WebAsset {
  type: string;
  body: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
  /** Whether the name contains a content hash, so that it can be cached forever. */
  immutable: boolean;
}

/** A handler with the signature of `node:http` middleware, for the development server. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface WebRenderer {
  render(request: PageRequest): Promise<PageRedirect | WebPage>;
  /** The document of the office, for an address of it. */
  office?(url: string): Promise<string | null>;
  asset(path: string): Promise<WebAsset | null>;
  /** In development: middleware that runs before the shop's routes. */
  middleware?: Middleware;
  close(): Promise<void>;
}
