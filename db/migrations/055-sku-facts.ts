/** What a SKU has of its own: price, price before a reduction, cost and weight. */
import type { Migration } from './index.ts';

export const skuFacts: Migration = {
  id: 55,
  name: 'sku facts',
  async up({ schema }) {
    for (const column of ['own_price_cents', 'cost_cents', 'weight_grams'])
      await schema.alterTable('skus').addColumn(column, 'integer').execute();
    await schema
      .alterTable('skus')
      .addColumn('own_compare_at', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
