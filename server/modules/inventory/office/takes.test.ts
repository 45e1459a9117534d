/** Stock-takes, over HTTP: several devices count a store, also without a network, while it goes on selling. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeviceCount } from '#contract/staff/stock.ts';
import { sellProduct } from '#tests/products.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const place = 'toronto-queen-west';
const gtin = '4006381333931';
const upc = '036000291452';

onBothEngines((engine) => {
  describe('stock-takes', () => {
    let testApp: TestApp;
    let mei: Shopper;
    let noah: Shopper;
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      mei = await joinDemo(testApp, 'demo-mei');
      noah = await joinDemo(testApp, 'demo-noah');
      await sellProduct(testApp, 'TAKE-A', { skus: [{ sku: 'TAKE-A', options: {}, stock: {}, gtin }] });
      await sellProduct(testApp, 'TAKE-B', {
        skus: [{ sku: 'TAKE-B', options: {}, stock: {}, gtin: `0${upc}` }],
      });
    });

    const begin = async (as = mei) => {
      const answer = await askStaff(testApp, 'startTake', {
        as,
        params: { place },
        body: { key: randomUUID() },
      });
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const counted = (code: string, units: number, at = testApp.clock.now()): DeviceCount => ({
      id: randomUUID(),
      code,
      units,
      at,
    });
    const send = (take: string, counts: readonly DeviceCount[], as = mei, now = testApp.clock.now()) =>
      askStaff(testApp, 'sendCounts', { as, params: { take }, body: { now, counts } });
    const linesOf = async (take: string) =>
      (await askStaff(testApp, 'takeLines', { as: mei, params: { take } })).body.lines;
    const look = async (take: string) =>
      (await askStaff(testApp, 'stockTake', { as: mei, params: { take } })).body;
    const bookOnce = (take: string, counts: number, as = mei) =>
      askStaff(testApp, 'bookTake', { as, params: { take }, body: { counts } });
    async function book(take: string) {
      let answer = await bookOnce(take, (await look(take)).counts);
      while (answer.body.state === 'booking') answer = await bookOnce(take, 0);
      expect(answer).toMatchObject({ status: 200, body: { state: 'booked' } });
      return answer.body;
    }
    const there = async (sku: string) => (await testApp.container.stock.currentLevels(sku))?.get(place) ?? 0;
    const setUnits = (units: number) =>
      testApp.services.stock.count(['TAKE-A', 'TAKE-B'].map((sku) => ({ sku, place, units })));

    it('two people count one store, each count once however often it is sent, and only the differences are booked', async () => {
      await setUnits(10);
      const take = await begin();
      expect((await begin(noah)).id).toBe(take.id);
      testApp.clock.advance(1000);
      const first = [counted(gtin, 4), counted(upc, 10)];
      const answers = await Promise.all([
        send(take.id, first),
        send(take.id, first),
        send(take.id, [counted('TAKE-A', 5)], noah),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const again = (await send(take.id, first)).body;
      expect(again.found.map(({ code, sku, found }) => [code, sku, found])).toEqual([
        [gtin, 'TAKE-A', 9],
        [upc, 'TAKE-B', 10],
      ]);
      expect(await linesOf(take.id)).toMatchObject([
        { sku: 'TAKE-A', found: 9, expected: 10 },
        { sku: 'TAKE-B', found: 10, expected: 10 },
      ]);
      const seen = await look(take.id);
      expect(seen).toMatchObject({ state: 'open', counts: 3, skus: 2, units: 19 });
      expect(seen.people.toSorted()).toEqual(['Mei Chen', 'Noah Okafor']);
      // One more arrives after the differences were shown.
      await send(take.id, [counted(gtin, 1)], noah);
      expect((await bookOnce(take.id, seen.counts)).status).toBe(409);
      expect(await there('TAKE-A')).toBe(10);
      await send(take.id, [counted(gtin, -2)], noah);
      await book(take.id);
      await bookOnce(take.id, 0);
      expect([await there('TAKE-A'), await there('TAKE-B')]).toEqual([8, 10]);
      expect((await send(take.id, [counted(gtin, 1)])).status).toBe(409);
      expect(await testApp.container.stock.differences()).toEqual([]);
    });

    it('units that are sold after their count, and before it arrives from a device whose clock is wrong, stay sold', async () => {
      await setUnits(10);
      testApp.clock.advance(1000);
      const take = await begin();
      testApp.clock.advance(60_000);
      const wrong = 3_600_000;
      const count = counted(gtin, 7, testApp.clock.now() + wrong);
      testApp.clock.advance(60_000);
      await testApp.services.stock.correct({ sku: 'TAKE-A', place, units: -2 }, 'used');
      testApp.clock.advance(60_000);
      expect((await send(take.id, [count], mei, testApp.clock.now() + wrong)).status).toBe(200);
      expect(await linesOf(take.id)).toMatchObject([{ sku: 'TAKE-A', found: 7, expected: 10 }]);
      await book(take.id);
      expect(await there('TAKE-A')).toBe(5);
    });

    it('a code that names no SKU is shown and not booked, and a difference that reserved units lack is refused alone', async () => {
      await setUnits(3);
      testApp.clock.advance(1000);
      const take = await begin();
      const { unknown } = (
        await send(take.id, [counted('no-such-code', 2), counted('TAKE-A', 0), counted('TAKE-B', 1)])
      ).body;
      expect(unknown).toEqual(['no-such-code']);
      expect((await look(take.id)).unknown).toEqual([{ code: 'no-such-code', units: 2 }]);
      testApp.clock.advance(1000);
      await testApp.services.stock.correct({ sku: 'TAKE-A', place, units: -2 }, 'used');
      // Three were expected and none found; two of them are sold, and of those that are left there is one.
      expect((await book(take.id)).refused).toEqual(['TAKE-A']);
      expect([await there('TAKE-A'), await there('TAKE-B')]).toEqual([1, 1]);
    });

    it('the level after a stock-take is what was found less what went since, whatever is sold and corrected meanwhile', async () => {
      const step = fc.record({
        sku: fc.constantFrom('TAKE-A', 'TAKE-B'),
        units: fc.integer({ min: -3, max: 3 }),
      });
      const run = async (
        found: number,
        before: readonly { sku: string; units: number }[],
        after: typeof before,
      ) => {
        await setUnits(30);
        testApp.clock.advance(1000);
        const correct = (each: { sku: string; units: number }) =>
          testApp.services.stock.correct({ ...each, place }, 'other');
        const take = await begin();
        await Promise.all(before.map(correct));
        testApp.clock.advance(1000);
        const count = counted('TAKE-A', found);
        testApp.clock.advance(1000);
        await Promise.all([...after.map(correct), send(take.id, [count]), send(take.id, [count], noah)]);
        await book(take.id);
        const since = after.reduce((sum, { sku, units }) => sum + (sku === 'TAKE-A' ? units : 0), 0);
        expect(await there('TAKE-A')).toBe(found + since);
        expect(await testApp.container.stock.differences()).toEqual([]);
      };
      const steps = fc.array(step, { maxLength: 4 });
      await fc.assert(fc.asyncProperty(fc.integer({ min: 12, max: 40 }), steps, steps, run), {
        numRuns: engine === 'sqlite' ? 20 : 8,
      });
    });

    it('a stock-take that is ended books nothing, and the next one of the place is another', async () => {
      await setUnits(4);
      const take = await begin();
      await send(take.id, [counted('TAKE-A', 1)]);
      expect((await askStaff(testApp, 'endTake', { as: mei, params: { take: take.id } })).status).toBe(200);
      expect((await look(take.id)).state).toBe('ended');
      expect((await begin()).id).not.toBe(take.id);
      expect(await there('TAKE-A')).toBe(4);
    });
  });
});
