/** Orders that staff cancel: each kind of order, with each choice of the dialog. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { mailsFor } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, deliver, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { askStaff as ask, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'CANCEL-MUG';
const store = 'toronto-queen-west';
const hour = 60 * 60_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  let asked = 0;
  const stripe = new FakeProvider('Stripe');
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { stripe } });
    await sellProduct(testApp, mug);
    owner = await joinStaff(testApp, 'cancels@shop.example');
    await secureStaff(testApp, owner);
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 50, store);
    await testApp.services.stock.count([{ sku: mug, place: 'warehouse', units: 50 }]);
  });

  const sheetOf = (number: string) =>
    testApp.services.officeOrders.sheet(mintPermit('orders.read', { kind: 'terminal' }, null), number, 'en');

  /** Three mugs: a parcel or a pickup that is paid online, or a pickup to be paid in the store. */
  async function placed(how: 'parcel' | 'pickup' | 'unpaid') {
    asked += 1;
    const email = `cancel.${asked}@example.com`;
    const session = testApp.shopper();
    await add(testApp, session, mug, 3);
    const who = { ...contact, email };
    if (how === 'parcel') await deliver(testApp, session, { contact: who });
    else {
      const query = { methodName: 'pickup', localStoreName: store };
      await testApp.call('orderContactInfo', { session, query, body: { contact: who } });
      await testApp.call('orderPickupDate', { session, body: { pickupDate: testNow + 4 * hour } });
    }
    const { orderID } = await (how === 'unpaid'
      ? testApp.call('reserve', { session })
      : testApp.call('payByStripe', {
          session,
          body: { confirmationToken: 'ctoken_1', billingAddress: address },
        }));
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    return { number: orderNumber ?? '', email };
  }

  const usual = { reason: 'out of stock', note: '', restock: true, mail: true };
  type Wanted = Partial<StaffBody<'cancelOrderBack'>>;
  const cancel = ({ order, version, cancellable }: OrderSheet, wanted: Wanted = {}, as = owner) => {
    const params = { number: order.orderNumber ?? '' };
    const most = cancellable?.most ?? 0;
    const body = { ...usual, version, most, ...wanted };
    return most > 0
      ? ask(testApp, 'cancelOrderBack', { as, params, body: { refund: most, ...body } })
      : ask(testApp, 'cancelOrder', { as, params, body });
  };
  const mailsTo = async (email: string, kind: string) => mailsFor(testApp, email, kind);
  const refundedOf = ({ refunds }: OrderSheet) => refunds.reduce((sum, { amount }) => sum + amount, 0);

  const ways = (['parcel', 'pickup', 'unpaid'] as const).flatMap((how) =>
    (how === 'unpaid' ? (['none'] as const) : (['all', 'part', 'none'] as const)).flatMap((refund) =>
      [true, false].map((yes) => ({ how, refund, restock: yes, mail: refund === 'part' ? !yes : yes })),
    ),
  );
  it.each(ways)(
    'an order ($how) is cancelled with refund $refund, items back $restock, email $mail, and a repeated call changes nothing',
    async ({ how, refund, restock, mail }) => {
      const before = await unitsOf(testApp.db.read, mug);
      const { number, email } = await placed(how);
      const sheet = await sheetOf(number);
      const most = how === 'unpaid' ? 0 : sheet.order.bill.total;
      expect(sheet.cancellable).toEqual({ what: 'order', most });
      const back = refund === 'all' ? most : refund === 'part' ? 500 : 0;
      const taken = stripe.taken;
      const wanted = { restock, mail, ...(how === 'unpaid' ? {} : { refund: back }) };
      for (const time of ['first', 'again']) {
        expect([time, (await cancel(sheet, wanted)).status]).toEqual([time, 200]);
        expect(taken - stripe.taken).toBe(back);
      }
      const after = await sheetOf(number);
      expect([after.order.state, after.cancellable, refundedOf(after), after.order.due ?? 0]).toEqual([
        'cancelled',
        null,
        back,
        0,
      ]);
      const left = await unitsOf(testApp.db.read, mug);
      expect(left).toEqual(restock ? before : { ...before, stock: before.stock - 3, sold: before.sold + 3 });
      expect(await testApp.services.stock.differences()).toEqual([]);
      const told = await mailsTo(email, 'orderCancelled');
      expect(told).toHaveLength(mail ? 1 : 0);
      if (mail) expect(told[0]?.text.includes('We’re refunding')).toBe(back > 0);
      expect(await mailsTo(email, 'refund')).toHaveLength(back > 0 ? 1 : 0);
      expect(
        after.events.filter(({ what }) => what.kind === 'action' && what.action === 'orders cancel'),
      ).toHaveLength(1);
    },
  );

  describe('the rest of a partly shipped order', () => {
    async function partlyShipped() {
      const { number, email } = await placed('parcel');
      const [line] = (await sheetOf(number)).order.lineItems;
      const body = { lines: [{ line: line?.id ?? '', quantity: 1 }], tracking: '', seen: 0 };
      expect((await ask(testApp, 'shipOrder', { as: owner, params: { number }, body })).status).toBe(200);
      return { email, sheet: await sheetOf(number), number };
    }

    it.each(['all', 'part', 'none'] as const)(
      'the units that were not sent are cancelled with refund %s',
      async (refund) => {
        const { sheet, number, email } = await partlyShipped();
        const [line] = sheet.refundable.lines;
        const most = (line?.amounts[1] ?? 0) as number;
        expect(sheet.cancellable).toEqual({ what: 'rest', most });
        testApp.clock.advance(1000);
        const before = await unitsOf(testApp.db.read, mug);
        const back = refund === 'all' ? most : refund === 'part' ? 100 : 0;
        for (let time = 0; time < 2; time++) expect((await cancel(sheet, { refund: back })).status).toBe(200);
        const after = await sheetOf(number);
        expect([after.order.state, after.unsent, refundedOf(after)]).toEqual(['shipped', [], back]);
        const left = await unitsOf(testApp.db.read, mug);
        expect([left.stock - before.stock, before.sold - left.sold]).toEqual([2, 2]);
        expect(await testApp.services.stock.differences()).toEqual([]);
        const [told] = await mailsTo(email, 'orderCancelled');
        expect(told?.text).toContain('What we haven’t shipped of your order');
        expect(told?.text).toMatch(
          new RegExp(`NOT COMING ANY MORE\\s+2 × ${sheet.order.lineItems[0]?.productName}`),
        );
        const takeBack = {
          as: owner,
          params: { number },
          body: { version: after.version, reason: 'by mistake' },
        };
        // Without what was refunded nothing is left to send; what was only cancelled would be sent without its stock.
        expect((await ask(testApp, 'takeBackMove', takeBack)).status).toBe(refund === 'all' ? 200 : 409);
        expect((await sheetOf(number)).unsent).toEqual([]);
      },
    );
  });

  it('a cancellation that saw less than a refund or another cancellation changes nothing', async () => {
    const { number } = await placed('parcel');
    const sheet = await sheetOf(number);
    await testApp.services.orderRefunds.refund(number, { amount: 100, reason: '' });
    expect((await cancel(sheet)).status).toBe(409);
    const seen = await sheetOf(number);
    expect((await cancel(seen, { refund: seen.cancellable?.most ?? 0 + 1, most: 1 })).status).toBe(409);
    const both = await Promise.all([cancel(seen), cancel(seen, { refund: 0, reason: 'suspected fraud' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await sheetOf(number)).order.state).toBe('cancelled');
  });

  it('more than was paid is refused in the money of the order', async () => {
    const { number } = await placed('parcel');
    const sheet = await sheetOf(number);
    const { status, body } = await cancel(sheet, { refund: (sheet.cancellable?.most ?? 0) + 1 });
    expect([status, body.errorKey]).toEqual([409, 'error.cancel.tooMuch']);
    expect((await sheetOf(number)).order.state).toBe('placed');
  });

  it('somebody who may not refund cancels what is unpaid, and nothing that was paid', async () => {
    const packer = await joinStaff(testApp, 'packer.cancels@shop.example', 'packer');
    const [paid, unpaid] = [
      await sheetOf((await placed('pickup')).number),
      await sheetOf((await placed('unpaid')).number),
    ];
    expect((await cancel(paid, {}, packer)).status).toBe(403);
    const params = { number: paid.order.orderNumber ?? '' };
    for (const most of [paid.cancellable?.most ?? 0, 0]) {
      const body = { ...usual, version: paid.version, most };
      expect((await ask(testApp, 'cancelOrder', { as: packer, params, body })).status).toBe(409);
    }
    expect((await sheetOf(params.number)).order.state).toBe('placed');
    expect((await cancel(unpaid, {}, packer)).status).toBe(200);
  });

  it('a paid order that nobody picked up is cancelled after its time, with a reason in words', async () => {
    const { number } = await placed('pickup');
    await testApp.services.fulfilment.move(number, 'ready');
    testApp.clock.advance(30 * hour);
    await testApp.services.payments.reconcile();
    await testApp.services.orderRefunds.cancelOrder(number, 'not picked up', { refund: 0 });
    const { events } = await sheetOf(number);
    expect(events.flatMap(({ what }) => (what.kind === 'state' ? what.reason : []))).toContain(
      'not picked up',
    );
  });

  it('a cancellation without a reason is refused', async () => {
    const { number } = await placed('unpaid');
    for (const reason of ['', '   '])
      expect((await cancel(await sheetOf(number), { reason })).status).toBe(400);
    expect((await sheetOf(number)).order.state).toBe('reserved');
  });

  it('the command has the same choices', async () => {
    const [part, none] = [await placed('parcel'), await placed('parcel')];
    const before = await unitsOf(testApp.db.read, mug);
    const { printed } = await shopCommand(testApp, [
      'orders',
      'cancel',
      part.number,
      '--refund',
      '5.00',
      '--no-restock',
      '--no-email',
    ]);
    expect(printed).toMatch(new RegExp(`^Cancelled order ${part.number}\\.\\nRefund of \\$5\\.00`));
    expect([await unitsOf(testApp.db.read, mug), await mailsTo(part.email, 'orderCancelled')]).toEqual([
      before,
      [],
    ]);
    const kept = await shopCommand(testApp, ['orders', 'cancel', none.number, '--no-refund']);
    expect(kept.printed).toBe(`Cancelled order ${none.number} and returned its items to stock.`);
    expect(refundedOf(await sheetOf(none.number))).toBe(0);
  });
});
