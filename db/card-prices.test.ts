import { expect, test } from 'vitest';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import { cardPrices } from './migrations/018-card-prices.ts';

onBothEngines((engine) => {
  test('the card price migration keeps every card of a database written before it', async () => {
    const { db, call } = await createTestApp({ engine, demo: true });
    const list = () => call('products', { query: { numberToLoad: 48 }, lang: 'zh' });
    const before = await list();
    expect(before.products.some(({ priceInfo }) => priceInfo.listPrice !== null)).toBe(true);
    await db.transaction(async (trx) => {
      // Cards as earlier versions stored them: with the price, and without the closing brace.
      for (const row of await trx.selectFrom('product_cards').selectAll().execute()) {
        const priceInfo = {
          price: row.price_cents,
          listPrice: row.list_price_cents,
          currency: 'CAD',
          from: row.price_from === 1,
        };
        const card = JSON.stringify({ ...JSON.parse(row.card), priceInfo }).slice(0, -1);
        await trx
          .updateTable('product_cards')
          .set({ card })
          .where('product_no', '=', row.product_no)
          .where('language', '=', row.language)
          .execute();
      }
      for (const column of ['price_cents', 'list_price_cents', 'price_from'])
        await trx.schema.alterTable('product_cards').dropColumn(column).execute();
      await cardPrices.up(trx, engine);
    });
    expect(await list()).toEqual(before);
  });
});
