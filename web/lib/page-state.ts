/** The state that the server hands to the browser: JSON in a script of type application/json, which needs no exception in a CSP. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { AnyRouteMatch } from '@tanstack/react-router';
import type { Locale } from '#contract/locales.ts';

export const stateElementId = 'state';

interface PageState {
  origin: string;
  languages: readonly Locale[];
  queries: [key: QueryKey, data: unknown][];
  matches: PageMatch[];
  /** The page was rendered for its visitor, and `queries` contains their data. */
  visitor?: true;
}

/** A match as the router's `hydrate` reads it: id, status, loader data, error, and whether nothing was found. */
export interface PageMatch {
  i: string;
  s: AnyRouteMatch['status'];
  ssr: true;
  l?: unknown;
  e?: unknown;
  g?: true;
}

/** Without `meta.serverOnly` queries and without times: one state of the catalogue gives one text, whenever it was rendered. */
export function pageState(
  shop: Pick<PageState, 'origin' | 'languages'>,
  queryClient: QueryClient,
  matches: AnyRouteMatch[],
  visitor = false,
): PageState {
  const loaded = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state, meta }) => state.status === 'success' && meta?.serverOnly !== true });
  return {
    ...shop,
    queries: loaded.map((query) => [query.queryKey, query.state.data]),
    matches: matches.map((match) => ({
      i: match.id.replaceAll('/', '#'),
      s: match.status,
      ssr: true,
      ...(match.loaderData === undefined ? {} : { l: match.loaderData }),
      ...(match.error === undefined ? {} : { e: plainError(match.error) }),
      ...(match._notFound ? { g: true } : {}),
    })),
    ...(visitor ? { visitor } : {}),
  };
}

/** Errors are reduced to name and status, because their messages may be confidential. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { name: error.name, ...('status' in error ? { status: error.status } : {}) };
}

/** JSON that is safe inside a script element: no `<`, so that no text can end it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export function readPageState(): PageState {
  const element = document.getElementById(stateElementId);
  if (!element?.textContent) throw new Error('no page state');
  return JSON.parse(element.textContent) as PageState;
}

interface PageStart {
  /** Answers to GET calls, by URL; each is for the first that asks. */
  answers: Map<string, Promise<Response>>;
  /** Ends the recording of presses. Returns the buttons that were pressed, in order, each once. */
  takePresses: () => HTMLButtonElement[];
}

declare global {
  interface Window {
    /** Undefined while developing. */
    pageStart?: PageStart;
  }
}

/** Takes the answer to a call that was made before hydration; undefined if it was not made, or its answer was taken. */
export function takeEarlyAnswer(method: string, url: string): Promise<Response> | undefined {
  const answers = globalThis.window?.pageStart?.answers;
  const answer = method === 'GET' ? answers?.get(url) : undefined;
  // After a change, earlier answers are outdated.
  if (method === 'GET') answers?.delete(url);
  else answers?.clear();
  return answer;
}

/** Repeats the presses of buttons that came before hydration. React hydrates a button that is pressed at once. */
export function repeatEarlyPresses(): void {
  for (const button of window.pageStart?.takePresses() ?? []) if (button.isConnected) button.click();
}
