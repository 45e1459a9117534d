/** Gives the browser the routes of the endpoints without their schemas. */
import type { Plugin } from 'vite';

const table = new URL('../contract/endpoint-routes.ts', import.meta.url);

/** Replaces `contract/endpoint-routes.ts`, which imports the schemas, with a table generated from them. */
export function endpointRoutes(): Plugin {
  return {
    name: 'endpoint-routes',
    enforce: 'pre',
    load: {
      filter: { id: /\/contract\/endpoint-routes\.ts$/ },
      async handler() {
        const { routes }: { routes: Record<string, string> } = await import(table.href);
        return `export const routes = ${JSON.stringify(routes)};`;
      },
    },
  };
}
