/** The same client serves the browser (by fetch) and the server renderer (in process); only the transport differs. */
import { type DataTag, queryOptions, type UnusedSkipTokenOptions } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { clientToken, clientTokenHeader, limits, requestKeyHeader } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import type { Body, Params, Query, Response } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { type ApiReply, type ApiRequest, type CallParts, requestOf } from '#contract/transport.ts';
import { ApiError, isMissing } from '#ui/errors.ts';
import { newKey } from '#ui/new-key.ts';
import { takeEarlyAnswer } from './page-state.ts';

/** Sends a request. A transport that cannot cancel may ignore the signal. */
type ApiTransport = (request: ApiRequest & { signal?: AbortSignal }) => Promise<ApiReply>;

/** Optional fields may be passed as undefined, which leaves them out. */
type Loose<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };
type Part<K extends string, T> = [T] extends [undefined]
  ? { [P in K]?: undefined }
  : Record<never, never> extends T
    ? { [P in K]?: T | undefined }
    : undefined extends T
      ? { [P in K]?: T }
      : { [P in K]: T };

type CallInput<N extends EndpointName> = Part<'params', Params<N>> &
  Part<'query', Loose<Omit<Query<N>, 'lang'>>> &
  Part<'body', Body<N>> & { signal?: AbortSignal | undefined };

type CallArguments<N extends EndpointName> =
  Record<never, never> extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>];

export interface ApiClient {
  readonly locale: Locale;
  /** Whether the server rendered the page for this visitor, so that hydration begins with their data. */
  readonly visitor: boolean;
  /** @throws {ApiError} if the call is rejected or gets no answer */
  call<N extends EndpointName>(name: N, ...input: CallArguments<N>): Promise<Response<N>>;
}

interface QuerySettings {
  staleTime?: number;
  gcTime?: number;
  enabled?: boolean;
  refetchOnWindowFocus?: boolean;
  meta?: { serverOnly: true };
}

type CallKey = readonly [name: EndpointName, locale: Locale, input: unknown];
type CallQuery<T> = UnusedSkipTokenOptions<T, Error, T, CallKey> & { queryKey: DataTag<CallKey, T, Error> };

/** The query of a call, by its name and input: `callQuery(api, 'brand', { params: { name } })`. */
export function callQuery<N extends EndpointName>(
  api: ApiClient,
  name: N,
  ...[input, settings]: [...CallArguments<N>, settings?: QuerySettings]
): CallQuery<Response<N>> {
  return queryOptions<Response<N>, Error, Response<N>, CallKey>({
    queryKey: [name, api.locale, input],
    queryFn: ({ signal }) => api.call(name, ...([{ ...input, signal }] as unknown as CallArguments<N>)),
    ...settings,
  });
}

export const ApiContext = createContext<ApiClient | null>(null);

export function useApi(): ApiClient {
  const api = useContext(ApiContext);
  if (!api) throw new Error('no ApiContext');
  return api;
}

/** SPEC §7, §9. Milliseconds. The limit for other calls suits a slow phone. */
const timeouts: Partial<Record<EndpointName, number>> = {
  pageContent: limits.pageContentTimeoutMs,
  signon: limits.signOnTimeoutMs,
  logout: limits.logoutTimeoutMs,
};
const defaultTimeoutMs = 20_000;

/** What is kept for a visitor who comes back with a cookie: without one, what was done would be gone on the next page. */
const keptByCookie: ReadonlySet<EndpointName> = new Set([
  'addToCart',
  'addSetToCart',
  'signon',
  'clientRegistration',
]);

/** Between the tries of a change that got no answer, ms. Each is declared with how it may arrive again (`Repeat`). */
const retryMs = [1000, 3000];
/** Keys of changes that got no answer at all, by what was sent: the customer may try the same again. */
const unanswered = new Map<string, string>();

/** Sends a change until it is answered: without an answer nobody knows whether it was made, so it is not said that it was not. */
async function change(transport: ApiTransport, request: Parameters<ApiTransport>[0]): Promise<ApiReply> {
  const sent = JSON.stringify([request.url, request.body]);
  const key = unanswered.get(sent) ?? newKey();
  unanswered.set(sent, key);
  for (let tried = 0; ; tried++) {
    try {
      const reply = await transport({ ...request, key });
      // A proxy in front of the shop may have given up waiting.
      if (reply.status < 502) unanswered.delete(sent);
      return reply;
    } catch (error) {
      const wait = navigator.onLine ? retryMs[tried] : undefined;
      if (!(error instanceof ApiError) || wait === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

export function createApiClient(locale: Locale, transport: ApiTransport, visitor = false): ApiClient {
  return {
    locale,
    visitor,
    async call<N extends EndpointName>(name: N, ...[input]: CallArguments<N>): Promise<Response<N>> {
      if (keptByCookie.has(name) && navigator.cookieEnabled === false)
        throw new ApiError(0, { errorType: 'COOKIES_REFUSED', errorKey: 'error.cookies' });
      const parts = (input ?? {}) as CallParts & { body?: unknown; signal?: AbortSignal };
      const request = {
        ...requestOf(name, parts, locale),
        ...(parts.body === undefined ? {} : { body: parts.body }),
        ...(parts.signal ? { signal: parts.signal } : {}),
        timeoutMs: timeouts[name] ?? defaultTimeoutMs,
      };
      const reply = await (methodAndPath(name).changes ? change(transport, request) : transport(request));
      if (reply.status >= 400) throw new ApiError(reply.status, errorBody(reply.body));
      return reply.body as Response<N>;
    },
  };
}

/** While the page is being left: what is then sent is sent to its end after the page is gone. Browsers take little of it. */
let isLeaving = false;
globalThis.window?.addEventListener('pagehide', () => (isLeaving = true), true);
globalThis.window?.addEventListener('pageshow', () => (isLeaving = false), true);

/** Sends by fetch with credentials and the client header. A cancelled call rejects with the signal's reason. */
export const fetchTransport: ApiTransport = async ({
  method,
  url,
  body,
  key,
  signal,
  timeoutMs = defaultTimeoutMs,
}) => {
  const aborted = abortOf(signal, timeoutMs);
  let response: globalThis.Response;
  try {
    response = await (takeEarlyAnswer(key === undefined ? method : 'change', url) ??
      fetch(url, {
        method,
        credentials: 'same-origin',
        ...(isLeaving ? { keepalive: true } : {}),
        headers: {
          [clientTokenHeader]: clientToken,
          ...(key === undefined ? {} : { [requestKeyHeader]: key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: aborted,
      }));
    const text = await response.text();
    // A proxy between browser and shop may answer with a page of its own.
    return { status: response.status, body: response.ok ? JSON.parse(text || 'null') : parsedOrNull(text) };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, { errorType: isTimeout(error) ? 'TIMEOUT' : 'NETWORK_ERROR' });
  }
};

/** Aborts with the signal or after the time, whichever is first. */
function abortOf(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  if (!signal) return timeout;
  const either = new AbortController();
  for (const each of [signal, timeout]) {
    if (each.aborted) either.abort(each.reason);
    else
      each.addEventListener('abort', () => either.abort(each.reason), { once: true, signal: either.signal });
  }
  return either.signal;
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An error answer without the shop's body does not come from the shop. */
function errorBody(body: unknown): ErrorBody {
  const usable =
    typeof body === 'object' && body !== null && 'errorType' in body && typeof body.errorType === 'string';
  return usable ? (body as ErrorBody) : { errorType: 'UNKNOWN_ERROR' };
}

/** In a loader: turns a name that the API does not know or rejects into the not-found view, with status 404 on the server. */
export async function orNotFound<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (isMissing(error)) throw notFound();
    throw error;
  }
}

/** The displayed stores. Their details rarely change, so an answer stays fresh for ten minutes. */
export const storesQuery = (api: ApiClient) =>
  callQuery(api, 'pickupLocations', {}, { staleTime: 10 * 60_000 });
