/** Prices of product cards become columns, and cards whole JSON objects without them. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Migration } from './index.ts';

const batchSize = 500;

export const cardPrices: Migration = {
  id: 18,
  name: 'card prices',
  async up(trx) {
    const table = () => trx.schema.alterTable('product_cards');
    await table()
      .addColumn('price_cents', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await table().addColumn('list_price_cents', 'integer').execute();
    await table()
      .addColumn('price_from', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await moveCardPrices(trx);
  },
};

async function moveCardPrices(trx: Kysely<Tables>): Promise<void> {
  for (let after = -1; ; ) {
    const products = await trx
      .selectFrom('products')
      .select('no')
      .where('no', '>', after)
      .orderBy('no')
      .limit(batchSize)
      .execute();
    const last = products.at(-1);
    if (!last) return;
    const rows = await trx
      .selectFrom('product_cards')
      .select(['product_no', 'language', 'card'])
      .where('product_no', '>', after)
      .where('product_no', '<=', last.no)
      .execute();
    for (const { product_no, language, card: stored } of rows) {
      // The stored text was an object without its closing brace.
      const { priceInfo, ...card } = JSON.parse(`${stored}}`) as {
        priceInfo: { price: number; listPrice: number | null; from: boolean };
      };
      await trx
        .updateTable('product_cards')
        .set({
          card: JSON.stringify(card),
          price_cents: priceInfo.price,
          list_price_cents: priceInfo.listPrice,
          price_from: priceInfo.from ? 1 : 0,
        })
        .where('product_no', '=', product_no)
        .where('language', '=', language)
        .execute();
    }
    after = last.no;
  }
}
