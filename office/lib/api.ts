/** Calls the server for the person who is signed in. */
import { createContext, useContext, useState } from 'react';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type {
  StaffBody,
  StaffEndpointName,
  StaffEndpoints,
  StaffParams,
  StaffQuery,
  StaffResponse,
} from '#contract/staff/endpoints.ts';
import { staffRoutes } from '#contract/staff/routes.ts';
import { ApiError } from '#ui/errors.ts';
import { newKey } from '#ui/new-key.ts';
import { earlyAnswer } from './early.ts';
import { learnTime } from './server-time.ts';

const timeoutMs = 20_000;
const fileTimeoutMs = 10 * 60_000;

/** Between the tries of a request that got no answer, ms. */
const retryMs = [1000, 3000];

type Given<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: T };
type Input<N extends StaffEndpointName> = Given<'params', StaffParams<N>> &
  Given<'body', StaffBody<N>> &
  (StaffEndpoints[N] extends { repeat: 'key' }
    ? { once: Once }
    : StaffEndpoints[N] extends { repeat: 'seen' | 'used' }
      ? { once?: Once }
      : { once?: undefined }) & {
    query?: Omit<StaffQuery<N>, 'lang'>;
    /** The body of calls that take one. */
    file?: File;
    /** Sends in place of `fetch`. */
    by?: By;
  };
export type By = (address: string, request: RequestInit) => Promise<Response>;
type Arguments<N extends StaffEndpointName> =
  Record<never, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>];

/** @throws {ApiError} if the call is rejected or gets no answer */
export type Call = <N extends StaffEndpointName>(
  name: N,
  ...input: Arguments<N>
) => Promise<StaffResponse<N>>;

/**
 * A form whose call is done once, however often it is sent. It has a key for each thing that is changed. An answer ends the key: what is
 * sent then is something new.
 */
export class Once {
  private readonly keys = new Map<string, string>();
  private readonly first: () => string;

  constructor(first = newKey) {
    this.first = first;
  }

  keyOf(what: string): string {
    const key = this.keys.get(what) ?? this.first();
    this.keys.set(what, key);
    return key;
  }

  answered(what: string): void {
    this.keys.delete(what);
  }
}

/** Made when the form opens. */
export const useOnce = (): Once => useState(() => new Once())[0];

interface Request {
  params?: Record<string, string> | undefined;
  query?: object;
  body?: unknown;
  file?: File;
  by?: By;
  once?: Once;
  key?: string;
}

/** Without an answer it is asked for once more by sending the same again; only then is it said that nobody knows. */
async function sendOnce(
  name: keyof StaffEndpoints,
  input: Request & { once: Once },
  locale: Locale,
): Promise<unknown> {
  const what = JSON.stringify([name, input.params]);
  const key = input.once.keyOf(what);
  for (let tried = 0; ; tried++) {
    try {
      const answer = await send(name, { ...input, key }, locale);
      input.once.answered(what);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || !isUnsure(error)) {
        input.once.answered(what);
        throw error;
      }
      const wait = retryMs[tried];
      if (wait === undefined) throw new ApiError(0, { errorType: 'NETWORK_ERROR', errorKey: 'error.unsure' });
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** For queries: what was rejected is rejected again, and its reason is read at once; what was not answered is asked for once more. */
export const retriesOnce = (failed: number, error: unknown): boolean =>
  failed < 1 && (!(error instanceof ApiError) || isUnsure(error));

/** Whether it may be done although this was not answered. */
const isUnsure = ({ status, body }: ApiError) =>
  status === 0 || status >= 500 || body.errorKey === 'error.underWay';

async function send(name: keyof StaffEndpoints, input: Request, locale: Locale): Promise<unknown> {
  const [method = '', path = ''] = staffRoutes[name].split(' ');
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(input.params?.[key] ?? ''));
  const query = new URLSearchParams({ lang: locale });
  for (const [key, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(key, String(value));
  let response: Response;
  try {
    const url = `${staffBase}${filled}?${query}`;
    response = await (earlyAnswer(url) ??
      (input.by ?? fetch)(url, {
        method,
        headers: {
          [clientTokenHeader]: staffToken,
          ...(input.key ? { [requestKeyHeader]: input.key } : {}),
          ...(input.body
            ? { 'content-type': 'application/json' }
            : input.file
              ? { 'content-type': input.file.type }
              : {}),
        },
        ...(input.body ? { body: JSON.stringify(input.body) } : input.file ? { body: input.file } : {}),
        signal: AbortSignal.timeout(input.file ? fileTimeoutMs : timeoutMs),
      }));
  } catch {
    throw new ApiError(0, { errorType: 'NETWORK_ERROR' });
  }
  learnTime(response);
  const body: unknown = await response.json().catch(() => {
    // An answer that broke off, as when its page is left.
    if (response.ok) throw new ApiError(0, { errorType: 'NETWORK_ERROR' });
    return { errorType: 'UNKNOWN_ERROR' };
  });
  if (!response.ok) throw new ApiError(response.status, body as ApiError['body']);
  return body;
}

/** Calls that ask for nothing again. */
export const callIn =
  (locale: Locale): Call =>
  (name, ...[input]) => {
    const request = (input ?? {}) as Request;
    const { once } = request;
    const answer = once ? sendOnce(name, { ...request, once }, locale) : send(name, request, locale);
    return answer as Promise<StaffResponse<typeof name>>;
  };

export const CallContext = createContext<Call | null>(null);

export function useCall(): Call {
  const call = useContext(CallContext);
  if (!call) throw new Error('useCall outside of CallProvider');
  return call;
}
