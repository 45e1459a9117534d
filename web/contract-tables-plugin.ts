/** Gives the browser the tables that the contract derives from its schemas, without the schemas. */
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { EndpointName } from '../contract/shop/paths.ts';

/** Calls of other clients: the storefront has newer ones, and every page would load their routes. */
export const callsOfOthers = [
  'updateCartItem',
  'deleteCartItem',
  'userInfo',
  'storeBlog',
  'blogConfig',
  'recentPhotos',
  'taggedProducts',
  'productsByTag',
  'productSearch',
  'productSearchCount',
  'productsOnSale',
  'productsByNameAndCondition',
  'productsByConditions',
] as const satisfies readonly EndpointName[];

/** Replaces files of the contract, which import schemas, with the values that they export. */
export function contractTables(): Plugin {
  return {
    name: 'contract-tables',
    enforce: 'pre',
    load: {
      filter: { id: /\/contract\/(?:shop\/routes|staff\/routes|payment-provider-table)\.ts$/ },
      async handler(id) {
        const values: object = await import(pathToFileURL(id).href);
        const without = (key: string, value: unknown) => ((callsOfOthers as readonly string[]).includes(key) ? undefined : value);
        const exported = Object.entries(values).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value, without)};`,
        );
        return exported.join('\n');
      },
    },
  };
}
