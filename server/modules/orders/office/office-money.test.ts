/** The rooms Shop and Taxes and shipping, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { add, deliver } from '#tests/shop-actions.ts';
import { askStaff, joinDemo, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const money = async () => (await askStaff(testApp, 'moneySettings', { as })).body;
  const shop = async () => (await askStaff(testApp, 'shopSettings', { as })).body;
  const sample = {
    itemsCents: 5000,
    taxClass: 'standard',
    to: { country: 'CA', province: 'ON', store: null },
  };
  const tryOut = (edits: object[], other: object = {}) =>
    askStaff(testApp, 'tryMoney', { as, body: { edits, ...sample, ...other } });

  it('a name that was edited shows in the storefront at its next request, and in the journal with the person', async () => {
    const { revision } = await shop();
    const edits = [{ path: ['shopName', 'zh'], to: '新茶屋' }];
    const { status, body } = await askStaff(testApp, 'saveShopSettings', { as, body: { revision, edits } });
    expect([status, body.content.shopName]).toEqual([200, expect.objectContaining({ zh: '新茶屋' })]);
    expect((await testApp.call('appInfoInit', { query: { lang: 'zh' } })).appContent.shopName).toBe('新茶屋');
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({
      kind: 'setting',
      id: 'shopName',
      fields: [{ field: 'shopName.zh', to: '新茶屋' }],
    });
  });

  it('an edit of a setting that the room does not have, or that a file would be refused for, changes nothing', async () => {
    const before = await shop();
    const edits = [
      { path: ['languages'], to: [] },
      { path: ['currency'], to: 'dollars' },
      { path: ['taxRates', 'ON', 'hstPercent'], to: 1 },
    ];
    const { status, body } = await askStaff(testApp, 'saveShopSettings', {
      as,
      body: { revision: before.revision, edits },
    });
    expect([status, Object.keys(body.errors ?? {}).sort()]).toEqual([
      400,
      ['settings.currency', 'settings.languages', 'settings.taxRates'],
    ]);
    expect(await shop()).toEqual(before);
    const wrong = await tryOut([{ path: ['taxRates', 'ON', 'hstPercent'], to: 13.12345 }]);
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([
      400,
      [expect.stringMatching(/^settings\.taxRates\./)],
    ]);
  });

  it.each([
    ['ON', 'hstPercent', 0.13, 'Is 0.13 %, less than one percent. For 13 % enter 13'],
    ['ON', 'gstPercent', 5, 'Is charged in place of GST and PST'],
    ['AB', 'hstPercent', 13, 'Is charged in place of GST and PST'],
  ])(
    'the rates of %s with %s %d are refused in words, and nothing changes',
    async (province, name, to, words) => {
      const before = await money();
      const edits = [{ path: ['taxRates', province, name], to }];
      const { status, body } = await askStaff(testApp, 'saveMoneySettings', {
        as,
        body: { revision: before.revision, edits },
      });
      expect([status, Object.values(body.errors ?? {})]).toEqual([400, [expect.stringContaining(words)]]);
      expect(await money()).toEqual(before);
    },
  );

  it.each(['', '  '])(
    'a shipping method with the name %j is refused at the field, and nothing changes',
    async (name) => {
      const before = await money();
      const [method] = before.content.shippingMethods as { id: string }[];
      const edits = [{ path: ['shippingMethods', method?.id, 'name', 'en'], to: name }];
      const { status, body } = await askStaff(testApp, 'saveMoneySettings', {
        as,
        body: { revision: before.revision, edits },
      });
      expect([status, body.errors]).toEqual([
        400,
        { [`settings.shippingMethods.${method?.id}.name.en`]: 'Is missing' },
      ]);
      expect(await money()).toEqual(before);
    },
  );

  it.each([
    ['freeOverCents', 0, 'Is 0, and would make the method free for everybody'],
    ['countries', [], 'Needs at least one country'],
  ])(
    'a shipping method whose %s is %j is refused at the field, and nothing changes',
    async (field, to, words) => {
      const before = await money();
      const method = (before.content.shippingMethods as { id: string; priceCents: number }[]).find(
        (each) => each.priceCents > 0,
      );
      const edits = [{ path: ['shippingMethods', method?.id, field], to }];
      const { status, body } = await askStaff(testApp, 'saveMoneySettings', {
        as,
        body: { revision: before.revision, edits },
      });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([
        400,
        [`settings.shippingMethods.${method?.id}.${field}`],
      ]);
      expect(Object.values(body.errors ?? {})[0]).toContain(words);
      expect(await money()).toEqual(before);
    },
  );

  it('two people who change rates of different provinces keep both, and the same rate is asked about', async () => {
    const { revision } = await money();
    const set = (province: string, to: number) =>
      askStaff(testApp, 'saveMoneySettings', {
        as,
        body: { revision, edits: [{ path: ['taxRates', province, 'gstPercent'], to }] },
      });
    expect((await set('AB', 6)).status).toBe(200);
    expect((await set('MB', 7)).status).toBe(200);
    const conflict = await set('AB', 8);
    expect([conflict.status, Object.keys(conflict.body.errors ?? {})]).toEqual([
      409,
      ['taxRates.AB.gstPercent'],
    ]);
    expect((await money()).content.taxRates).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ provinceCode: 'AB', gstPercent: 6 }),
        expect.objectContaining({ provinceCode: 'MB', gstPercent: 7 }),
      ]),
    );
  });

  it('a trial says what an order would cost to the cent that checkout then charges, and changes nothing', async () => {
    const before = await money();
    await sellProduct(testApp, 'MUG-OAT');
    const session = testApp.shopper();
    await add(testApp, session, 'MUG-OAT');
    expect((await deliver(testApp, session)).status).toBe(200);
    const { bill } = await testApp.call('myCart', { session });
    const { shippingCents, taxes, ...sums } = (await tryOut([], { itemsCents: bill.subtotal })).body;
    expect({ ...sums, taxes, shippingCents }).toMatchObject({
      total: bill.total,
      taxes: bill.taxLines,
      shippingCents: bill.shipping,
      final: true,
    });
    const dearer = await tryOut([{ path: ['taxRates', 'ON', 'hstPercent'], to: 20 }], {
      itemsCents: bill.subtotal,
    });
    expect(dearer.body.taxes).toEqual([
      { label: 'HST 20%', amount: Math.round((bill.subtotal + bill.shipping) / 5) },
    ]);
    expect((await tryOut([{ path: ['taxRates', 'ON'] }])).body.final).toBe(false);
    expect((await tryOut([{ path: ['shippingMethods'], to: [] }])).body).toMatchObject({
      final: false,
      shipping: [],
    });
    expect(await money()).toEqual(before);
  });

  it('a trial of a pickup says who could pay it in the store', async () => {
    const [store] = (await money()).stores;
    const to = { country: null, province: null, store: store?.name ?? '' };
    const limits = [
      { path: ['paymentConfig', 'payAtStoreEnabled'], to: true },
      { path: ['payAtStoreLimits', 'customers', 'totalCents'], to: null },
      { path: ['payAtStoreLimits', 'guests', 'totalCents'], to: 5000 },
    ];
    const { body } = await tryOut(limits, { to });
    expect(body).toMatchObject({
      shipping: [],
      shippingCents: 0,
      payInStore: { customer: true, guest: false },
    });
    expect((await tryOut(limits, { to, itemsCents: 1000 })).body.payInStore.guest).toBe(true);
    expect((await tryOut(limits, { to: { ...to, store: 'nowhere' } })).status).toBe(400);
  });

  it('settings of the whole shop are for who works in all stores with a second factor', async () => {
    const limited = await joinStaff(testApp, 'west@shop.example', 'manager', ['toronto-queen-west']);
    const manager = await joinStaff(testApp, 'manager@shop.example', 'manager');
    expect((await askStaff(testApp, 'moneySettings', { as: manager })).status).toBe(403);
    for (const each of [limited, manager]) await secureStaff(testApp, each);
    expect((await askStaff(testApp, 'moneySettings', { as: limited })).status).toBe(403);
    expect((await askStaff(testApp, 'shopSettings', { as: limited })).status).toBe(403);
    expect((await askStaff(testApp, 'moneySettings', { as: manager })).status).toBe(200);
  });
});
