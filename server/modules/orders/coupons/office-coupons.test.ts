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
    const { body } = await add();
    expect(body.coupons.find(({ code }) => code === 'OFFICE10')).toMatchObject({
      state: 'active',
      used: 0,
      held: 0,
      totalLimit: 5,
    });
    const session = testApp.shopper();
    await testApp.ask('addToCart', { session, params: { itemName: 'MC-SW-01' }, body: { quantity: 1 } });
    expect((await enter(testApp, session, 'office10')).status).toBe(200);
    const ended = await askStaff(testApp, 'endCoupon', { as, params: { code: 'OFFICE10' } });
    expect(ended.body.coupons.find(({ code }) => code === 'OFFICE10')?.state).toBe('ended');
    expect((await enter(testApp, testApp.shopper(), 'office10')).status).not.toBe(200);
    const { entries } = (await askStaff(testApp, 'journal', { as })).body;
    expect(entries.slice(0, 2).map(({ action, id }) => [action, id])).toEqual([
      ['coupon end', 'OFFICE10'],
      ['coupon add', 'OFFICE10'],
    ]);
    expect((await askStaff(testApp, 'endCoupon', { as, params: { code: 'NOWHERE' } })).status).toBe(404);
  });

  it('a coupon that could never be used, or whose code exists, is refused at its field', async () => {
    const { timeZone } = (await askStaff(testApp, 'coupons', { as })).body;
    const day = (days: number) => wallClock(testApp.clock.now() + days * dayMs, timeZone).date;
    const at = async (change: object) => Object.keys((await add({ code: 'OTHER', ...change })).body.errors ?? {});
    expect(await at({ percent: 0 })).toEqual(['percent']);
    expect(await at({ kind: 'amount' })).toEqual(['amount']);
    expect(await at({ until: day(-1) })).toEqual(['until']);
    expect(await at({ from: day(5), until: day(4) })).toEqual(['until']);
    expect(await at({ from: '2026-02-30' })).toEqual(['from']);
    const later = (await add({ code: 'LATER', from: day(2), until: day(2) })).body.coupons;
    expect(later.find(({ code }) => code === 'LATER')?.state).toBe('scheduled');
    expect(await at({ code: 'later' })).toEqual(['code']);
  });
});
