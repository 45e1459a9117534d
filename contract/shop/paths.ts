import type { HttpMethod } from '../endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import { routes } from './routes.ts';

export type EndpointName = keyof Endpoints;

/** `changes`: it is sent until it is answered. */
export function methodAndPath(name: EndpointName): { method: HttpMethod; path: string; changes: boolean } {
  const [method, path, mark] = routes[name].split(' ') as [HttpMethod, string, 'changes'?];
  return { method, path, changes: method !== 'GET' || mark === 'changes' };
}
