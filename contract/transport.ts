/** The browser sends it by fetch, the server renderer in process. */
import type { HttpMethod } from './endpoint.ts';
import { apiBase } from './limits.ts';
import { type Locale, mainLocale } from './locales.ts';
import { type EndpointName, methodAndPath } from './shop/paths.ts';

export interface ApiRequest {
  method: HttpMethod;
  /** Path and query, starting with the API base. */
  url: string;
  body?: unknown;
  /** Of a change: sent with it again, it is the same one. */
  key?: string;
  /** After which the client gives up. */
  timeoutMs?: number;
}

export interface ApiReply {
  status: number;
  body: unknown;
}

/** Rejects only if no answer arrives; an error status is an answer. */
export type ApiTransport = (request: ApiRequest) => Promise<ApiReply>;

export interface CallParts {
  params?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
}

/** Undefined fields and the default language are left out, so that one answer has one URL. */
export function requestOf(
  name: EndpointName,
  parts: CallParts,
  locale: Locale,
): { method: HttpMethod; url: string } {
  const { method, path } = methodAndPath(name);
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(parts.params?.[key] ?? ''));
  const query = { ...parts.query, ...(locale === mainLocale() ? {} : { lang: locale }) };
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(value as string)}`)
    .join('&');
  return { method, url: apiBase + filled + (search ? `?${search}` : '') };
}

export interface PageRequest {
  /** As requested, with the language prefix. */
  url: string;
  transport: ApiTransport;
  /** `transport` sends the visitor's session, whose data the page shows. By default it is the same for everybody. */
  visitor?: boolean;
  /** Whether the menu of phones is filled although nobody has opened it: for a look at it. */
  drawsMenu?: boolean;
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
