/** What stock is worth, what goods cost that were sold, and what the books hold of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { mintPermit } from '#server/platform/permits.ts';
import { sellProduct } from '#tests/products.ts';
import { add, deliver, pay } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

const [known, unknown] = ['VALUE-KNOWN', 'VALUE-UNKNOWN'];
const day = 24 * 60 * 60_000;
const start = Date.UTC(2027, 0, 10, 16);

onBothEngines((engine) => {
  describe('the value of stock', () => {
    let testApp: TestApp;
    const place = 'warehouse';
    const permit = mintPermit('books.export', { kind: 'terminal' }, null);
    const value = () => testApp.container.stockValue;
    const of = async (from: string, to: string, sku: string) =>
      (await value().of(permit, { from, to })).skus.find((each) => each.sku === sku);

    async function buy(sku: string, quantity: number): Promise<string> {
      const session = testApp.shopper();
      await add(testApp, session, sku, quantity);
      await deliver(testApp, session);
      const { status, body } = await pay(testApp, session);
      expect([status, body.errors]).toEqual([200, undefined]);
      return (await testApp.call('order', { session, params: { id: body.orderID } })).orderNumber ?? '';
    }
    const booked = async (sku: string) =>
      (
        await testApp.db.read
          .selectFrom('ledger_entries')
          .select(['account', 'part', 'amount_cents as amount', 'units', 'order_id', 'at'])
          .where('kind', '=', 'cost')
          .where('sku', '=', sku)
          .orderBy('at')
          .orderBy('event_id')
          .orderBy('no')
          .execute()
      ).map(({ account, part, amount, units }) => [account, part, amount, units]);

    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true, now: start });
      const { stock } = testApp.services;
      for (const sku of [known, unknown])
        await sellProduct(testApp, sku, { skus: [{ sku, options: {}, stock: {} }] });
      await stock.correct({ sku: known, place, units: 3 }, 'received', { unitCost: 100 });
      await stock.correct({ sku: unknown, place, units: 5 }, 'received');
      testApp.clock.advance(day);
      await stock.correct({ sku: known, place, units: 4 }, 'received', { unitCost: 201 });
    });

    it('a sold unit costs the average of what was paid, and the books hold it as goods against the inventory', async () => {
      testApp.clock.set(start + 2 * day);
      const number = await buy(known, 2);
      expect(await booked(known)).toEqual([
        ['goods', 'sold', 315, 2],
        ['inventory', 'sold', -315, -2],
      ]);
      expect(await of('2027-01-12', '2027-01-12', known)).toMatchObject({
        units: 5,
        unknown: 0,
        before: 1104,
        received: 0,
        sold: 2,
        soldUnknown: 0,
        cost: 315,
        lost: 0,
        value: 789,
      });
      // Units that come back do so at what they left with, whatever has come meanwhile.
      await testApp.services.stock.correct({ sku: known, place, units: 1 }, 'received', { unitCost: 1000 });
      testApp.clock.set(start + 3 * day);
      await testApp.services.orderRefunds.cancelOrder(number, '');
      expect((await booked(known)).slice(2)).toEqual([
        ['goods', 'sold', -315, -2],
        ['inventory', 'sold', 315, 2],
      ]);
      expect(await of('2027-01-13', '2027-01-13', known)).toMatchObject({
        units: 8,
        before: 1789,
        cost: -315,
        value: 2104,
      });
    });

    it('a day that is over keeps its value', async () => {
      expect(await of('2027-01-10', '2027-01-10', known)).toMatchObject({
        units: 3,
        before: 0,
        received: 300,
        value: 300,
      });
      expect(await of('2027-01-11', '2027-01-11', known)).toMatchObject({
        units: 7,
        before: 300,
        received: 804,
        value: 1104,
      });
    });

    it('units whose cost is unknown are counted and named, and are not worth nothing once the cost of the SKU is entered', async () => {
      testApp.clock.set(start + 4 * day);
      await buy(unknown, 2);
      const before = await value().of(permit, { from: '2027-01-14', to: '2027-01-14' });
      expect(before.skus.find(({ sku }) => sku === unknown)).toMatchObject({
        units: 3,
        unknown: 3,
        value: 0,
        sold: 2,
        soldUnknown: 2,
        cost: 0,
      });
      expect(before.skusUnknown).toBeGreaterThan(0);
      expect(await booked(unknown)).toEqual([]);
      testApp.clock.set(start + 5 * day);
      await sellProduct(testApp, unknown, {
        skus: [{ sku: unknown, options: {}, stock: {}, costCents: 450 }],
      });
      expect(await of('2027-01-15', '2027-01-15', unknown)).toMatchObject({
        units: 3,
        unknown: 0,
        received: 1350,
        value: 1350,
      });
      expect(await of('2027-01-14', '2027-01-14', unknown)).toMatchObject({ unknown: 3, value: 0 });
      // Another cost later is that of what comes later.
      await sellProduct(testApp, unknown, {
        skus: [{ sku: unknown, options: {}, stock: {}, costCents: 900 }],
      });
      expect(await of('2027-01-15', '2027-01-15', unknown)).toMatchObject({ value: 1350 });
    });

    it('a damaged or missing unit is written off, and a transfer costs nothing', async () => {
      testApp.clock.set(start + 6 * day);
      const { stock } = testApp.services;
      await stock.transfer(unknown, { from: place, to: 'toronto-queen-west', units: 2 });
      await stock.correct({ sku: unknown, place, units: -1 }, 'damaged');
      expect(await of('2027-01-16', '2027-01-16', unknown)).toMatchObject({
        before: 1350,
        lost: 450,
        cost: 0,
        value: 900,
      });
      expect(await booked(unknown)).toEqual([
        ['goods', 'lost', 450, 1],
        ['inventory', 'lost', -450, -1],
      ]);
    });

    it('the beginning and what came, less what was sold and lost, is the end, and the file has the same', async () => {
      const { totals, skus } = await value().of(permit, { from: '2027-01-11', to: '2027-01-16' });
      expect(totals.before + totals.received - totals.cost - totals.lost).toBe(totals.value);
      const { beforeUnknown, receivedUnknown, soldUnknown, lostUnknown, unknown: atEnd } = totals;
      expect(beforeUnknown + receivedUnknown - soldUnknown - lostUnknown).toBe(atEnd);
      const { base64, name } = await value().file(
        permit,
        { from: '2027-01-11', to: '2027-01-16', form: 'csv' },
        'en',
      );
      const lines = Buffer.from(base64, 'base64').toString().trim().split(/\r?\n/);
      expect([name, lines.length]).toEqual(['stock-2027-01-11-2027-01-16.csv', skus.length + 1]);
      expect(lines.find((line) => line.startsWith(known))).toContain('21.04');
      // What nobody knows is empty in it, not zero.
      const early = await value().file(permit, { from: '2027-01-10', to: '2027-01-10', form: 'csv' }, 'en');
      const row = Buffer.from(early.base64, 'base64')
        .toString()
        .split(/\r?\n/)
        .find((line) => line.startsWith(unknown));
      expect(row?.split(',').slice(3, 10)).toEqual(['5', '5', '', '0.00', '0', '', '5']);
      expect(
        (await value().file(permit, { from: '2027-01-10', to: '2027-01-10', form: 'xlsx' }, 'en')).name,
      ).toMatch(/xlsx$/);
    });

    it('the value of a day that has not come is not answered', async () => {
      const days = { from: '2027-01-11', to: '2027-01-17' };
      await expect(value().of(permit, days)).rejects.toMatchObject({
        details: { errors: { to: 'office.owed.future' } },
      });
    });

    it('days that are no range are named, and who works in one store only is not answered', async () => {
      for (const [from, to] of [
        ['2027-02-30', '2027-03-01'],
        ['2027-01-02', '2027-01-01'],
      ])
        await expect(value().of(permit, { from: from ?? '', to: to ?? '' })).rejects.toThrow();
      const ofOne = mintPermit('books.export', { kind: 'terminal' }, ['toronto-queen-west']);
      await expect(value().of(ofOne, { from: '2027-01-01', to: '2027-01-02' })).rejects.toThrow();
    });
  });
});
