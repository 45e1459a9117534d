import type { Locale } from './locales.ts';
import type { ApiTransport } from './transport.ts';

export interface PageRequest {
  /** As requested, with the language prefix. */
  url: string;
  transport: ApiTransport;
  /** `transport` sends the visitor's session, whose data the page shows. By default it is the same for everybody. */
  visitor?: boolean;
  /** Scheme and host, for canonical addresses. */
  origin: string;
  /** The default language first. */
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
   * Neither cached nor indexed. The server renders only its frame, unless it has the customer's session (`PageRequest.visitor`).
   */
  personal: boolean;
  messages: string | null;
  /** Search engines are asked not to index the page. */
  unlisted: boolean;
  html: string;
  /** For the end of the body. */
  state: string;
  earlyCalls: string[];
  /** Outermost first, so that their chunks can be preloaded. */
  routeIds: string[];
  error?: unknown;
}

/** Rejects only if the renderer itself fails. */
export type RenderPage = (request: PageRequest) => Promise<PageRedirect | RenderedDocument>;
