import { describe, expect, it } from 'vitest';
import { problem } from '#contract/problems.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, pay } from '#tests/shop-actions.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';

const timeZone = 'Pacific/Auckland';
/** Wednesday evening in Toronto and Greenwich, Thursday morning in Auckland. */
const now = Date.UTC(2026, 4, 20, 21, 30);

/** The demo shop with no main store, and its first store in New Zealand. `change` applies to the first store. */
async function shopWithoutMainStore(change: object = {}): Promise<TestApp> {
  const testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    now,
    env: { PUBLIC_URL: 'https://shop.example' },
  });
  await sellProduct(testApp, 'MUG-OAT');
  const [first, ...others] = await testApp.services.stores.all();
  if (!first) throw new Error('The demo shop has no stores');
  await testApp.services.stores.upsert([
    { ...first, mainStore: false, timeZone, ...change },
    ...others.map((store) => ({ ...store, mainStore: false })),
  ]);
  return testApp;
}

async function placeShippedOrder(testApp: TestApp, email: string) {
  const session = testApp.shopper();
  await add(testApp, session, 'MUG-OAT');
  await deliver(testApp, session, { contact: { ...contact, email } });
  const { body } = await pay(testApp, session);
  return testApp.call('order', { session, params: { id: body.orderID } });
}

it('the special days of a store are listed by date, in whatever order they were added', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true, now });
  const [first] = await testApp.services.stores.all();
  if (!first) throw new Error('The demo shop has no stores');
  const dates = ['2026-12-26', '2026-07-01', '2027-01-01', '2026-12-25'];
  await testApp.services.stores.upsert([
    { ...first, specialHours: dates.map((date) => ({ date, hours: null })) },
  ]);
  const store = (await testApp.call('pickupLocations')).find(
    ({ localStoreName }) => localStoreName === first.id,
  );
  expect(store?.specialHours.map(({ date }) => date)).toEqual(dates.toSorted());
});

describe('a shop that names no main store', () => {
  it('a shop without a main store has its first store as the main one on the wire', async () => {
    const stores = await (await shopWithoutMainStore()).call('pickupLocations');
    expect(stores.map(({ mainStore }) => mainStore)).toEqual([true, false, false, false]);
  });

  it('order page, email, pickup slots, posts and coupons have the same time zone without a main store', async () => {
    const testApp = await shopWithoutMainStore();
    const order = await placeShippedOrder(testApp, 'clock@example.com');
    await testApp.services.orderRefunds.refund(order.orderNumber ?? '', { amount: 100, reason: '' });
    const [email] = await mailsFor(testApp, 'clock@example.com', 'refund');
    const store = (await testApp.call('pickupLocations'))[0]?.localStoreName ?? '';
    const slots = await testApp.call('pickupSlots', { query: { localStoreName: store, date: '2026-05-21' } });
    await testApp.db.transaction((trx) =>
      trx
        .updateTable('blog_posts')
        .set({ published_at: now - 60_000 })
        .execute(),
    );
    const { posts } = await testApp.call('blogPosts', {
      params: { storeBlogId: (await testApp.call('blogs'))[0]?.id ?? '' },
    });

    expect(order.timeZone).toBe(timeZone);
    expect(email?.text).toContain('May 21, 2026');
    expect(slots.timeZone).toBe(timeZone);
    expect(posts[0]?.publishedOn).toBe('2026-05-21');
    expect((await testApp.services.orders.settings()).timeZone).toBe(timeZone);
  });

  it('a first store that shoppers do not see still gives the time zone of the shop', async () => {
    const testApp = await shopWithoutMainStore({ display: false });
    expect((await placeShippedOrder(testApp, 'hidden@example.com')).timeZone).toBe(timeZone);
  });
});

describe('a shop that names two main stores', () => {
  it('a second main store is rejected, also if the first one is in the shop already', async () => {
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    const { stores } = testApp.services;
    const before = await stores.all();
    const [first, second] = before;
    if (!first || !second) throw new Error('The demo shop has changed');
    await expect(stores.upsert([{ ...second, mainStore: true }])).rejects.toMatchObject({
      problems: [
        problem(['stores', second.id, 'mainStore'], 'problem.mainStore', {
          stores: `${first.id}, ${second.id}`,
        }),
      ],
    });
    expect(await stores.all()).toEqual(before);
    await stores.upsert([
      { ...second, mainStore: true },
      { ...first, mainStore: false },
    ]);
    expect((await stores.all()).map(({ mainStore }) => mainStore)).toEqual([false, true, false, false]);
  });

  it('the first of two main stores in the database is the main store', async () => {
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    const { stores } = testApp.services;
    const ids = (await stores.all()).map(({ id }) => id);
    await testApp.db.transaction(async (trx) => {
      for (const [index, id] of ids.entries())
        await trx
          .updateTable('stores')
          .set({ main_store: index === 1 || index === 2 ? 1 : 0 })
          .where('id', '=', id)
          .execute();
      await bumpCatalogueVersion(trx);
    });
    expect((await stores.all()).map(({ mainStore }) => mainStore)).toEqual([false, true, false, false]);
  });
});
