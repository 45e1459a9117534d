/** The room Stock, over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StaffEndpointName } from '#contract/staff/endpoints.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const place = 'toronto-queen-west';

onBothEngines((engine) => {
  describe('the room Stock', () => {
    let testApp: TestApp;
    let as: Shopper;
    let sku = '';
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      as = await joinDemo(testApp, 'demo-mei');
      sku = (await list()).levels[0]?.sku ?? '';
      await testApp.services.stock.count([{ sku, place, units: 20 }]);
    });
    const list = async (query: Record<string, string> = {}) =>
      (await askStaff(testApp, 'stock', { as, params: { place }, query })).body;
    const book = (name: StaffEndpointName, body: object, params = { place, sku }) =>
      askStaff(testApp, name, { as, params, body });
    const units = async (at = place) => (await testApp.container.stock.currentLevels(sku))?.get(at) ?? 0;

    it('pages list each SKU once, and one is found by its beginning and by words of its product', async () => {
      const found: string[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const page = await list(after === '' ? {} : { after });
        found.push(...page.levels.map((level) => level.sku));
        after = page.after;
      }
      const { length } = await testApp.db.read.selectFrom('skus').select('id').execute();
      expect([found.length, new Set(found).size]).toEqual([length, length]);
      const [level] = (await list({ text: sku })).levels;
      expect(level).toMatchObject({ sku, units: 20, held: 0 });
      const words = await list({ text: level?.name.en ?? '' });
      expect(words.levels.map((each) => each.sku)).toContain(sku);
      expect((await list({ text: 'no-such-thing-anywhere' })).levels).toEqual([]);
    });

    it('a correction that is sent again is booked once, and one that takes too much changes nothing', async () => {
      const before = await units();
      testApp.clock.advance(1000);
      const body = { key: randomUUID(), units: -3, reason: 'damaged' };
      const answers = await Promise.all([book('correctStock', body), book('correctStock', body)]);
      expect([...answers, await book('correctStock', body)].map(({ status }) => status)).toEqual([
        200, 200, 200,
      ]);
      expect(await units()).toBe(before - 3);
      const short = await book('correctStock', { ...body, key: randomUUID(), units: -1000 });
      expect([short.status >= 400, short.status < 500, await units()]).toEqual([true, true, before - 3]);
      const told = await book('correctStock', {
        key: randomUUID(),
        units: 1,
        reason: 'found',
        note: 'Behind the shelf',
      });
      expect([told.status, await units()]).toEqual([200, before - 2]);
      const { movements, places } = (
        await askStaff(testApp, 'stockLedger', { as, params: { sku }, query: { place } })
      ).body;
      expect(
        movements
          .slice(0, 2)
          .map(({ id: _, ...movement }) => movement)
          .toSorted((a, b) => a.quantity - b.quantity),
      ).toMatchObject([
        {
          quantity: -3,
          kind: 'correction',
          reason: 'damaged',
          person: expect.any(String),
          note: null,
          place,
        },
        { quantity: 1, kind: 'correction', reason: 'found', note: 'Behind the shelf', place },
      ]);
      expect(movements[0]?.left).toBe(places.find((each) => each.place === place)?.units);
    });

    it('a key is of the person who sent it and of what was sent: whatever else comes with it is told, and not booked', async () => {
      const before = await units();
      const elsewhere = await units('warehouse');
      const body = { key: randomUUID(), units: 2, reason: 'received' };
      expect((await book('correctStock', body)).status).toBe(200);
      const other = await joinStaff(testApp, 'stock-other@shop.example', 'manager');
      const refusals = [
        await askStaff(testApp, 'correctStock', { as: other, params: { place, sku }, body }),
        await book('correctStock', { ...body, units: 3 }),
        await book('correctStock', { ...body, reason: 'found' }),
        await book('correctStock', body, { place: 'warehouse', sku }),
        await book('countStock', { key: body.key, expected: before, found: before + 2 }),
        await book('transferStock', { key: body.key, to: 'warehouse', units: 2 }),
      ];
      expect(refusals.map(({ status, body: { errorKey } }) => [status, errorKey])).toEqual(
        refusals.map(() => [409, 'error.sentBefore']),
      );
      expect((await book('correctStock', body)).status).toBe(200);
      expect([await units(), await units('warehouse')]).toEqual([before + 2, elsewhere]);
      const take = { as, params: { place }, body: { key: randomUUID() } };
      expect((await askStaff(testApp, 'startTake', take)).status).toBe(200);
      expect((await askStaff(testApp, 'startTake', { ...take, params: { place: 'warehouse' } })).status).toBe(
        409,
      );
      await askStaff(testApp, 'endTake', { as, params: { take: take.body.key } });
    });

    it('only of what is sold beyond stock a count expects less than nothing', async () => {
      const before = await units();
      const refused = await book('countStock', { key: randomUUID(), expected: -5, found: 0 });
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([400, ['expected']]);
      expect(await units()).toBe(before);
      await testApp.db.transaction((trx) =>
        trx.updateTable('skus').set({ oversell: 1 }).where('id', '=', sku).execute(),
      );
      expect((await book('countStock', { key: randomUUID(), expected: -1, found: 0 })).status).toBe(200);
      await testApp.db.transaction((trx) =>
        trx.updateTable('skus').set({ oversell: 0 }).where('id', '=', sku).execute(),
      );
      expect(await units()).toBe(before + 1);
      expect((await book('correctStock', { key: randomUUID(), units: -1, reason: 'lost' })).status).toBe(200);
    });

    it('units that went while others were counted stay gone after the count is booked', async () => {
      const expected = await units();
      await testApp.services.stock.correct({ sku, place, units: -2 }, 'used');
      const body = { key: randomUUID(), expected, found: expected - 1 };
      expect((await book('countStock', body)).status).toBe(200);
      expect((await book('countStock', body)).status).toBe(200);
      expect(await units()).toBe(expected - 3);
    });

    it('a transfer moves units once, and the movements add up', async () => {
      const before = [await units(), await units('warehouse')] as const;
      const body = { key: randomUUID(), to: 'warehouse', units: 4 };
      testApp.clock.advance(1000);
      for (const _ of [1, 2]) expect((await book('transferStock', body)).status).toBe(200);
      expect([await units(), await units('warehouse')]).toEqual([before[0] - 4, before[1] + 4]);
      const { movements } = (await askStaff(testApp, 'stockLedger', { as, params: { sku } })).body;
      const ends = movements.slice(0, 2).map(({ place: at, other, quantity }) => ({ at, other, quantity }));
      expect(ends.toSorted((a, b) => a.quantity - b.quantity)).toEqual([
        { at: place, other: 'warehouse', quantity: -4 },
        { at: 'warehouse', other: place, quantity: 4 },
      ]);
      expect(await testApp.container.stock.differences()).toEqual([]);
    });

    it('a SKU is low by its own threshold at a place, or else by that of the shop, for the list and for webhooks', async () => {
      const other = (await list()).levels[1]?.sku ?? '';
      await testApp.services.stock.count([
        { sku, place, units: 8 },
        { sku: other, place, units: 8 },
      ]);
      const low = async () => {
        const found: string[] = [];
        for (let after: string | null = ''; after !== null; ) {
          const page: Awaited<ReturnType<typeof list>> = await list({
            low: 'only',
            ...(after === '' ? {} : { after }),
          });
          found.push(...page.levels.map((level) => level.sku));
          after = page.after;
        }
        const { places } = (await askStaff(testApp, 'lowStock', { as })).body;
        expect(places.find((each) => each.place === place)?.skus).toBe(found.length);
        return found.filter((each) => each === sku || each === other);
      };
      expect(await low()).toEqual([]);
      expect((await book('setLowStock', { units: 8 })).status).toBe(200);
      expect(await low()).toEqual([sku]);
      expect((await askStaff(testApp, 'setUsualLowStock', { as, body: { units: 9 } })).status).toBe(200);
      expect(await low()).toEqual([sku, other].sort());
      await book('setLowStock', { units: -1 });
      expect(await low()).toEqual([other]);
      await testApp.services.webhooks.add('https://receiver.example/low', ['stock.low']);
      await testApp.services.stock.correct({ sku, place, units: -8 }, 'used');
      await testApp.services.stock.count([{ sku: other, place, units: 10 }]);
      await testApp.services.stock.correct({ sku: other, place, units: -1 }, 'used');
      const events = await testApp.db.read
        .selectFrom('deliveries')
        .select('body')
        .where('kind', '=', 'stock.low')
        .execute();
      expect(events.map(({ body }) => JSON.parse(body).data)).toEqual([
        { sku: other, store: place, left: 9, threshold: 9 },
      ]);
    });

    it('a manager of one store finds neither the stock of another nor a way to send units there', async () => {
      const manager = await joinStaff(testApp, 'stock-manager@shop.example', 'manager', [place]);
      const status = async (name: StaffEndpointName, params: Record<string, string>, body?: object) =>
        (await askStaff(testApp, name, { as: manager, params, ...(body ? { body } : {}) })).status;
      expect(await status('stock', { place })).toBe(200);
      expect(await status('stock', { place: 'waterloo-uptown' })).toBe(404);
      expect(await status('stock', { place: 'warehouse' })).toBe(404);
      expect((await askStaff(testApp, 'setUsualLowStock', { as: manager, body: { units: 3 } })).status).toBe(
        404,
      );
      const ledger = (await askStaff(testApp, 'stockLedger', { as: manager, params: { sku } })).body;
      expect(new Set(ledger.movements.map((each) => each.place))).toEqual(new Set([place]));
      expect(ledger.places.map((each) => each.place)).toEqual([place]);
      const { places } = (await askStaff(testApp, 'lowStock', { as: manager })).body;
      expect(places.map((each) => each.place)).toEqual([place]);
      const moved = { key: randomUUID(), to: 'warehouse', units: 1 };
      expect(await status('transferStock', { place, sku }, moved)).toBe(404);
      expect(
        await status(
          'correctStock',
          { place, sku: 'no-such-sku' },
          { key: randomUUID(), units: 1, reason: 'found' },
        ),
      ).toBe(404);
    });
  });
});
