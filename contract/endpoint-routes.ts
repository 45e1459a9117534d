/** The route of each endpoint. In the browser's build `web/endpoint-routes-plugin.ts` puts a plain table in its place. */
import { type Endpoints, endpoints } from './endpoints.ts';

type Routes = { readonly [N in keyof Endpoints]: string };

/** Method and path below the API base, such as 'GET productManagement/product/:id', by the endpoint's name. */
export const routes = Object.fromEntries(Object.entries(endpoints).map(([name, { route }]) => [name, route])) as Routes;
