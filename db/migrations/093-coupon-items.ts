/** The products and categories that a coupon is for. */
import type { Migration } from './index.ts';

export const couponItems: Migration = {
  id: 93,
  name: 'items of coupons',
  async up(db) {
    for (const column of ['products', 'categories'])
      await db.schema
        .alterTable('coupons')
        .addColumn(column, 'text', (c) => c.notNull().defaultTo('[]'))
        .execute();
  },
};
