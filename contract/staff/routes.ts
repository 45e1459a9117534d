/** The route of each call of the office. In the browser build, `web/build-plugins.ts` replaces it with a plain table. */
import { type StaffEndpointName, staffEndpoints } from './endpoints.ts';

export const staffRoutes = Object.fromEntries(
  Object.entries(staffEndpoints).map(([name, { route }]) => [name, route]),
) as Readonly<Record<StaffEndpointName, string>>;
