/** What customers do to a placed order reaches the store and themselves, and each later payment has a receipt: once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, finish, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type TestApp, testNow } from '#tests/test-app.ts';
import { fakePrinter } from '#tests/ticket-printer.ts';

const store = 'toronto-queen-west';
const toStore = 'kitchen@later.example';
const email = 'buyer@later.example';

forEachEngine((engine) => {
  let testApp: TestApp;
  let printer: Awaited<ReturnType<typeof fakePrinter>>;
  beforeEach(async () => {
    printer = await fakePrinter();
    testApp = await createTestApp({
      engine,
      demo: true,
      env: { TICKET_PRINTERS: `${store}=tcp://127.0.0.1:${printer.port}?encoding=cp858` },
    });
    const newOrderEmails = { enabled: true, addresses: { [store]: [toStore] } };
    await testApp.services.settings.update({ staffLanguage: 'en', newOrderEmails });
    await sellProduct(testApp, 'MUG', { priceCents: 1000 });
    await setUnits(testApp, 'MUG', 20, store);
  });
  afterEach(() => printer.close());

  async function reserved() {
    const session = testApp.shopper();
    await add(testApp, session, 'MUG');
    const query = { methodName: 'pickup', localStoreName: store };
    await testApp.call('orderContactInfo', { session, query, body: { contact: { ...contact, email } } });
    await testApp.call('orderPickupDate', { session, body: { pickupDate: testNow + 4 * hourMs } });
    const order = await finish(testApp, session, { how: 'reserve', lang: 'en' });
    return { ...order, token: await testApp.services.orderLinks.create(order.id) };
  }
  /** Long enough for three further attempts of every sender. */
  async function passTime(): Promise<void> {
    for (const pause of [minuteMs, 10 * minuteMs, hourMs]) {
      testApp.clock.advance(pause);
      await testApp.services.deliveries.run();
    }
  }
  const kinds = async (to: string, kind: string) =>
    (await mailsFor(testApp, to, kind)).map(({ text }) => text);
  const tickets = () => printer.printed.map((bytes) => new TextDecoder('latin1').decode(bytes));

  describe('an order that its customer changes', () => {
    it('a pickup that is moved is told to the store by email and ticket, and confirmed to the customer, each once', async () => {
      const { number, token } = await reserved();
      await testApp.services.deliveries.run();
      await testApp.call('orderLinkPickup', {
        params: { token },
        body: { pickupDate: testNow + 5 * hourMs },
      });
      await testApp.services.deliveries.run();
      await passTime();
      const [toStaff, ...more] = await kinds(toStore, 'changedByCustomer');
      expect([toStaff, more]).toEqual([expect.stringContaining('The customer moved the pickup'), []]);
      expect(toStaff).toContain('15:00');
      expect(await kinds(email, 'pickupMoved')).toEqual([expect.stringContaining('15:00')]);
      expect(tickets()).toEqual([expect.not.stringContaining('Moved'), expect.stringContaining('Moved')]);
      expect(tickets()[1]).toContain(number);
      expect(tickets()[1]).toContain('15:00');
    });

    it('an order that is cancelled is told to the store by email and ticket, and confirmed to the customer, each once', async () => {
      const { token } = await reserved();
      await testApp.services.deliveries.run();
      await testApp.call('orderLinkCancel', { params: { token } });
      await testApp.call('orderLinkCancel', { params: { token } });
      await testApp.services.deliveries.run();
      await passTime();
      expect(await kinds(toStore, 'changedByCustomer')).toEqual([
        expect.stringContaining('Don’t prepare this order'),
      ]);
      expect(await kinds(email, 'orderCancelled')).toHaveLength(1);
      expect(tickets()).toEqual([
        expect.not.stringContaining('Cancelled'),
        expect.stringContaining('Cancelled'),
      ]);
    });
  });

  describe('a payment after the order', () => {
    it('each payment that staff take has a receipt of its amount, and the last one too', async () => {
      const { number } = await reserved();
      const { fulfilment } = testApp.services;
      await fulfilment.take(number, 'cash', 300);
      await fulfilment.move(number, 'completed', 'terminal');
      await testApp.services.deliveries.run();
      await passTime();
      const { bill } = await fulfilment.show(number);
      const amounts = [300, bill.total - 300].map(
        (cents) => `received $${(cents / 100).toFixed(2)} for your order ${number}`,
      );
      const receipts = await kinds(email, 'paymentReceived');
      expect(receipts).toHaveLength(2);
      for (const amount of amounts) expect(receipts.join('\n')).toContain(amount);
    });

    it('a payment that is undone at once has no receipt', async () => {
      const { number } = await reserved();
      const as = await joinStaff(testApp, 'owner@later.example');
      const { version } = (await askStaff(testApp, 'deskOrders', { as, query: { numbers: number } })).body
        .orders[0] ?? {
        version: 0,
      };
      const moved = await askStaff(testApp, 'moveOrder', {
        as,
        params: { number },
        body: { to: 'completed', version, paid: 'cash' },
      });
      expect(moved.status).toBe(200);
      await testApp.services.deliveries.run();
      expect(await kinds(email, 'paymentReceived')).toEqual([]);
      const undone = await askStaff(testApp, 'undoMove', {
        as,
        params: { number },
        body: { version: moved.body.version },
      });
      expect(undone.status).toBe(200);
      await passTime();
      expect(await kinds(email, 'paymentReceived')).toEqual([]);
    });
  });
});
