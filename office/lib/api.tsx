/** Calls the server for the person who is signed in, and asks for password and code again, or at a station for a PIN, where a call needs it. */
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
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
import type { Me } from '#contract/staff/schemas.ts';
import { ApiError } from '#ui/errors.ts';
import { ConfirmDialog, PinDialog } from './confirm-dialog.tsx';
import { earlyAnswer } from './early.ts';
import { useLanguage } from './i18n.tsx';

const timeoutMs = 20_000;
const fileTimeoutMs = 10 * 60_000;

type Given<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: T };
type Input<N extends StaffEndpointName> = Given<'params', StaffParams<N>> &
  Given<'body', StaffBody<N>> & {
    query?: Omit<StaffQuery<N>, 'lang'>;
    /** The body of calls that take one. */
    file?: File;
    /** Sends in place of `fetch`. */
    by?: By;
  };
export type By = (address: string, request: RequestInit) => Promise<Response>;
type Arguments<N extends StaffEndpointName> = Record<never, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>];

/** @throws {ApiError} if the call is rejected or gets no answer */
export type Call = <N extends StaffEndpointName>(name: N, ...input: Arguments<N>) => Promise<StaffResponse<N>>;

async function send(
  name: keyof StaffEndpoints,
  input: { params?: Record<string, string> | undefined; query?: object; body?: unknown; file?: File; by?: By },
  locale: Locale,
): Promise<unknown> {
  const [method = '', path = ''] = staffRoutes[name].split(' ');
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(input.params?.[key] ?? ''));
  const query = new URLSearchParams({ lang: locale });
  for (const [key, value] of Object.entries(input.query ?? {})) if (value !== undefined) query.set(key, String(value));
  let response: Response;
  try {
    const url = `${staffBase}${filled}?${query}`;
    response = await (earlyAnswer(url) ??
      (input.by ?? fetch)(url, {
        method,
        headers: {
          [clientTokenHeader]: staffToken,
          ...(input.body ? { 'content-type': 'application/json' } : input.file ? { 'content-type': input.file.type } : {}),
        },
        ...(input.body ? { body: JSON.stringify(input.body) } : input.file ? { body: input.file } : {}),
        signal: AbortSignal.timeout(input.file ? fileTimeoutMs : timeoutMs),
      }));
  } catch {
    throw new ApiError(0, { errorType: 'NETWORK_ERROR' });
  }
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
  (name, ...[input]) =>
    send(name, (input ?? {}) as object, locale) as Promise<StaffResponse<typeof name>>;

const asks: Readonly<Record<string, 'confirm' | 'pin'>> = { 'staff.confirmNeeded': 'confirm', 'staff.pinNeeded': 'pin' };

const CallContext = createContext<Call | null>(null);

/** Gives its children the calls. One that needs somebody to show who they are opens the dialog for that and is then repeated. */
export function CallProvider({ me, children }: { me: Me | null; children: ReactNode }) {
  const { locale } = useLanguage();
  const [asking, setAsking] = useState<'confirm' | 'pin' | null>(null);
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  /** Several calls wait for one dialog. */
  const asked = useRef<Promise<boolean>>(undefined);
  const ask = useCallback((what: 'confirm' | 'pin') => {
    asked.current ??= new Promise<boolean>((resolve) => {
      answer.current = resolve;
      setAsking(what);
    }).finally(() => {
      asked.current = undefined;
      setAsking(null);
    });
    return asked.current;
  }, []);
  const call = useCallback<Call>(
    async (name, ...input) => {
      const request = () => callIn(locale)(name, ...input);
      try {
        return await request();
      } catch (error) {
        const what = error instanceof ApiError && asks[error.body.errorKey ?? ''];
        if (!what || !(await ask(what))) throw error;
        return request();
      }
    },
    [ask, locale],
  );
  return (
    <CallContext value={call}>
      {children}
      {asking === 'confirm' && <ConfirmDialog call={call} me={me} onEnd={(confirmed) => answer.current?.(confirmed)} />}
      {asking === 'pin' && <PinDialog call={call} onEnd={(entered) => answer.current?.(entered)} />}
    </CallContext>
  );
}

export function useCall(): Call {
  const call = useContext(CallContext);
  if (!call) throw new Error('useCall outside of CallProvider');
  return call;
}
