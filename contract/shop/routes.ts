/** In the browser build, `web/build-plugins.ts` replaces it with a plain table. */
import type { Endpoint } from '../endpoint.ts';
import { type Endpoints, endpoints } from './endpoints.ts';

type Routes = { readonly [N in keyof Endpoints]: string };

/** A GET that changes something says so, since its method does not. What is the caller's own, such as a link's page, is read. */
const marked = ({ route, changes, repeat }: Endpoint) =>
  route.startsWith('GET ') && changes && repeat !== 'own' ? `${route} changes` : route;
const pathOf = (route: string) => route.slice(route.indexOf(' '));
// Every page loads them. Sorted by path they are smaller when compressed, wherever the endpoints are declared.
const byPath = Object.entries(endpoints).toSorted(([, a], [, b]) =>
  pathOf(a.route) < pathOf(b.route) ? -1 : 1,
);

/** Such as 'GET productManagement/product/:id', or 'GET common3/logout changes', by endpoint name. */
export const routes = Object.fromEntries(
  byPath.map(([name, endpoint]) => [name, marked(endpoint)]),
) as Routes;
