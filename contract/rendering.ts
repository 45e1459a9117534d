/** What the server asks of the web build, and what it gets: the one seam between `server/ssr` and `web/entry.server.tsx`. */
import type { Locale } from './locales.ts';
import type { ApiTransport } from './transport.ts';

export interface PageRequest {
  /** Path and query as the browser asked for them, language prefix included. */
  url: string;
  /** Carries the page's API calls, without a session: what is rendered is the same for everybody. */
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
  /** A page of one shopper's own, of which this is only the frame: not to be cached or indexed. */
  personal: boolean;
  /** The name of those messages that it says beside the ones every page has; null where it says no others. */
  messages: string | null;
  /** Says of itself that search engines should leave it out. */
  unlisted: boolean;
  /** The document without scripts and styles of the build. */
  html: string;
  /** The element that carries the state, to stand at the end of the body. */
  state: string;
  /** The matched routes, outermost first, so that their chunks can be preloaded. */
  routeIds: string[];
  /** Why the page shows an error, where it does. */
  error?: unknown;
}

/** Renders one page. Rejects only when the renderer itself is broken. */
export type RenderPage = (request: PageRequest) => Promise<PageRedirect | RenderedDocument>;
