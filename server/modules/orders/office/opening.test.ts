/** What the desk changes about the day of its store, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#contract/rules/opening-hours.ts';
import { translate } from '#server/platform/i18n.ts';
import { minuteMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { placeLinkedOrder } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { cartWith, choosePickup, reserve, setUnits, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { askStaff as ask, joinStaff as join } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { storeDelivery } from '../order/order.ts';

const store = 'toronto-queen-west';
const params = { store };
const elsewhere = { store: 'waterloo-uptown' };
const sku = 'MUG-OAT';

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  let day3: string;
  beforeAll(async () => {
    testApp = await createTestApp({
      engine,
      demo: true,
      now: Date.now(),
      env: { PUBLIC_URL: 'https://shop.example' },
    });
    await sellProduct(testApp, sku);
    await setUnits(testApp, sku, 40, store);
    as = await join(testApp, 'desk@shop.example', 'assistant', [store]);
    day3 = addDays(wallClock(testApp.clock.now(), 'America/Toronto').date, 3);
  });

  it('staff see and change the day of their own stores only', async () => {
    const body = { item: `sku:${sku}`, soldOut: true };
    const wish = { date: day3, closed: true };
    const answers = [
      await ask(testApp, 'soldOut', { as, params: elsewhere }),
      await ask(testApp, 'markSoldOut', { as, params: elsewhere, body }),
      await ask(testApp, 'storePickup', { as, params: elsewhere }),
      await ask(testApp, 'changePickup', { as, params: elsewhere, body: { paused: true } }),
      await ask(testApp, 'storeDays', { as, params: elsewhere }),
      await ask(testApp, 'closeDay', { as, params: elsewhere, body: wish }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await testApp.services.editor.soldOut()).toEqual([]);
  });

  describe('sold out today', () => {
    it('an item is found by name or SKU, marked, listed with when it is back, and taken back', async () => {
      const search = async (text: string) =>
        (await ask(testApp, 'soldOut', { as, params, query: { text } })).body.found;
      expect((await search(sku.toLowerCase())).map(({ item }) => item)).toContain(`sku:${sku}`);
      const byName = await search('oat');
      expect(byName).not.toEqual([]);
      expect(await search('no such thing at all')).toEqual([]);
      const mark = (item: string, soldOut: boolean) =>
        ask(testApp, 'markSoldOut', { as, params, body: { item, soldOut } });
      expect((await mark('sku:NONE', true)).status).toBe(404);
      const { items } = (await mark(`sku:${sku}`, true)).body;
      expect(items).toMatchObject([{ item: `sku:${sku}`, detail: expect.stringContaining(sku) }]);
      expect(items[0]?.until).toBeGreaterThan(testApp.clock.now());
      expect((await testApp.services.stores.soldOut()).get(store)).toEqual(new Set([`sku:${sku}`]));
      expect((await mark(`sku:${sku}`, false)).body.items).toEqual([]);
      expect((await testApp.services.stores.soldOut()).get(store)).toBeUndefined();
      const [entry] = await testApp.container.changes.journal({ most: 1 });
      expect(entry).toMatchObject({ actor: { kind: 'staff' }, action: 'sold-out', kind: 'soldOut' });
    });
  });

  describe('closed days', () => {
    const slots = async () =>
      (await testApp.call('pickupSlots', { query: { localStoreName: store, date: day3 } })).slots;

    it('closing a day names the orders to be picked up then, emails their customers, and is taken back', async () => {
      const at = (await slots()).find(({ available }) => available)?.at ?? 0;
      const order = await placeLinkedOrder(testApp, { how: 'payPickup', sku, store, pickupAt: at });
      const waiting = [{ number: order.number, pickupAt: at, email: true }];
      const before = await ask(testApp, 'storeDays', { as, params, query: { date: day3 } });
      expect(before.body).toMatchObject({ days: [], waiting });
      const close = (closed: boolean) =>
        ask(testApp, 'closeDay', { as, params, body: { date: day3, closed } });
      expect((await close(true)).body).toMatchObject({ days: [{ date: day3, hours: null }], waiting });
      expect((await slots()).some(({ available }) => available)).toBe(false);
      expect((await close(true)).body.waiting).toEqual([]);
      testApp.clock.set(Date.now());
      expect(await mailsFor(testApp, order.email, 'pickupClosed')).toHaveLength(1);
      expect((await close(false)).body).toMatchObject({ days: [], waiting: [] });
      expect((await slots()).some(({ available }) => available)).toBe(true);
    });

    it.each(['2026-02-30', '2020-01-01', '2099-01-01'])(
      '%s cannot be closed, and the answer says so at the date',
      async (date) => {
        const answer = await ask(testApp, 'closeDay', { as, params, body: { date, closed: true } });
        expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['date']]);
      },
    );
  });

  it('the command does the same, and shows it', async () => {
    const say = async (...words: string[]) =>
      (await shopCommand(testApp, ['pickup', store, ...words])).printed;
    expect(await say('--busy', '20', '--pause')).toMatch(
      /20 minutes more until .*\n.*pickup is paused until/,
    );
    expect(await say()).toMatch(/paused/);
    expect(await say('--busy', '0', '--resume')).toBe(`${store}: as usual.`);
    expect(await say('--pause', '--until', 'soon')).toContain('Choose a later time');
  });

  describe('a busy store', () => {
    const today = '2026-11-27';
    const timeOf = (minutes: number) => momentAt(today, minutes, 'America/Toronto');
    const morning = timeOf(10 * 60);
    let testApp: TestApp;
    let as: Shopper;
    const first = async () =>
      (await testApp.call('pickupSlots', { query: { localStoreName: store, date: today } })).slots.find(
        ({ available }) => available,
      );
    const change = async (body: object) => (await ask(testApp, 'changePickup', { as, params, body })).body;

    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true, now: morning });
      await sellProduct(testApp, sku);
      await setUnits(testApp, sku, 40, store);
      as = await join(testApp, 'busy@shop.example', 'assistant', [store]);
    });

    it('minutes are added to what the next shopper is promised, until their time or at once', async () => {
      const usual = (await first())?.at ?? 0;
      expect((await change({ busyMinutes: 15, until: '10:30' })).busy).toEqual({
        minutes: 15,
        until: timeOf(630),
      });
      expect((await first())?.at).toBe(usual + 15 * minuteMs);
      const { stores } = await testApp.container.orders.settings();
      const delivering = stores.find(({ deliveryZones }) => deliveryZones.length > 0);
      const [zone] = delivering?.deliveryZones ?? [];
      expect(delivering && zone && storeDelivery(delivering, zone).zone.minutes).toBe(
        (zone?.minutes ?? 0) + 15,
      );
      testApp.clock.set(timeOf(630));
      expect((await first())?.at).toBe(usual + 30 * minuteMs);
      expect((await ask(testApp, 'storePickup', { as, params })).body.busy).toBeNull();
      testApp.clock.set(morning);
      const { busy } = await change({ busyMinutes: 15 });
      expect(busy?.until).toBeGreaterThan(timeOf(24 * 60));
      await change({ busyMinutes: 0 });
      expect((await first())?.at).toBe(usual);
    });

    it('a pause refuses a time that was chosen before, lists the orders that stay, and ends by itself', async () => {
      const at = timeOf(15 * 60);
      const order = await placeLinkedOrder(testApp, { how: 'payPickup', sku, store, pickupAt: at });
      const late = await cartWith(testApp, sku);
      await visit(testApp, late);
      await choosePickup(testApp, late, at);
      const answer = await change({ paused: true, until: '16:00' });
      expect(answer).toMatchObject({
        pausedUntil: timeOf(960),
        waiting: [{ number: order.number, pickupAt: at, email: true }],
      });
      expect((await first())?.at).toBe(timeOf(960));
      const refused = await reserve(testApp, late);
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { errors: { pickupDate: translate('en')('rule.slotTooSoon') } },
      ]);
      testApp.clock.set(timeOf(16 * 60));
      expect((await ask(testApp, 'storePickup', { as, params })).body).toMatchObject({
        pausedUntil: null,
        waiting: [],
      });
      testApp.clock.set(morning);
      expect((await change({ paused: false })).pausedUntil).toBeNull();
      expect((await first())?.at).toBeLessThan(at);
    });

    it('a pause until 01:20 that is sent at 01:40 is refused, and in the evening before it is of the coming night', async () => {
      const at = async (minutes: number) => {
        testApp.clock.set(timeOf(minutes));
        // Sessions end meanwhile.
        as = await join(testApp, `night.${minutes}@shop.example`, 'assistant', [store]);
      };
      await at(22 * 60);
      expect((await change({ paused: true, until: '01:20' })).pausedUntil).toBe(timeOf(25 * 60 + 20));
      await at(25 * 60 + 40);
      const late = await ask(testApp, 'changePickup', { as, params, body: { paused: true, until: '01:20' } });
      expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([400, ['until']]);
      await at(10 * 60);
      await change({ paused: false });
    });

    it.each(['09:30', '10:00'])(
      'a pause until %s at ten in the morning is refused at its field',
      async (until) => {
        const answer = await ask(testApp, 'changePickup', { as, params, body: { paused: true, until } });
        expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['until']]);
      },
    );
  });
});
