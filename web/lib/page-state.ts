/**
 * What the server hands to the browser so that the first view needs no second fetch: the query
 * cache and the router's matches, as JSON in a script of type application/json, which no content
 * security policy has to allow.
 */
import type { DehydratedState } from '@tanstack/react-query';
import type { DehydratedMatch } from '@tanstack/router-core/ssr/client';

export const stateElementId = 'state';

export interface PageState {
  origin: string;
  queries: DehydratedState;
  matches: DehydratedMatch[];
}

/** JSON that can stand inside a script element: no `<`, so that no text can end it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export function readPageState(): PageState {
  const element = document.getElementById(stateElementId);
  if (!element?.textContent) throw new Error('The page carries no state');
  return JSON.parse(element.textContent) as PageState;
}
