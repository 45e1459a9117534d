/** Orders of another shop: they are found like others, and nothing can be done with them. */
import { beforeAll, expect, it } from 'vitest';
import type { OrderQuery } from '#contract/staff/orders.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { confirmEmail, outbox, register } from '#tests/accounts.ts';
import { importer, importing } from '#tests/importing.ts';
import { csvText } from '#tests/sheets.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { wholeDatabase } from '#tests/whole-database.ts';

const terminal = { kind: 'terminal' } as const;
const person = ['Name', 'Street', 'Address1', 'Company', 'City', 'Zip', 'Province', 'Country', 'Phone'];
const header = [
  'Name',
  'Email',
  'Financial Status',
  'Paid at',
  'Fulfillment Status',
  'Fulfilled at',
  'Currency',
  'Subtotal',
  'Shipping',
  'Taxes',
  'Total',
  'Discount Code',
  'Discount Amount',
  'Shipping Method',
  'Created at',
  'Lineitem quantity',
  'Lineitem name',
  'Lineitem price',
  'Lineitem sku',
  ...person.map((part) => `Billing ${part}`),
  ...person.map((part) => `Shipping ${part}`),
  'Notes',
  'Cancelled at',
  'Payment Method',
  'Refunded Amount',
  'Tags',
  'Tax 1 Name',
  'Tax 1 Value',
  'Phone',
];
type Cells = Record<string, string>;
const order = (name: string, email: string, more: Cells = {}): Cells => ({
  Name: name,
  Email: email,
  'Financial Status': 'paid',
  'Fulfillment Status': 'fulfilled',
  Currency: 'CAD',
  Subtotal: '54.00',
  Shipping: '6.00',
  Taxes: '7.80',
  Total: '67.80',
  'Discount Code': 'SPRING',
  'Discount Amount': '6.00',
  'Created at': '2026-05-16 09:30:00 -0400',
  'Fulfilled at': '2026-05-16 09:45:00 -0400',
  'Shipping Method': 'Standard',
  'Lineitem quantity': '2',
  'Lineitem name': 'Harbour teapot - Fog',
  'Lineitem price': '20.00',
  'Lineitem sku': 'HT - Fog',
  'Shipping Name': 'Ada King Byron',
  'Shipping Street': '12 Harbour Rd',
  'Shipping City': 'Toronto',
  'Shipping Zip': 'M5V 2T6',
  'Shipping Province': 'ON',
  'Shipping Country': 'CA',
  'Payment Method': 'Shopify Payments',
  'Tax 1 Name': 'HST 13%',
  ...more,
});
const line = ({ Name = '', Email = '' }: Cells, name: string, price: string): Cells => ({
  Name,
  Email,
  'Lineitem quantity': '1',
  'Lineitem name': name,
  'Lineitem price': price,
});
const fileOf = (rows: readonly Cells[]) =>
  csvText([header, ...rows.map((row) => header.map((column) => row[column] ?? ''))]);

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
  });
  const { send } = importing(() => testApp, 'orders_export.csv');
  const page = async (query: OrderQuery) =>
    (await testApp.container.officeOrders.page(mintPermit('orders.read', terminal, null), query)).orders.map(
      ({ number }) => number,
    );

  it('an order of another shop is found and exported like others, touches neither stock nor takings, and is neither refunded nor moved', async () => {
    const { importRuns, officeOrders, ordersExport, stock } = testApp.container;
    const { id: customer, email } = await register(testApp, { email: 'ada@people.example' });
    await confirmEmail(testApp, email);
    const [first, second] = [
      order('#1001', ' ADA@people.example'),
      order('#1002', 'guest@people.example', { Tags: 'gift' }),
    ];
    const file = fileOf([
      first,
      {
        ...second,
        'Cancelled at': '2026-05-16 10:00:00 -0400',
        'Refunded Amount': '67.80',
        'Financial Status': 'refunded',
      },
      line(first, 'Whisk', '20.00'),
      order('#1003', '', { 'Fulfillment Status': 'unfulfilled' }),
      order('#1004', '', { 'Created at': 'yesterday' }),
    ]);
    const owner = await joinStaff(testApp, 'owner@people.example');
    await secureStaff(testApp, owner);
    const takings = async () => (await askStaff(testApp, 'takings', { as: owner, query: {} })).body;
    const [before, mails] = [await takings(), (await outbox(testApp)).length];
    const levels = () =>
      testApp.db.read.selectFrom('stock').selectAll().orderBy('sku').orderBy('location_id').execute();
    const [units] = [await levels()];

    const { id, kind, counts, warnings } = await send(file);
    expect([kind, counts, warnings]).toEqual(['orders', { new: 3, changed: 0, unchanged: 0, problem: 1 }, 1]);
    const said = (await importRuns.rows(id, {}, 'en')).rows.flatMap(({ problems }) =>
      problems.map(({ text }) => text),
    );
    expect(said).toEqual([
      expect.stringMatching(/^row 5, Fulfillment Status: was not finished/),
      expect.stringMatching(/^row 6, Created at: must be a time/),
    ]);
    await importRuns.apply(importer, id, 'en');
    await importRuns.work();

    for (const text of ['1001', '#1001', 'byron']) expect(await page({ text }), text).toContain('#1001');
    expect(await page({ customer })).toEqual(['#1001']);
    const sheet = await officeOrders.sheet(mintPermit('orders.read', terminal, null), '#1001', 'en');
    expect(sheet).toMatchObject({
      customer,
      payments: [],
      refunds: [],
      mails: [],
      unsent: [],
      refundable: { most: 0 },
      order: {
        state: 'completed',
        placedAt: Date.UTC(2026, 4, 16, 13, 30),
        orderContact: { firstName: 'Ada King', lastName: 'Byron' },
        bill: {
          subtotal: 6000,
          discount: 600,
          shipping: 600,
          tax: 780,
          total: 6780,
          couponCode: 'SPRING',
          currency: 'CAD',
        },
        lineItems: [
          { sku: 'HT - Fog', quantity: 2, unitPrice: 2000, nameContent: { en: 'Harbour teapot - Fog' } },
          { sku: 'whisk', quantity: 1 },
        ],
      },
    });
    expect(sheet.order.due ?? 0).toBe(0);
    expect(sheet.notes.map(({ text }) => text)).toEqual([
      expect.stringContaining('Payment Method: Shopify Payments'),
    ]);
    expect(await page({ state: 'cancelled', text: '1002' })).toEqual(['#1002']);
    const session = testApp.shopper();
    await testApp.call('signon', {
      session,
      body: { userID: email, password: 'a kettle of keemun at five' },
    });
    expect(
      (await testApp.call('order', { session, params: { id: sheet.order.orderID ?? '' } })).orderNumber,
    ).toBe('#1001');
    const exported: (string | null)[] = [];
    for await (const piece of ordersExport.pieces()) exported.push(...piece.map(({ number }) => number));
    expect(exported.filter((number) => number?.startsWith('#')).toSorted()).toEqual([
      '#1001',
      '#1002',
      '#1003',
    ]);

    const { fulfilment, orderRefunds } = testApp.services;
    await expect(orderRefunds.refund('#1001', { reason: 'late' })).rejects.toMatchObject({
      key: 'error.refund.notPaidOnline',
    });
    await expect(orderRefunds.cancelOrder('#1001', 'late')).rejects.toThrow();
    await expect(fulfilment.move('#1001', 'shipped')).rejects.toThrow();
    const back = {
      as: owner,
      params: { number: '#1001' },
      body: { version: sheet.order.version, reason: 'late' },
    };
    expect((await askStaff(testApp, 'takeBackMove', back)).body.errorKey).toBe('error.order.noStep');
    expect([await takings(), (await outbox(testApp)).length, await levels()]).toEqual([before, mails, units]);
    expect(await stock.differences()).toEqual([]);
    const journal = await testApp.db.read.selectFrom('journal').selectAll().execute();
    expect(JSON.stringify(journal)).not.toMatch(/people\.example|Byron|Harbour Rd/);
    expect((await send(file)).counts).toMatchObject({ new: 0, unchanged: 3, problem: 1 });

    const { accounts } = testApp.services;
    const told = await (await accounts.fulfilment.export('guest@people.example'))();
    expect([told.guestOrders.map(({ orderNumber }) => orderNumber), told.imported.length]).toEqual([
      ['#1002'],
      2,
    ]);
    await accounts.fulfilment.erase('guest@people.example');
    expect(await wholeDatabase(testApp)).not.toContain('guest@people');

    await importRuns.takeBack(importer, id, 'en');
    await importRuns.work();
    // What was erased here stays, for the books.
    expect(
      (await page({ from: '2026-05-16', to: '2026-05-16' })).filter((number) => number.startsWith('#')),
    ).toEqual(['#1002']);
  });

  it('amounts of orders that could be two are asked for, and read as chosen', async () => {
    const { importRuns } = testApp.container;
    const asked = await send(
      fileOf([order('#2001', 'guest@people.example', { 'Lineitem price': '1.250', Total: '2509.80' })]),
    );
    expect(asked).toMatchObject({
      counts: { new: 0, problem: 1 },
      asks: ['decimal'],
      uses: expect.arrayContaining(['decimal']),
    });
    const { id, kind, columns, options } = asked;
    const chosen = { kind, fields: columns.map(({ field }) => field), ...options, decimal: ',' } as const;
    await importRuns.change(importer, id, chosen, 'en');
    await importRuns.work();
    expect(await importRuns.read(id, 'en')).toMatchObject({ counts: { new: 1, problem: 0 }, asks: [] });
  });
});
