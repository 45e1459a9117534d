import type { HttpMethod } from '../endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import { routes } from './routes.ts';

export type EndpointName = keyof Endpoints;

export function methodAndPath(name: EndpointName): { method: HttpMethod; path: string } {
  const [method, path] = routes[name].split(' ') as [HttpMethod, string];
  return { method, path };
}
