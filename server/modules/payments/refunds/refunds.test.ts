/** Refunds: in full, in part, of the tip separately, and never more than was paid. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createContainer } from '#server/container.ts';
import { mailsFor, subjectOf } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { failedRefund } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, reserve, setUnits, visit } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const tart = 'TART';

onBothEngines((engine) => {
  let testApp: TestApp;
  let stripe: FakeProvider;
  let asked = 0;
  beforeAll(async () => {
    stripe = new FakeProvider('Stripe');
    testApp = await createTestApp({
      engine,
      demo: true,
      providers: { stripe },
      env: { PUBLIC_URL: 'https://shop.example' },
    });
    await sellProduct(testApp, tart, { inStoreOnly: true, taxClass: 'prepared-food' });
  });
  beforeEach(async () => {
    Object.assign(stripe, { line: 'good', refusesRefunds: false, refundsWait: false });
    stripe.charges.clear();
    await setUnits(testApp, tart, 100, 'toronto-queen-west');
  });

  interface Bought {
    session: Shopper;
    id: string;
    number: string;
    total: number;
    tip: number;
    email: string;
  }

  /** A dine-in customer has paid, with a tip. */
  async function bought(lang: 'en' | 'zh' = 'en'): Promise<Bought> {
    asked += 1;
    const email = `refund.${asked}@example.com`;
    const session = testApp.shopper();
    await add(testApp, session, tart, 3);
    await testApp.call('orderContactInfo', {
      session,
      query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
      body: { contact: { ...contact, email } },
    });
    await testApp.call('tips', { session, body: { addTips: true, tipAmount: 300 } });
    const { orderID } = await testApp.call('payByStripe', {
      session,
      lang,
      body: { confirmationToken: 'ctoken_1', billingAddress: address },
    });
    const order = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    expect(order.bill.tip).toBe(300);
    return {
      session,
      id: orderID ?? '',
      number: order.orderNumber ?? '',
      total: order.bill.total,
      tip: 300,
      email,
    };
  }

  const refund = (number: string, change: { amount?: number; tip?: boolean } = {}) =>
    testApp.services.orderRefunds.refund(number, { reason: 'broken', ...change });
  const orderOf = ({ session, id }: Bought) => testApp.call('order', { session, params: { id } });

  it('a full refund sends a receipt in the buyer’s language', async () => {
    const order = await bought('zh');
    const { given } = await refund(order.number);
    expect(given).toBe(true);
    expect(stripe.taken).toBe(0);
    expect(await orderOf(order)).toMatchObject({
      payment: { paid: true, refunded: order.total },
      refunds: [{ amount: order.total, tip: 300, done: true, at: testApp.clock.now() }],
    });
    const [mail] = await mailsFor(testApp, order.email, 'refund');
    expect(mail && subjectOf(mail)).toBe(`【${await shopName('zh')}】订单 ${order.number} 退款通知`);
    expect(mail?.text).toContain(`$${(order.total / 100).toFixed(2)}`);
    expect(mail?.text).toContain('小费');
    expect(mail?.html).toMatch(/https:\/\/shop\.example\/zh\/order\/[\w-]{43}"/);
  });

  it('a refund is dated by the clock of its store, not by the server’s', async () => {
    const order = await bought();
    // Late in the evening of the previous day in Toronto.
    testApp.clock.set(Date.UTC(2026, 4, 20, 2));
    await refund(order.number);
    const [mail] = await mailsFor(testApp, order.email, 'refund');
    expect(mail?.text).toContain('May 19, 2026');
    testApp.clock.set(testNow);
  });

  it('a partial refund returns items and tip separately', async () => {
    const order = await bought();
    await refund(order.number, { amount: 500 });
    testApp.clock.advance(1);
    await refund(order.number, { tip: true, amount: 100 });
    testApp.clock.advance(1);
    await refund(order.number, { tip: true });
    expect((await orderOf(order)).refunds).toMatchObject([
      { amount: 500, tip: 0 },
      { amount: 100, tip: 100 },
      { amount: 200, tip: 200 },
    ]);
    expect(stripe.taken).toBe(order.total - 800);
    await expect(refund(order.number, { tip: true })).rejects.toThrow('and $0.00 of the tip');
    // The tip is not part of the rest of the items.
    await expect(refund(order.number, { amount: order.total - 799 })).rejects.toThrow(
      'The amount is more than can be refunded',
    );
    await refund(order.number);
    expect(stripe.taken).toBe(0);
    await expect(refund(order.number)).rejects.toThrow('The amount is more than can be refunded');
    expect(await mailsFor(testApp, order.email, 'refund')).toHaveLength(4);
    const [first] = await mailsFor(testApp, order.email, 'refund');
    expect(first && subjectOf(first)).toBe(`Refund for order ${order.number} – ${await shopName('en')}`);
  });

  it('concurrent refunds return no more than was paid', async () => {
    const order = await bought();
    const part = Math.floor((order.total - order.tip) / 3) + 1;
    const answers = await Promise.allSettled([
      ...[1, 2, 3, 4, 5].map(() => refund(order.number, { amount: part })),
      ...[1, 2, 3].map(() => refund(order.number, { tip: true })),
    ]);
    const done = answers.filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(2 + 1);
    expect(stripe.taken).toBe(order.total - 2 * part - 300);
    expect((await orderOf(order)).payment?.refunded).toBe(2 * part + 300);
  });

  it('a refund is retried while the provider is out of reach, and given once', async () => {
    const order = await bought();
    for (const line of ['silent', 'lost'] as const) {
      stripe.line = line;
      testApp.clock.advance(1);
      const { given } = await refund(order.number, { amount: 100 });
      expect(given).toBe(false);
      await expect(testApp.services.payments.reconcile()).rejects.toThrow('1 payments could not be settled');
      expect((await orderOf(order)).refunds?.at(-1)).toMatchObject({ amount: 100, done: false });
      stripe.line = 'good';
      expect(await testApp.services.payments.reconcile()).toMatchObject({ refunded: 1 });
      expect((await orderOf(order)).refunds?.at(-1)).toMatchObject({ amount: 100, done: true });
    }
    expect(stripe.taken).toBe(order.total - 200);
    expect(await mailsFor(testApp, order.email, 'refund')).toHaveLength(2);
  });

  it('a refund is requested by one process at a time, and taken over from one that died', async () => {
    const order = await bought();
    const other = createContainer({
      db: testApp.db,
      env: testApp.env,
      now: testApp.clock.now,
      providers: { stripe },
    });
    stripe.line = 'silent';
    await refund(order.number, { amount: 100 });
    stripe.line = 'good';
    let asked = 0;
    let answer = () => {};
    const held = new Promise<void>((go) => {
      answer = go;
    });
    stripe.around = async (step, when) => {
      if (step !== 'refund' || when !== 'before') return;
      asked += 1;
      if (asked === 1) await held;
    };
    const slow = testApp.services.payments.reconcile();
    await vi.waitFor(() => expect(asked).toBe(1), 10_000);
    expect(await other.payments.reconcile()).toMatchObject({ refunded: 0 });
    expect(asked).toBe(1);
    testApp.clock.advance(11 * 60_000);
    expect(await other.payments.reconcile()).toMatchObject({ refunded: 1 });
    answer();
    await slow;
    stripe.around = () => {};
    expect(stripe.taken).toBe(order.total - 100);
    expect(await mailsFor(testApp, order.email, 'refund')).toHaveLength(1);
    testApp.clock.set(testNow);
  });

  it('a pending refund is no failure and is completed later', async () => {
    const order = await bought();
    stripe.refundsWait = true;
    expect((await refund(order.number, { amount: 100 })).given).toBe(false);
    expect(await testApp.services.payments.reconcile()).toMatchObject({ refunded: 0 });
    stripe.refundsWait = false;
    expect(await testApp.services.payments.reconcile()).toMatchObject({ refunded: 1 });
    expect(stripe.taken).toBe(order.total - 100);
  });

  it('a refund that fails does not stop the other maintenance steps', async () => {
    const order = await bought();
    stripe.line = 'silent';
    await refund(order.number, { amount: 100 });
    const last = vi.spyOn(testApp.services.orders.customers, 'anonymizeEnded');
    await expect(testApp.services.runMaintenance()).rejects.toThrow('1 payments could not be settled');
    expect(last).toHaveBeenCalled();
    stripe.line = 'good';
    await testApp.services.runMaintenance();
  });

  it('a refund that the provider rejects still counts as paid', async () => {
    const order = await bought();
    stripe.refusesRefunds = true;
    await expect(refund(order.number)).rejects.toThrow('Stripe refused the refund');
    expect(await orderOf(order)).toMatchObject({ payment: { refunded: 0 }, refunds: [] });
    stripe.refusesRefunds = false;
    expect((await refund(order.number)).given).toBe(true);
  });

  describe('a refund that failed', () => {
    let owner: Shopper;
    beforeAll(async () => {
      owner = await joinStaff(testApp, 'owner@refunds.example');
      await secureStaff(testApp, owner);
    });
    const act = (name: 'retryRefund' | 'settleRefund', id: string, as = owner) =>
      askStaff(testApp, name, { as, params: { id } });
    const refusedOf = async ({ number }: Bought, as = owner) =>
      (await askStaff(testApp, 'refusedRefunds', { as })).body.refunds.filter(
        ({ order }) => order === number,
      );
    const refundsOf = async ({ number }: Bought) =>
      (await askStaff(testApp, 'order', { as: owner, params: { number } })).body.refunds;

    it('a refund that failed is listed until it is sent again', async () => {
      const order = await bought();
      const id = await failedRefund(testApp, stripe, order);
      expect(await refusedOf(order)).toMatchObject([{ id, amount: 100, why: 'The account is closed' }]);
      stripe.refusesRefunds = true;
      expect((await act('retryRefund', id)).body.errorKey).toBe('error.refund.refused');
      const [again] = await refusedOf(order);
      expect(again).toMatchObject({ amount: 100, why: 'The fake gives nothing back' });
      stripe.refusesRefunds = false;
      expect((await act('retryRefund', again?.id ?? '')).body).toEqual({ given: true });
      expect([await refusedOf(order), await refundsOf(order)]).toMatchObject([
        [],
        [{ amount: 100, state: 'done' }],
      ]);
      expect(stripe.taken).toBe(order.total - 100);
    });

    it('its money that went back in another way is recorded once, and nothing is sent', async () => {
      const order = await bought();
      const id = await failedRefund(testApp, stripe, order);
      expect((await act('settleRefund', id)).status).toBe(200);
      expect([await refusedOf(order), await refundsOf(order)]).toMatchObject([
        [],
        [{ amount: 100, state: 'done' }],
      ]);
      expect(stripe.taken).toBe(order.total);
      for (const name of ['settleRefund', 'retryRefund'] as const)
        expect((await act(name, id)).body.errorKey).toBe('error.refund.unknown');
    });

    it('it is not reached by people of other stores, nor by somebody who may not refund', async () => {
      const order = await bought();
      const id = await failedRefund(testApp, stripe, order);
      const elsewhere = await joinStaff(testApp, 'ottawa@refunds.example', 'manager', ['ottawa-byward']);
      const here = await joinStaff(testApp, 'toronto@refunds.example', 'manager', ['toronto-queen-west']);
      const packer = await joinStaff(testApp, 'packer@refunds.example', 'packer');
      for (const person of [elsewhere, here]) await secureStaff(testApp, person);
      expect([await refusedOf(order, elsewhere), await refusedOf(order, here)]).toMatchObject([[], [{ id }]]);
      for (const name of ['settleRefund', 'retryRefund'] as const) {
        expect((await act(name, id, elsewhere)).body.errorKey).toBe('error.refund.unknown');
        expect((await act(name, id, packer)).status).toBe(403);
      }
      expect(await refusedOf(order)).toMatchObject([{ id }]);
    });
  });

  it('an order that was not paid online has no refund', async () => {
    const session = testApp.shopper();
    await add(testApp, session, tart);
    await visit(testApp, session, { methodName: 'instore', tableNumber: '4' });
    const { body } = await reserve(testApp, session);
    const { orderNumber } = await testApp.call('order', { session, params: { id: body.orderID } });
    await expect(refund(orderNumber ?? '')).rejects.toThrow('not paid online');
    await expect(refund('MC-2026-999999')).rejects.toThrow('There is no order MC-2026-999999');
  });

  const shopName = async (locale: 'en' | 'zh') =>
    (await testApp.services.settings.all()).shopName[locale] ?? '';

  describe('late money', () => {
    it('late money is refunded with an email that says why', async () => {
      asked += 1;
      const email = `late.${asked}@example.com`;
      const session = testApp.shopper();
      await add(testApp, session, tart);
      await testApp.call('orderContactInfo', {
        session,
        query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
        body: { contact: { ...contact, email } },
      });
      stripe.line = 'lost';
      await testApp.ask('payByStripe', { session, body: { confirmationToken: 'ctoken_1' } });
      stripe.line = 'good';
      testApp.clock.advance(15 * 60_000);
      await testApp.services.holds.expireHolds();
      await setUnits(testApp, tart, 0, 'toronto-queen-west');
      await testApp.services.payments.reconcile();
      await testApp.services.payments.reconcile();
      expect(stripe.taken).toBe(0);
      const mails = await mailsFor(testApp, email);
      expect(mails.map(subjectOf)).toEqual([`Your refund from ${await shopName('en')}`]);
      expect(mails[0]?.text).toContain('We received a payment from you, but the items had sold out');
    });
  });
});
