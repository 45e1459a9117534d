/** How many single servings of food a unit of a SKU holds, on which its tax depends. */
import type { Migration } from './index.ts';

export const singleServings: Migration = {
  id: 35,
  name: 'single servings',
  async up({ schema }) {
    await schema
      .alterTable('skus')
      .addColumn('single_servings', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
  },
};
