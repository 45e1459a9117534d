/** Refunds of units of lines, as the office asks for them. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, setUnits } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import type { PartsRefund } from './order-refunds.ts';

const [tart, cake] = ['PART-TART', 'PART-CAKE'];
const store = 'toronto-queen-west';

forEachEngine((engine) => {
  describe('refunds of lines', () => {
    let testApp: TestApp;
    const stripe = new FakeProvider('Stripe');
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true, connections: 10, providers: { stripe } });
      for (const sku of [tart, cake]) {
        await sellProduct(testApp, sku, { inStoreOnly: true, taxClass: 'prepared-food' });
        await setUnits(testApp, sku, 50, store);
      }
    });

    /** Three tarts and a cake at a table, paid with a tip of $3. */
    async function bought(): Promise<OrderSheet> {
      const session = testApp.shopper();
      await add(testApp, session, tart, 3);
      await add(testApp, session, cake);
      await testApp.call('orderContactInfo', {
        session,
        query: { methodName: 'instore', localStoreName: store, tableNumber: '4' },
        body: { contact },
      });
      await testApp.call('tips', { session, body: { addTips: true, tipAmount: 300 } });
      const body = { confirmationToken: 'ctoken_1', billingAddress: address };
      const { orderID } = await testApp.call('payByStripe', { session, body });
      const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
      return sheetOf(orderNumber ?? '');
    }
    const sheetOf = (number: string) =>
      testApp.services.officeOrders.sheet(
        mintPermit('orders.read', { kind: 'terminal' }, null),
        number,
        'en',
      );
    const refund = ({ order }: OrderSheet, wanted: Partial<PartsRefund>) =>
      testApp.services.orderRefunds.refundParts(order.orderNumber ?? '', {
        lines: [],
        tip: 0,
        amount: 0,
        restock: false,
        reason: 'broken',
        note: '',
        ...wanted,
      });
    const unitsAt = async (sku: string) => (await testApp.services.stock.currentLevels(sku))?.get(store);

    it('one unit is refunded with its tax, goes back to its store, and cannot be refunded again', async () => {
      const sheet = await bought();
      const [tarts, cakes] = sheet.refundable.lines;
      const before = await unitsAt(tart);
      const amount = cakes?.amounts[0] ?? 0;
      const lines = [{ line: cakes?.line ?? '', quantity: 1 }];
      expect(amount).toBeGreaterThan(sheet.order.lineItems[1]?.lineTotal ?? 0);
      await expect(refund(sheet, { lines, amount: amount + 1 })).rejects.toThrow('has just changed');
      await refund(sheet, { lines, amount });
      await expect(refund(sheet, { lines, amount })).rejects.toThrow('no longer left');
      await refund(sheet, {
        lines: [{ line: tarts?.line ?? '', quantity: 2 }],
        amount: tarts?.amounts[1] ?? 0,
        restock: true,
      });
      expect(await unitsAt(tart)).toBe((before ?? 0) + 2);
      const after = await sheetOf(sheet.order.orderNumber ?? '');
      expect(after.refundable.lines.map(({ amounts }) => amounts.length)).toEqual([1, 0]);
      expect(await testApp.services.stock.differences()).toEqual([]);
    });

    it('lines, service charge and tip together are all that was paid', async () => {
      const sheet = await bought();
      const { lines, serviceCharge, tip, most } = sheet.refundable;
      const amount = lines.reduce((sum, { amounts }) => sum + (amounts.at(-1) ?? 0), serviceCharge + tip);
      expect(amount).toBe(most);
      const all = lines.map(({ line, amounts }) => ({ line, quantity: amounts.length }));
      await refund(sheet, { lines: all, serviceCharge: serviceCharge > 0, tip, amount });
      expect((await sheetOf(sheet.order.orderNumber ?? '')).refundable).toMatchObject({ tip: 0, most: 0 });
    });

    it('however many refund one unit at once, it is refunded once, and never more than was paid', async () => {
      const sheet = await bought();
      const taken = stripe.taken;
      const [tarts] = sheet.refundable.lines;
      const all = { lines: [{ line: tarts?.line ?? '', quantity: 3 }], amount: tarts?.amounts[2] ?? 0 };
      const rest = sheet.refundable.most - sheet.refundable.tip - all.amount;
      const answers = await Promise.allSettled([
        ...Array.from({ length: 6 }, () => refund(sheet, all)),
        ...Array.from({ length: 3 }, () =>
          testApp.services.orderRefunds.refund(sheet.order.orderNumber ?? '', { amount: rest, reason: '' }),
        ),
      ]);
      const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.parts : []));
      const sum = given.reduce((total, part) => total + part.refund.amount, 0);
      expect(taken - stripe.taken).toBe(sum);
      expect(sum).toBeLessThanOrEqual(sheet.refundable.most - sheet.refundable.tip);
      const after = await sheetOf(sheet.order.orderNumber ?? '');
      expect(after.refunds.filter((each) => each.amount === all.amount)).toHaveLength(1);
      expect(after.refundable.lines[0]?.amounts).toEqual([]);
    });

    it('a refund that the provider refuses leaves its units to be refunded', async () => {
      const sheet = await bought();
      const [tarts] = sheet.refundable.lines;
      const one = { lines: [{ line: tarts?.line ?? '', quantity: 1 }], amount: tarts?.amounts[0] ?? 0 };
      stripe.refusesRefunds = true;
      await expect(refund(sheet, one)).rejects.toThrow('refused the refund');
      stripe.refusesRefunds = false;
      await refund(sheet, one);
    });
  });
});
