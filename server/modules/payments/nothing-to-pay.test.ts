/** Orders that cost nothing, with a coupon for all of it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { enter, giveOut, usesOf } from '#tests/coupons.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { add, contact, deliver, pay, reserve, setUnits, unitsOf, visit } from '#tests/shop-actions.ts';
import { createWorld, forEachEngine, type Shopper, type World } from '#tests/test-app.ts';

const mug = 'MC-CM-01-OAT';

forEachEngine((engine) => {
  let world: World;
  const payPal = new FakeProvider('PayPal');
  beforeAll(async () => {
    world = await createWorld({ engine, demo: true, providers: { payPal } });
  });
  beforeEach(() => setUnits(world, mug, 100, 'toronto-queen-west'));

  const free = () => giveOut(world, { percent: 100_000 });

  /** Somebody at a table whose coupon pays for everything. */
  async function atTable(): Promise<{ session: Shopper; code: string; email: string }> {
    const session = world.shopper();
    const code = await free();
    const email = `${code.toLowerCase()}@example.com`;
    await add(world, session, mug, 2);
    await world.call('orderContactInfo', {
      session,
      query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
      body: { contact: { ...contact, email } },
    });
    expect((await enter(world, session, code)).body.order.bill.total).toBe(0);
    return { session, code, email };
  }

  async function expectPlaced({ session, code, email }: Awaited<ReturnType<typeof atTable>>, id: string): Promise<void> {
    const order = await world.call('order', { session, params: { id } });
    expect(order).toMatchObject({ state: 'placed', orderReserved: false, payment: null, bill: { total: 0, couponCode: code } });
    expect(order.orderNumber).toMatch(/^MC-/);
    expect(await usesOf(world, code)).toEqual({ used: 1, held: 0, final: 1 });
    const mails = await mailsFor(world, email);
    expect(mails.map(({ text }) => text.includes('Nothing to pay'))).toEqual([true]);
    expect((await world.call('myCart', { session })).lineItems).toEqual([]);
    expect(await world.db.read.selectFrom('payments').select('id').where('order_id', '=', id).execute()).toEqual([]);
  }

  describe('what costs nothing', () => {
    it('is placed without paying, once, and its goods are sold', async () => {
      const before = await unitsOf(world.db.read, mug);
      const shopper = await atTable();
      const { bill } = await world.call('myCart', { session: shopper.session });
      const answers = await Promise.all([1, 2].map(() => reserve(world, shopper.session, { billVersion: bill.billVersion })));
      const [id = ''] = answers.map(({ body }) => body.orderID);
      expect(answers.map(({ status, body }) => [status, body.orderID])).toEqual([
        [200, id],
        [200, id],
      ]);
      await expectPlaced(shopper, id);
      expect(await unitsOf(world.db.read, mug)).toEqual({ ...before, stock: before.stock - 2, sold: before.sold + 2 });
    });

    it('is placed by whichever call, without asking a provider', async () => {
      const card = await atTable();
      const paid = await pay(world, card.session);
      expect(paid.status).toBe(200);
      await expectPlaced(card, paid.body.orderID);

      const wallet = await atTable();
      const { orderID } = await world.call('myCart', { session: wallet.session });
      const token = await world.ask('payPalToken', { session: wallet.session });
      expect([token.status, token.body.errorKey]).toEqual([409, 'payment.alreadyPlaced']);
      expect(payPal.charges.size).toBe(0);
      await expectPlaced(wallet, orderID ?? '');
    });

    it('may be shipped, and needs no way to pay to be set up', async () => {
      const { paymentConfig, shippingMethods } = await world.services.settings.all();
      await world.services.settings.update({
        paymentConfig: { ...paymentConfig, paymentOnline: false, payAtStoreEnabled: false },
        shippingMethods: shippingMethods.map((method) => ({ ...method, priceCents: 0 })),
      });
      await setUnits(world, mug, 100);
      const session = world.shopper();
      const code = await free();
      const email = `${code.toLowerCase()}@example.com`;
      await add(world, session, mug);
      await deliver(world, session, { contact: { ...contact, email } });
      await enter(world, session, code);
      const { status, body } = await reserve(world, session);
      expect(status).toBe(200);
      await expectPlaced({ session, code, email }, body.orderID);
      await world.services.settings.update({ paymentConfig, shippingMethods });
    });

    it('is not what a coupon no longer covers', async () => {
      const { session, code } = await atTable();
      const { bill } = await world.call('myCart', { session });
      await world.services.coupons.end(code);
      const { status, body } = await reserve(world, session, { billVersion: bill.billVersion });
      expect([status, body.errorKey]).toEqual([409, 'billChanged']);
      expect((await world.call('myCart', { session })).state).toBe('cart');
    });
  });

  it('cancelled, gives nothing back but the goods', async () => {
    const session = world.shopper();
    const code = await free();
    await add(world, session, mug);
    await visit(world, session);
    await enter(world, session, code);
    const before = await unitsOf(world.db.read, mug);
    const { body } = await reserve(world, session);
    const { orderNumber } = await world.call('order', { session, params: { id: body.orderID } });
    expect((await world.services.payments.cancelOrder(orderNumber ?? '', 'rang')).refund).toBeNull();
    expect(await unitsOf(world.db.read, mug)).toEqual(before);
  });
});
