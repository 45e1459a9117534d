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
export function requestOf(name: EndpointName, parts: CallParts, locale: Locale): { method: HttpMethod; url: string } {
  const { method, path } = methodAndPath(name);
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(parts.params?.[key] ?? ''));
  const query = { ...parts.query, ...(locale === mainLocale() ? {} : { lang: locale }) };
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(value as string)}`)
    .join('&');
  return { method, url: apiBase + filled + (search ? `?${search}` : '') };
}
