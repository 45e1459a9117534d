/** The cards of tables, as the office prints them. */
import { beforeAll, expect, it } from 'vitest';
import { add, contact } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const id = 'toronto-queen-west';

onOneEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    owner = await joinStaff(testApp, 'owner@cards.example');
    await secureStaff(testApp, owner);
  });
  const cards = (change: { menu?: string; replaces?: string } = {}, as = owner) =>
    askStaff(testApp, 'tableCards', {
      as,
      params: { id },
      body: { menu: 'tea-bar', locale: 'zh', replaces: null, ...change },
    });

  /** What a guest reads who orders with the card of table 1. */
  async function ordersWith(path: string): Promise<string | undefined> {
    const session = testApp.shopper();
    await add(testApp, session, 'MC-SW-02');
    const query = Object.fromEntries(new URL(path, 'https://shop.example').searchParams);
    const { body } = await testApp.ask('orderContactInfo', {
      session,
      query: { methodName: 'instore', localStoreName: id, tableNumber: query.table, tableCard: query.card },
      body: { contact },
    });
    return body.errors?.tableNumber;
  }

  it('each table of a store has a card whose address opens the menu there', async () => {
    const { body } = await cards();
    const store = (await testApp.services.stores.all()).find((each) => each.id === id);
    expect(body.cards).toHaveLength(store?.tables ?? 0);
    expect(body).toMatchObject({ publicUrl: 'https://shop.example', shopName: '枫土' });
    expect(body.cards.slice(0, 2).map(({ table }) => table)).toEqual(['1 号桌', '2 号桌']);
    expect(body.scan.map(({ text }) => text)).toEqual(['扫码点单', 'Scan to order']);
    const url = new URL(body.cards[1]?.path ?? '', 'https://shop.example');
    expect([url.pathname, url.searchParams.get('store'), url.searchParams.get('table')]).toEqual([
      '/zh/table/tea-bar',
      id,
      '2',
    ]);
  });

  it('cards that are printed again are the same, and new codes end the former ones', async () => {
    const [first, again] = [await cards(), await cards()];
    expect(again.body.cards).toEqual(first.body.cards);
    const replaces = first.body.cards[0]?.token ?? '';
    const renewed = await cards({ replaces });
    const [former = '', fresh = ''] = [first, renewed].map(({ body }) => body.cards[0]?.path);
    expect(fresh).not.toBe(former);
    expect(await ordersWith(former)).toBeDefined();
    expect(await ordersWith(fresh)).toBeUndefined();
    // Somebody else renews those that they still see: the new ones stay.
    const late = await cards({ replaces });
    expect([late.status, late.body.cards]).toEqual([200, renewed.body.cards]);
  });

  it('an unknown category and another store have no cards', async () => {
    expect((await cards({ menu: 'soup' })).status).toBe(404);
    const elsewhere = await joinStaff(testApp, 'ottawa@cards.example', 'manager', ['ottawa-byward']);
    await secureStaff(testApp, elsewhere);
    expect((await cards({}, elsewhere)).status).toBe(404);
  });
});
