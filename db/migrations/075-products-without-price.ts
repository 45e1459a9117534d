/** Products that cost nothing without saying so are taken off sale at the next look at times, which also tells lists and search. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const productsWithoutPrice: Migration = {
  id: 75,
  name: 'products-without-price',
  async up(db) {
    await sql`update products set publish_at = 0 where published = 1 and publish_at is null
      and exists (select 1 from skus where skus.product_id = products.id and skus.price_cents <= 0 and skus.own_price_cents is null)`.execute(
      db,
    );
  },
};
