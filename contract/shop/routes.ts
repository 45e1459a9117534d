/** In the browser build, `web/build-plugins.ts` replaces it with a plain table. */
import { type Endpoints, endpoints } from './endpoints.ts';

type Routes = { readonly [N in keyof Endpoints]: string };

const pathOf = (route: string) => route.slice(route.indexOf(' '));
// Every page loads them. Sorted by path they are smaller when compressed, wherever the endpoints are declared.
const byPath = Object.entries(endpoints).toSorted(([, a], [, b]) => (pathOf(a.route) < pathOf(b.route) ? -1 : 1));

/** Such as 'GET productManagement/product/:id', by endpoint name. */
export const routes = Object.fromEntries(byPath.map(([name, { route }]) => [name, route])) as Routes;
