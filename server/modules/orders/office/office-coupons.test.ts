/** The room Coupons, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { dayMs, wallClock } from '#server/platform/time-zone.ts';
import { enter } from '#tests/coupons.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const plain = {
  code: 'OFFICE10',
  name: { en: 'Ten off' },
  kind: 'percent',
  percent: 10_000,
  amount: 0,
  minSubtotal: 0,
  countries: [],
  products: [],
  categories: [],
  totalLimit: 5,
  customerLimit: null,
  from: null,
  until: null,
};

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const add = (change: object = {}) => askStaff(testApp, 'addCoupon', { as, body: { ...plain, ...change } });

  it('a coupon that was added is valid until it is ended, and both are in the journal', async () => {
    expect((await add()).body.content).toMatchObject({ id: 'OFFICE10', percent: 10_000 });
    const { body } = await askStaff(testApp, 'coupons', { as });
    expect(body.coupons.find(({ code }) => code === 'OFFICE10')).toMatchObject({
      state: 'active',
      used: 0,
      held: 0,
      totalLimit: 5,
    });
    const session = testApp.shopper();
    await testApp.ask('addToCart', { session, params: { itemName: 'MC-SW-01' }, body: { quantity: 1 } });
    expect((await enter(testApp, session, 'office10')).status).toBe(200);
    const ended = await askStaff(testApp, 'endCoupon', { as, params: { id: 'OFFICE10' } });
    expect(ended.body.coupons.find(({ code }) => code === 'OFFICE10')?.state).toBe('ended');
    expect((await enter(testApp, testApp.shopper(), 'office10')).status).not.toBe(200);
    const { entries } = (await askStaff(testApp, 'journal', { as })).body;
    expect(entries.slice(0, 2).map(({ action, id }) => [action, id])).toEqual([
      ['coupon end', 'OFFICE10'],
      ['coupon add', 'OFFICE10'],
    ]);
    expect((await askStaff(testApp, 'endCoupon', { as, params: { id: 'NOWHERE' } })).status).toBe(404);
  });

  it('a coupon that could never be used, or whose code exists, is refused at its field', async () => {
    const { timeZone } = (await askStaff(testApp, 'coupons', { as })).body;
    const day = (days: number) => wallClock(testApp.clock.now() + days * dayMs, timeZone).date;
    const at = async (change: object) =>
      Object.keys((await add({ code: 'OTHER', ...change })).body.errors ?? {});
    expect(await at({ percent: 0 })).toEqual(['percent']);
    expect(await at({ kind: 'amount' })).toEqual(['amount']);
    expect(await at({ until: day(-1) })).toEqual(['until']);
    expect(await at({ from: day(5), until: day(4) })).toEqual(['until']);
    expect(await at({ from: '2026-02-30' })).toEqual(['from']);
    await add({ code: 'LATER', from: day(2), until: day(2) });
    const later = (await askStaff(testApp, 'coupons', { as })).body.coupons;
    expect(later.find(({ code }) => code === 'LATER')?.state).toBe('scheduled');
    expect(await at({ code: 'later' })).toEqual(['code']);
  });

  const load = async (id: string) => (await askStaff(testApp, 'coupon', { as, params: { id } })).body;
  const save = async (id: string, edits: object[]) =>
    askStaff(testApp, 'saveCoupon', {
      as,
      params: { id },
      body: { revision: (await load(id)).revision, edits },
    });

  it('an edited coupon holds for carts at once, is led back, and what could not be is refused at its field', async () => {
    await add({ code: '秋茶', minSubtotal: 0 });
    const { revision } = await load('秋茶');
    const session = testApp.shopper();
    await testApp.ask('addToCart', { session, params: { itemName: 'MC-SW-01' }, body: { quantity: 1 } });
    const then = (await enter(testApp, session, '秋茶')).body.order.bill.discount;
    expect(then).toBeGreaterThan(0);
    expect((await save('秋茶', [{ path: ['percent'], to: 20_000 }])).status).toBe(200);
    expect((await testApp.call('myCart', { session })).bill.discount).toBeGreaterThan(then);
    expect((await save('秋茶', [{ path: ['kind'], to: 'amount' }])).body.errors).toHaveProperty([
      'coupons.秋茶.amount',
    ]);
    expect((await save('秋茶', [{ path: ['countries'], to: ['XX'] }])).status).toBe(400);
    const ends = await save('秋茶', [
      { path: ['startsAt'], to: testApp.clock.now() },
      { path: ['endsAt'], to: testApp.clock.now() },
    ]);
    expect(ends.body.errors).toHaveProperty(['coupons.秋茶.endsAt']);
    const { revision: seen } = await load('秋茶');
    const restored = await askStaff(testApp, 'restoreCoupon', {
      as,
      params: { id: '秋茶' },
      body: { revision, seen },
    });
    expect(restored.body.content.percent).toBe(10_000);
    expect((await testApp.call('myCart', { session })).bill.discount).toBe(then);
  });

  it('a coupon is for products and categories that are there, and what is gone meanwhile does not keep it from being saved', async () => {
    await add({ code: 'TEAS' });
    const refused = await save('TEAS', [{ path: ['products'], to: ['no-such-tea'] }]);
    expect(refused.body.errors).toHaveProperty(['coupons.TEAS.products']);
    await testApp.services.editor.upsertCategories([
      { id: 'short-lived', name: { en: 'Short' }, parent: null, description: { en: '' }, image: null },
    ]);
    expect((await save('TEAS', [{ path: ['categories'], to: ['short-lived'] }])).status).toBe(200);
    expect((await load('TEAS')).categories).toContainEqual({
      name: 'short-lived',
      nameContent: expect.anything(),
    });
    const { body: use } = await askStaff(testApp, 'categoryUse', { as, params: { id: 'short-lived' } });
    expect(use.affected).toEqual(['The coupon TEAS ends because it applies to nothing else.']);
    await askStaff(testApp, 'removeCategory', {
      as,
      params: { id: 'short-lived' },
      body: { to: null, merge: false },
    });
    // It is for nothing now, and never for everything.
    const { content } = await load('TEAS');
    expect([content.categories, content.endsAt]).toEqual([['short-lived'], testApp.clock.now()]);
    expect((await save('TEAS', [{ path: ['percent'], to: 5000 }])).status).toBe(200);
    expect((await add({ code: 'NO-TEA', products: ['no-such-tea'] })).body.errors).toHaveProperty([
      'coupons.NO-TEA.products',
    ]);
  });

  it('a coupon keeps room for the uses that it has, and only one that was never used is removed', async () => {
    await add({ code: 'ONCE', totalLimit: 5 });
    await add({ code: 'NEVER' });
    await testApp.db.transaction((trx) =>
      trx.updateTable('coupons').set({ used: 2 }).where('code', '=', 'ONCE').execute(),
    );
    expect((await save('ONCE', [{ path: ['totalLimit'], to: 1 }])).body.errors).toHaveProperty([
      'coupons.ONCE.totalLimit',
    ]);
    expect((await save('ONCE', [{ path: ['totalLimit'], to: 2 }])).status).toBe(200);
    const use = async (id: string) =>
      (await askStaff(testApp, 'couponUse', { as, params: { id } })).body.refused;
    expect([await use('NEVER'), (await use('ONCE'))?.includes('ONCE')]).toEqual([null, true]);
    const remove = async (id: string) =>
      (await askStaff(testApp, 'removeCoupon', { as, params: { id } })).status;
    expect([await remove('NEVER'), await remove('NEVER')]).toEqual([200, 404]);
    expect(await remove('ONCE')).not.toBe(200);
    expect((await load('ONCE')).content.totalLimit).toBe(2);
  });
});
