/** Where each endpoint is served. The browser imports this file, so it brings no schemas along. */
import { routes } from './endpoint-routes.ts';
import type { Endpoints } from './endpoints.ts';

export type EndpointName = keyof Endpoints;
export type HttpMethod = 'GET' | 'POST' | 'PUT';

/** The method of an endpoint, and its path below the API base. */
export function methodAndPath(name: EndpointName): { method: HttpMethod; path: string } {
  const [method, path] = routes[name].split(' ') as [HttpMethod, string];
  return { method, path };
}
