/** Gives the browser the tables that the contract derives from its schemas, without the schemas. */
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** Replaces files of the contract, which import schemas, with the values that they export. */
export function contractTables(): Plugin {
  return {
    name: 'contract-tables',
    enforce: 'pre',
    load: {
      filter: { id: /\/contract\/(?:shop\/routes|staff\/routes|payment-provider-table)\.ts$/ },
      async handler(id) {
        const values: object = await import(pathToFileURL(id).href);
        const exported = Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
        return exported.join('\n');
      },
    },
  };
}
