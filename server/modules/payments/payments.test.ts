import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentInstrument } from '#contract/schemas/order.ts';
import type { HouseProvider } from '#server/payments/house/house.ts';
import type { Attempt, PaymentOutcome, PaymentProvider } from '#server/payments/provider.ts';
import { goodPassword, mailsFor, register } from '#tests/accounts.ts';
import {
  add,
  address,
  card,
  cards,
  contact,
  deliver,
  everything,
  pay,
  reserve,
  setUnits,
  shopperWithCart,
  unitsOf,
  visit,
} from '#tests/shopping.ts';
import { createWorld, forEachEngine, type Shopper, testNow, type World } from '#tests/world.ts';

const mug = 'MC-CM-01-OAT';
const minute = 60_000;

forEachEngine((engine) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ engine, demo: true });
  });
  beforeEach(async () => {
    world.clock.set(testNow);
    await setUnits(world, mug, 100);
  });

  const orderOf = (session: Shopper, id: string) => world.call('order', { session, params: { id } });
  const charges = () => world.db.read.selectFrom('house_charges').selectAll().where('state', '=', 'succeeded').execute();
  const house = (): HouseProvider => {
    const provider = world.services.payments.registry.house;
    if (!provider) throw new Error('No house gateway');
    return provider;
  };
  /** Runs `work` with parts of the house gateway replaced. */
  async function withHouse<T>(change: Partial<PaymentProvider>, work: () => Promise<T>): Promise<T> {
    const provider = house();
    const before = { ...provider };
    Object.assign(provider, change);
    try {
      return await work();
    } finally {
      Object.assign(provider, before);
    }
  }
  /** What is left when the process dies before, or after, the money was taken. */
  const diesWhilePaying = (session: Shopper, charged: boolean) => {
    const { start } = house();
    const silent = async () => ({ state: 'undecided' as const });
    const dying: Partial<PaymentProvider> = {
      complete: silent,
      start: async (charge, input, keep) => {
        if (charged) await start(charge, input as PaymentInstrument, keep);
        return { state: 'undecided' };
      },
    };
    return withHouse(dying, () => pay(world, session));
  };

  describe('paying by card', () => {
    it('shows the bill, takes the money once and places the order', async () => {
      const before = { units: await unitsOf(world.db.read, mug), charges: (await charges()).length };
      const session = await shopperWithCart(world, mug, 2);
      const bill = await world.call('getBilling', { session, params: { gatewayName: '{host}' } });
      expect(bill.bill).toMatchObject({ subtotal: 6400, shipping: 1200, tax: 988, total: 8588, final: true });
      const { status, body } = await pay(world, session, cards.approve, { billVersion: bill.bill.billVersion });
      expect(status).toBe(200);
      expect(await orderOf(session, body.orderID ?? '')).toMatchObject({
        orderID: body.orderID,
        orderNumber: expect.stringMatching(/^MC-2026-\d{6}$/),
        state: 'placed',
        orderReserved: false,
        bill: bill.bill,
        placedAt: testNow,
        payment: { method: 'house', paid: true },
        billingAddress: { city: 'Waterloo', province: 'Ontario' },
        shippingMethod: 'ca-standard',
        lineItems: [{ sku: mug, quantity: 2, unitPrice: 3200, inventoryProcessingStatus: 'processed' }],
      });
      const units = await unitsOf(world.db.read, mug);
      expect(units).toEqual({ ...before.units, stock: before.units.stock - 2, sold: before.units.sold + 2 });
      const made = (await charges()).slice(before.charges);
      expect(made.map(({ amount_cents }) => amount_cents)).toEqual([8588]);
      expect((await world.call('myCart', { session })).orderID).toBeNull();
    });

    it.each([
      [cards.decline, 402, 'TRANSACTION_ERROR', 'payment.declined'],
      [cards.numberInvalid, 422, 'VALIDATION_ERROR', 'rule.cardNumberInvalid'],
      [cards.codeInvalid, 422, 'VALIDATION_ERROR', 'rule.cardCodeInvalid'],
      [cards.notAuthorized, 401, 'AUTHORIZATION_ERROR', 'payment.notAuthorized'],
      [cards.unavailable, 503, 'SYSTEM_ERROR', 'payment.unavailable'],
    ])('%s fails with its error, and the cart is as it was', async (number, status, errorType, errorKey) => {
      const session = await shopperWithCart(world, mug, 3);
      const before = { units: await unitsOf(world.db.read, mug), cart: await world.call('myCart', { session }) };
      const answer = await pay(world, session, number, { billVersion: before.cart.bill.billVersion });
      expect([answer.status, answer.body.errorType, answer.body.errorKey]).toEqual([status, errorType, errorKey]);
      const { version, billingAddress, ...cart } = await world.call('myCart', { session });
      expect({ ...before.cart, ...cart }).toEqual({ ...before.cart });
      expect(version).toBeGreaterThan(before.cart.version);
      expect(await unitsOf(world.db.read, mug)).toEqual(before.units);
      const again = await pay(world, session, cards.approve, { billVersion: before.cart.bill.billVersion });
      expect(again.status).toBe(200);
    });

    it('says everything that is wrong with the form', async () => {
      const session = await shopperWithCart(world, mug);
      const before = await everything(world.db.read);
      const { status, body } = await world.ask('postBilling', {
        session,
        params: { gatewayName: 'house' },
        body: { paymentInstrucment: { creditCardNumber: '1', expirationMonth: 4, expirationYear: 2026 }, billingAddress: {} },
      });
      expect([status, body.errorType]).toEqual([400, 'REQUEST_VALIDATION_ERROR']);
      expect(body.errors).toMatchObject({
        'paymentInstrucment.cardHolderName': 'Card holder name is missing',
        'paymentInstrucment.creditCardNumber': 'Card number is invalid',
        'paymentInstrucment.cardCode': 'Card CSV code is missing',
        'paymentInstrucment.expirationMonth': 'Card has expired',
        'billingAddress.streetNumberAndNameDetails': 'Your address is missing',
      });
      expect(await everything(world.db.read)).toEqual(before);
    });

    it('charges nothing when the bill is another than the one seen', async () => {
      const session = await shopperWithCart(world, mug);
      const { bill } = await world.call('myCart', { session });
      await add(world, session, mug);
      const before = await everything(world.db.read);
      const { status, body } = await pay(world, session, cards.approve, { billVersion: bill.billVersion });
      expect([status, body.errorType, body.errorKey]).toEqual([409, 'CONFLICT', 'billChanged']);
      expect(await everything(world.db.read)).toEqual(before);
    });

    it('knows no other gateway, and nothing to pay without a cart', async () => {
      const session = await shopperWithCart(world, mug);
      for (const gatewayName of ['Stripe', 'nonsense', '__proto__']) {
        expect((await world.ask('getBilling', { session, params: { gatewayName } })).status).toBe(404);
      }
      const empty = world.shopper();
      expect((await world.ask('getBilling', { session: empty, params: { gatewayName: '{host}' } })).status).toBe(409);
      expect((await pay(world, empty)).status).toBe(409);
    });

    it('works at the table too', async () => {
      const session = world.shopper();
      await add(world, session, 'MC-SW-02', 2);
      await visit(world, session, { methodName: 'instore', tableNumber: '7' });
      const { body } = await pay(world, session);
      expect(await orderOf(session, body.orderID ?? '')).toMatchObject({
        state: 'placed',
        inStore: true,
        tableNumber: '7',
        payment: { paid: true },
      });
    });
  });

  describe('paying twice', () => {
    it.each([
      ['a double click', (bill: string) => [{ billVersion: bill }, { billVersion: bill }]],
      ['two tabs', () => [{}, {}, {}, {}]],
    ])('%s: one order, one charge', async (_name, bodies) => {
      const before = { units: await unitsOf(world.db.read, mug), charges: (await charges()).length };
      const session = await shopperWithCart(world, mug);
      const { bill } = await world.call('myCart', { session });
      const answers = await Promise.all(bodies(bill.billVersion).map((body) => pay(world, session, cards.approve, body)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.orderID)).size).toBe(1);
      expect((await charges()).length).toBe(before.charges + 1);
      expect((await unitsOf(world.db.read, mug)).sold).toBe(before.units.sold + 1);
    });

    it('sent again after a lost answer: the same order', async () => {
      const session = await shopperWithCart(world, mug);
      const { bill } = await world.call('myCart', { session });
      const first = await pay(world, session, cards.approve, { billVersion: bill.billVersion });
      const before = await everything(world.db.read);
      for (const body of [{ billVersion: bill.billVersion }, {}]) {
        expect((await pay(world, session, cards.approve, body)).body).toEqual(first.body);
      }
      expect(await everything(world.db.read)).toEqual(before);
      // A new cart is no repetition.
      await add(world, session, mug);
      expect((await pay(world, session, cards.approve, { billVersion: bill.billVersion })).body).toEqual(first.body);
      expect((await world.call('myCart', { session })).lineItems).toHaveLength(1);
    });

    it('the news of a payment may come any number of times', async () => {
      const session = await shopperWithCart(world, mug);
      const { body } = await pay(world, session);
      const payment = await world.db.read
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', body.orderID ?? '')
        .executeTakeFirstOrThrow();
      const before = await everything(world.db.read);
      const news = { provider: 'house', reference: payment.provider_reference };
      const answers = await Promise.all([1, 2, 3].map(() => world.services.orders.completeOrder(news)));
      expect(answers).toEqual(Array(3).fill({ orderID: body.orderID, refund: null }));
      expect(await world.services.orders.completeOrder({ provider: 'house', reference: 'unknown' })).toBeNull();
      expect(await everything(world.db.read)).toEqual(before);
    });

    it('two devices of one customer: one order, one charge, one mail', async () => {
      const customer = await register(world);
      const second = world.shopper();
      await world.call('signon', { session: second, body: { userID: customer.email, password: goodPassword } });
      await add(world, customer.session, mug);
      await deliver(world, customer.session, { contact: { ...contact, email: customer.email } });
      const { bill } = await world.call('myCart', { session: second });
      const before = (await charges()).length;
      const answers = await Promise.all(
        [customer.session, second, customer.session].map((session) =>
          pay(world, session, cards.approve, { billVersion: bill.billVersion }),
        ),
      );
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.orderID}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect((await charges()).length).toBe(before + 1);
      const mails = await mailsFor(world, customer.email, 'orderConfirmation');
      expect(mails).toHaveLength(1);
    });
  });

  describe('a cart that is being paid', () => {
    const change: [string, (session: Shopper) => Promise<{ status: number }>][] = [
      ['something is put in', (session) => add(world, session, mug)],
      ['it is to be fetched instead', (session) => visit(world, session)],
      ['it is to be paid at the store', async (session) => (await visit(world, session), reserve(world, session))],
    ];

    it.each(change)('is given back when %s, and the attempt takes no money', async (_name, act) => {
      await world.services.editor.setStock(mug, 'toronto-queen-west', 10);
      const session = await shopperWithCart(world, mug);
      const { start } = house();
      const before = (await charges()).length;
      let meanwhile: { status: number } | null = null;
      const slow: Partial<PaymentProvider> = {
        start: async (charge, input, keep) => {
          const order = await world.call('myCart', { session });
          expect(order).toMatchObject({ state: 'paying', lineItems: [{ inventoryProcessingStatus: 'processing' }] });
          meanwhile = await act(session);
          return start(charge, input as PaymentInstrument, keep);
        },
      };
      const paid = await withHouse(slow, () => pay(world, session));
      expect([paid.status, paid.body.errorKey]).toEqual([402, 'payment.attemptEnded']);
      expect(meanwhile).toMatchObject({ status: 200 });
      expect((await charges()).length).toBe(before);
    });

    it.each(change.slice(0, 2))('is an order where it is too late when %s', async (name, act) => {
      const session = await shopperWithCart(world, mug);
      const { orderID } = await world.call('myCart', { session });
      await diesWhilePaying(session, true);
      const { status } = await act(session);
      expect(await orderOf(session, orderID ?? '')).toMatchObject({ state: 'placed', lineItems: [{ quantity: 1 }] });
      // What is put in goes into a new cart; a choice for a cart that is no more is refused.
      expect(status).toBe(name === 'something is put in' ? 200 : 409);
    });

    it('stays so while its provider cannot be reached', async () => {
      const session = await shopperWithCart(world, mug);
      await diesWhilePaying(session, false);
      const deaf = async () => ({ state: 'undecided' as const });
      const answer = await withHouse({ cancel: deaf }, () => add(world, session, mug));
      expect([answer.status, answer.body.errorKey]).toEqual([409, 'payment.inProgress']);
      expect((await add(world, session, mug)).status).toBe(200);
    });

    it('is given back by giving up, as often as one does', async () => {
      const session = await shopperWithCart(world, mug);
      await diesWhilePaying(session, false);
      for (const _twice of [1, 2])
        expect(await world.call('cancelPayment', { session, body: {} })).toMatchObject({
          state: 'cart',
          lineItems: [{ quantity: 1 }],
        });
      expect((await world.call('cancelPayment', { session: world.shopper() })).orderID).toBeNull();
    });

    it('is the order, where giving up comes too late', async () => {
      const session = await shopperWithCart(world, mug);
      await diesWhilePaying(session, true);
      expect(await world.call('cancelPayment', { session })).toMatchObject({ state: 'placed', payment: { paid: true } });
    });
  });

  describe('when the answer is lost', () => {
    it('it is asked for once more', async () => {
      const session = await shopperWithCart(world, mug);
      const { status, body } = await pay(world, session, cards.answerLost);
      expect(status).toBe(200);
      expect((await orderOf(session, body.orderID ?? '')).state).toBe('placed');
    });

    it('money that was taken places the order at the next look', async () => {
      const session = await shopperWithCart(world, mug);
      const { bill } = await world.call('myCart', { session });
      const lost = await diesWhilePaying(session, true);
      expect([lost.status, lost.body.errorType]).toEqual([503, 'SYSTEM_ERROR']);
      await world.services.payments.reconcile();
      const again = await pay(world, session, cards.approve, { billVersion: bill.billVersion });
      expect((await orderOf(session, again.body.orderID ?? '')).state).toBe('placed');
    });

    it('the shopper may simply try again', async () => {
      const before = (await charges()).length;
      const session = await shopperWithCart(world, mug);
      await diesWhilePaying(session, true);
      const again = await pay(world, session);
      expect(again.status).toBe(200);
      expect((await charges()).length).toBe(before + 1);
    });

    it('an attempt that came to nothing gives the cart back after a minute', async () => {
      const session = await shopperWithCart(world, mug);
      const { stock } = await unitsOf(world.db.read, mug);
      await diesWhilePaying(session, false);
      await world.services.payments.reconcile();
      expect((await world.call('myCart', { session })).state).toBe('paying');
      expect((await unitsOf(world.db.read, mug)).stock).toBe(stock - 1);
      world.clock.advance(minute);
      await world.services.payments.reconcile();
      expect(await world.call('myCart', { session })).toMatchObject({ state: 'cart', lineItems: [{ quantity: 1 }] });
      expect((await unitsOf(world.db.read, mug)).stock).toBe(stock);
      expect((await pay(world, session)).status).toBe(200);
    });
  });

  describe('a hold that runs out', () => {
    const deaf: Partial<PaymentProvider> = {
      complete: async () => ({ state: 'undecided' }),
      cancel: async () => ({ state: 'undecided' }),
    };

    it('gives goods and time back, and the shopper a cart like it', async () => {
      const session = world.shopper();
      await world.services.editor.setStock(mug, 'toronto-queen-west', 10);
      await add(world, session, mug, 2);
      await visit(world, session);
      const at = testNow + 4 * 60 * minute;
      await world.call('orderPickupDate', { session, body: { pickupDate: at } });
      const { orderID } = await world.call('myCart', { session });
      const before = await unitsOf(world.db.read, mug);
      const taken = async () =>
        (await world.db.read.selectFrom('pickup_slots').select('taken').where('slot_at', '=', at).executeTakeFirst())?.taken ?? 0;
      const placesBefore = await taken();
      await diesWhilePaying(session, false);
      expect(await taken()).toBe(placesBefore + 1);
      world.clock.advance(15 * minute);
      await withHouse(deaf, () => world.services.payments.reconcile());
      expect(await unitsOf(world.db.read, mug)).toEqual(before);
      expect(await taken()).toBe(placesBefore);
      const cart = await world.call('myCart', { session });
      expect(cart).toMatchObject({ state: 'cart', method: 'pickup', pickupDate: at, lineItems: [{ sku: mug, quantity: 2 }] });
      expect(cart.orderID).not.toBe(orderID);
    });

    it('is given back at once to somebody who wants the goods', async () => {
      await setUnits(world, mug, 1);
      await diesWhilePaying(await shopperWithCart(world, mug), false);
      world.clock.advance(15 * minute);
      const other = await add(world, world.shopper(), mug);
      expect([other.status, other.body.lineItems[0]?.obtainable]).toEqual([200, 1]);
      await setUnits(world, mug, 0);
      expect((await add(world, world.shopper(), mug)).status).toBe(409);
    });

    it('money that comes later still places the order while the goods are there', async () => {
      const session = await shopperWithCart(world, mug, 2);
      const { orderID } = await world.call('myCart', { session });
      const before = await unitsOf(world.db.read, mug);
      await diesWhilePaying(session, true);
      world.clock.advance(15 * minute);
      await world.services.orders.lapseDue();
      expect(await world.call('myCart', { session })).toMatchObject({ lineItems: [{ quantity: 2 }] });
      await world.services.payments.reconcile();
      expect((await orderOf(session, orderID ?? '')).state).toBe('placed');
      expect(await unitsOf(world.db.read, mug)).toEqual({ ...before, stock: before.stock - 2, sold: before.sold + 2 });
      // The cart that took its place is gone with it: nobody buys the same twice by mistake.
      expect((await world.call('myCart', { session })).lineItems).toEqual([]);
    });

    it('money that comes too late for the goods is given back', async () => {
      const session = await shopperWithCart(world, mug, 2);
      const { orderID } = await world.call('myCart', { session });
      await diesWhilePaying(session, true);
      world.clock.advance(15 * minute);
      await world.services.orders.lapseDue();
      await setUnits(world, mug, 1);
      await settleLate(orderID ?? '');
      await world.services.payments.reconcile();
      expect((await world.ask('order', { session, params: { id: orderID ?? '' } })).status).toBe(404);
      const { provider_reference } = await paymentOf(orderID ?? '');
      const charge = (await charges()).find(({ reference }) => reference === provider_reference);
      expect(charge?.refunded_cents).toBe(charge?.amount_cents);
      expect((await paymentOf(orderID ?? '')).state).toBe('refunded');
      expect((await unitsOf(world.db.read, mug)).stock).toBe(1);
    });

    const paymentOf = (orderId: string) =>
      world.db.read.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow();
    /** What a provider's webhook will do. */
    const settleLate = async (orderId: string) => {
      const { provider_reference } = await paymentOf(orderId);
      await world.services.orders.completeOrder({ provider: 'house', reference: provider_reference });
    };
  });

  it('numbers orders on from where the shop stood, each once', async () => {
    const other = await createWorld({ engine, demo: true });
    const shoppers = await Promise.all([1, 2, 3].map(() => shopperWithCart(other, mug)));
    await Promise.all(shoppers.map((session) => pay(other, session)));
    const rows = await other.db.read
      .selectFrom('orders')
      .select('order_number')
      .where('customer_id', 'is', null)
      .orderBy('order_number')
      .execute();
    expect(rows.map((row) => row.order_number)).toEqual(['MC-2026-000204', 'MC-2026-000205', 'MC-2026-000206']);
    await other.services.orders.startNumbersAfter(100);
    const session = await shopperWithCart(other, mug);
    const { body } = await pay(other, session);
    expect((await other.call('order', { session, params: { id: body.orderID ?? '' } })).orderNumber).toBe('MC-2026-000207');
  });

  it('one payment that cannot be settled does not keep others from it', async () => {
    const stuck = await shopperWithCart(world, mug);
    const other = await shopperWithCart(world, mug);
    const stuckId = (await world.call('myCart', { session: stuck })).orderID;
    await diesWhilePaying(stuck, false);
    await diesWhilePaying(other, false);
    world.clock.advance(minute);
    const { reference } = (await world.services.orders.payments.undecided()).find(({ orderId }) => orderId === stuckId) ?? {
      reference: '',
    };
    const complete = async (asked: Attempt) => {
      // What cannot be written down.
      if (asked.reference === reference) return { state: 'failed', failure: { errorKey: {} } } as unknown as PaymentOutcome;
      return { state: 'undecided' as const };
    };
    await withHouse({ complete }, () =>
      expect(world.services.payments.reconcile()).rejects.toThrow('1 payments could not be settled'),
    );
    expect((await world.call('myCart', { session: stuck })).state).toBe('paying');
    expect((await world.call('myCart', { session: other })).state).toBe('cart');
    await world.services.payments.reconcile();
    expect((await world.call('myCart', { session: stuck })).state).toBe('cart');
  });

  it('an address in another country is billed as such', async () => {
    const session = await shopperWithCart(world, mug);
    const billingAddress = { ...address, countryISOCode: 'US', province: 'New York', postCode: '10001' };
    const { status } = await world.ask('postBilling', {
      session,
      params: { gatewayName: 'house' },
      body: { paymentInstrucment: card(), billingAddress },
    });
    expect(status).toBe(200);
  });
});
