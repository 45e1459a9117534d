/** The route of each endpoint. In the browser build, `web/endpoint-routes-plugin.ts` replaces it with a plain table. */
import { type Endpoints, endpoints } from './endpoints.ts';

type Routes = { readonly [N in keyof Endpoints]: string };

/** Method and path below the API base, such as 'GET productManagement/product/:id', by endpoint name. */
export const routes = Object.fromEntries(Object.entries(endpoints).map(([name, { route }]) => [name, route])) as Routes;
