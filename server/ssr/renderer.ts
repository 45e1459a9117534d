/** Renders pages of the storefront. Built in production, through Vite while developing; `app.ts` is handed either. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageRedirect, PageRequest } from '#contract/rendering.ts';

export interface WebPage {
  redirect?: undefined;
  status: number;
  /** A page of one shopper's own: never cached. */
  personal: boolean;
  /** Not for search engines. */
  unlisted: boolean;
  /** The page on which payment providers' own scripts may run. */
  takesPayment: boolean;
  html: string;
  /** `sha256-…` of every style attribute in the page, for its content security policy. */
  styleHashes: string[];
  /** Why the page shows an error, where it does; for the log. */
  error?: unknown;
}

/** A file of the build, ready to send. The encodings are there where they are smaller. */
export interface WebAsset {
  type: string;
  body: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
  /** Named by its content: may be kept for ever. */
  immutable: boolean;
}

/** A handler in the manner of `node:http`, for the development server. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface WebRenderer {
  render(request: PageRequest): Promise<PageRedirect | WebPage>;
  /** A file of the build by its URL path, or null. */
  asset(path: string): Promise<WebAsset | null>;
  /** While developing: what answers before the shop does. */
  middleware?: Middleware;
  close(): Promise<void>;
}
