/** The contract between `server/ssr` and `web/entry.server.tsx`: the input and output of rendering a page. */
import type { Locale } from './locales.ts';
import type { ApiTransport } from './transport.ts';

export interface PageRequest {
  /** Path and query as requested, with the language prefix. */
  url: string;
  /** Sends the page's API calls: without a session, unless the page is rendered for one visitor. */
  transport: ApiTransport;
  /**
   * `transport` sends the visitor's session, so that a page of `visitor-pages.ts` shows their own data. By default the page is the
   * same for every visitor.
   */
  visitor?: boolean;
  /** Scheme and host, for canonical addresses. */
  origin: string;
  /** The languages that the shop offers, its default language first. */
  languages: readonly Locale[];
}

export interface PageRedirect {
  redirect: { status: 301 | 302; location: string };
}

export interface RenderedDocument {
  redirect?: undefined;
  status: number;
  locale: Locale;
  /**
   * A page about one customer, which is neither cached nor indexed. The server renders only its frame, unless it has their session
   * (`PageRequest.visitor`).
   */
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
