/** The contract between `server/ssr` and `web/entry.server.tsx`: the input and output of rendering a page. */
import type { Locale } from './locales.ts';
import type { ApiTransport } from './transport.ts';

export interface PageRequest {
  /** Path and query as requested, with the language prefix. */
  url: string;
  /** Sends the page's API calls without a session, because the rendered page is the same for every visitor. */
  transport: ApiTransport;
  /** Scheme and host, for canonical addresses. */
  origin: string;
}

export interface PageRedirect {
  redirect: { status: 301 | 302; location: string };
}

export interface RenderedDocument {
  redirect?: undefined;
  status: number;
  locale: Locale;
  /** A page about one customer, of which the server renders only the frame; it is neither cached nor indexed. */
  personal: boolean;
  /** The name of the extra message file that the page needs; null if it needs none. */
  messages: string | null;
  /** The page asks search engines not to index it. */
  unlisted: boolean;
  /** The document, without the build's scripts and styles. */
  html: string;
  /** The element that carries the state, for the end of the body. */
  state: string;
  /** URLs of GET calls whose answers are personal: the browser makes them before it has any script. */
  earlyCalls: string[];
  /** The matched routes, outermost first, so that their chunks can be preloaded. */
  routeIds: string[];
  /** The error that the page shows, if it shows one. */
  error?: unknown;
}

/** Renders one page. Rejects only if the renderer itself fails. */
export type RenderPage = (request: PageRequest) => Promise<PageRedirect | RenderedDocument>;
