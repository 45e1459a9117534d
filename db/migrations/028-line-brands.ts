/** The brand of each line of an order, which its ticket names. Lines from before have none and take that of their product. */
import type { Migration } from './index.ts';

export const lineBrands: Migration = {
  id: 28,
  name: 'line brands',
  async up({ schema }) {
    await schema.alterTable('order_lines').addColumn('brand', 'text').execute();
  },
};
