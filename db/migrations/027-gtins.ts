/** The trade item numbers of SKUs. */
import type { Migration } from './index.ts';

export const gtins: Migration = {
  id: 27,
  name: 'gtins',
  async up({ schema }) {
    await schema.alterTable('skus').addColumn('gtin', 'text').execute();
  },
};
