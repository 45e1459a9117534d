/** What the files of the shop say of an order, read as bytes and as a spreadsheet reads them. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { byteOrderMark } from '#contract/csv.ts';
import { exported, origin } from '#tests/bill-places.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const [tart, latte] = ['TART-FILE', 'MC-DR-03'];
const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    // A day and an hour at which drinks are served.
    testApp.clock.set(Date.parse('2026-05-18T16:00:00Z'));
    await sellProduct(testApp, tart, { inStoreOnly: true, taxClass: 'prepared-food' });
    owner = await joinStaff(testApp, 'owner@file.example');
    await secureStaff(testApp, owner);
  });

  it('every table begins with the mark by which spreadsheets know UTF-8', async () => {
    for (const table of ['products', 'stock', 'customers', 'orders'] as const) {
      let text = '';
      for await (const piece of testApp.container.exports.table({ table, origin })) text += piece;
      expect([table, text.indexOf(byteOrderMark), text.lastIndexOf(byteOrderMark)]).toEqual([table, 0, 0]);
    }
  });

  it('the orders file names how an order was paid, what was chosen, and that a refunded line was not handed over', async () => {
    const session = testApp.shopper();
    for (const sku of [latte, tart]) await add(testApp, session, sku);
    const query = { methodName: 'instore', localStoreName: store, tableNumber: '4' };
    await testApp.call('orderContactInfo', { session, query, body: { contact } });
    const { orderID } = await testApp.call('reserve', { session });
    const { orderNumber: number = '', bill } = await testApp.call('order', {
      session,
      params: { id: orderID ?? '' },
    });
    const params = { number: number ?? '' };
    const ask = async (name: 'takeMoney' | 'refundOrder', body: object) => {
      const { status, body: answer } = await askStaff(testApp, name, { as: owner, params, body });
      expect([name, status, answer.errorKey]).toEqual([name, 200, undefined]);
    };
    await ask('takeMoney', { kind: 'terminal', amount: 300, due: bill.total });
    testApp.clock.advance(1000);
    await ask('takeMoney', { kind: 'cash', amount: bill.total - 300, due: bill.total - 300 });
    const { refundable, order } = (await askStaff(testApp, 'order', { as: owner, params })).body;
    const line = order.lineItems.find(({ sku }) => sku === tart)?.id;
    const amount = refundable.lines.find((each) => each.line === line)?.amounts[0];
    const none = {
      shipping: false,
      serviceCharge: false,
      tip: 0,
      restock: true,
      reason: 'dropped',
      note: '',
    };
    await ask('refundOrder', {
      ...none,
      lines: [{ line, quantity: 1 }],
      amount,
      refunded: refundable.refunded,
    });
    await testApp.services.fulfilment.move(params.number, 'completed');
    const rows = (await exported(testApp, 'orders')).filter(({ Name }) => Name === number);
    const of = (sku: string) => rows.find((row) => row['Lineitem sku'] === sku);
    expect(rows[0]?.['Payment Method']).toBe('Card terminal + Cash');
    expect([of(tart)?.['Lineitem fulfillment status'], of(latte)?.['Lineitem fulfillment status']]).toEqual([
      'refunded',
      'fulfilled',
    ]);
    expect([of(tart), of(latte)].map((row) => row?.['Lineitem taxable'])).toEqual(['true', 'true']);
    expect(of(latte)?.['Lineitem name']).toBe('Hojicha Latte - Hot, Whole milk, No sugar');
  });

  it('the orders file names two payments of one moment in the same order, whatever their ids', async () => {
    const session = testApp.shopper();
    await add(testApp, session, tart);
    const query = { methodName: 'instore', localStoreName: store, tableNumber: '5' };
    await testApp.call('orderContactInfo', { session, query, body: { contact } });
    const { orderID } = await testApp.call('reserve', { session });
    const { orderNumber: number = '', bill } = await testApp.call('order', {
      session,
      params: { id: orderID ?? '' },
    });
    for (const [kind, amount, due] of [
      ['terminal', 100, bill.total],
      ['cash', bill.total - 100, bill.total - 100],
    ] as const) {
      const body = { kind, amount, due };
      expect(
        (await askStaff(testApp, 'takeMoney', { as: owner, params: { number: number ?? '' }, body })).status,
      ).toBe(200);
    }
    const waysWithIds = async (ids: Record<string, string>) => {
      for (const [kind, id] of Object.entries(ids))
        await testApp.db.transaction((trx) =>
          sql`update payments set id = ${id} where order_id = ${orderID} and kind = ${kind}`.execute(trx),
        );
      return (await exported(testApp, 'orders')).find(({ Name }) => Name === number)?.['Payment Method'];
    };
    expect(await waysWithIds({ cash: 'first', terminal: 'second' })).toBe('Cash + Card terminal');
    expect(await waysWithIds({ terminal: 'a-first', cash: 'then' })).toBe('Cash + Card terminal');
  });
});
