/** What a full disk says to shoppers, who can only wait, and to staff, who can have it mended. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { finish, homeOf, shopperWithCart } from '#tests/shop-actions.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp } from '#tests/test-app.ts';

const sku = 'MC-GT-01-250';

it('a full disk is named to staff, shoppers are asked to wait, and once there is space the same is saved', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const as = await joinDemo(testApp, 'demo-mei');
  const { number } = await finish(testApp, await shopperWithCart(testApp, sku), { how: 'pay', lang: 'en' });
  // SQLite says the same of its own limit as of a disk without space.
  const limit = (pages: number) =>
    testApp.db.transaction((trx) => sql.raw(`pragma max_page_count = ${pages}`).execute(trx));
  const write = () =>
    askStaff(testApp, 'noteOrder', { as, params: { number }, body: { text: 'x'.repeat(2000) } });
  let visitors = 0;
  const shop = () => {
    visitors += 1;
    const session = testApp.shopper(homeOf(visitors));
    return testApp.ask('addToCart', { session, params: { itemName: sku }, body: { quantity: 1 } });
  };
  const untilRefused = async <A extends { status: number }>(ask: () => Promise<A>) => {
    for (let tried = 0; tried < 500; tried += 1) {
      const answer = await ask();
      if (answer.status !== 200) return answer;
    }
    throw new Error('The disk never filled');
  };

  // The limit is never below what is there.
  await limit(1);
  expect(await untilRefused(write)).toMatchObject({ status: 503, body: { errorKey: 'error.diskFull' } });
  expect(await untilRefused(shop)).toMatchObject({ status: 503, body: { errorKey: 'error.unavailable' } });
  await limit(1_000_000);
  expect((await write()).status).toBe(200);
});
