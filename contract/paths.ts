/** The method and path of each endpoint. The browser imports this file, so it must not import schemas. */
import { routes } from './endpoint-routes.ts';
import type { Endpoints } from './endpoints.ts';

export type EndpointName = keyof Endpoints;
export type HttpMethod = 'GET' | 'POST' | 'PUT';

/** An endpoint's method, and its path below the API base. */
export function methodAndPath(name: EndpointName): { method: HttpMethod; path: string } {
  const [method, path] = routes[name].split(' ') as [HttpMethod, string];
  return { method, path };
}
