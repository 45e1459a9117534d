import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goodPassword, mailsFor, register } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import {
  add,
  address,
  card,
  cards,
  contact,
  deliver,
  everything,
  pay,
  setUnits,
  shopperWithCart,
  unitsOf,
  visit,
} from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const tart = 'TART';

onBothEngines((engine) => {
  let testApp: TestApp;
  const payPal = new FakeProvider('PayPal');
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { paypal: payPal } });
    await sellProduct(testApp, mug);
    await sellProduct(testApp, tart, { inStoreOnly: true, taxClass: 'prepared-food' });
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });

  const orderOf = (session: Shopper, id: string) => testApp.call('order', { session, params: { id } });
  const charges = () =>
    testApp.db.read.selectFrom('house_charges').selectAll().where('state', '=', 'succeeded').execute();
  describe('card payments', () => {
    it('a card payment shows the bill, charges once and places the order', async () => {
      const before = { units: await unitsOf(testApp.db.read, mug), charges: (await charges()).length };
      const session = await shopperWithCart(testApp, mug, 2);
      const bill = await testApp.call('getBilling', { session, params: { gatewayName: '{host}' } });
      expect(bill.bill).toMatchObject({ subtotal: 6400, shipping: 1200, tax: 988, total: 8588, final: true });
      const { status, body } = await pay(testApp, session, cards.approve, {
        billVersion: bill.bill.billVersion,
      });
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
      const units = await unitsOf(testApp.db.read, mug);
      expect(units).toEqual({ ...before.units, stock: before.units.stock - 2, sold: before.units.sold + 2 });
      const made = (await charges()).slice(before.charges);
      expect(made.map(({ amount_cents }) => amount_cents)).toEqual([8588]);
      expect((await testApp.call('myCart', { session })).orderID).toBeNull();
    });

    it.each([
      [cards.decline, 402, 'TRANSACTION_ERROR', 'payment.declined'],
      [cards.numberInvalid, 422, 'VALIDATION_ERROR', 'rule.cardNumberInvalid'],
      [cards.codeInvalid, 422, 'VALIDATION_ERROR', 'rule.cardCodeInvalid'],
      [cards.notAuthorized, 401, 'AUTHORIZATION_ERROR', 'payment.notAuthorized'],
      [cards.unavailable, 503, 'SYSTEM_ERROR', 'payment.unavailable'],
    ])(
      'the card %s fails with its error and leaves the cart as it was',
      async (number, status, errorType, errorKey) => {
        const session = await shopperWithCart(testApp, mug, 3);
        const before = {
          units: await unitsOf(testApp.db.read, mug),
          cart: await testApp.call('myCart', { session }),
        };
        const answer = await pay(testApp, session, number, { billVersion: before.cart.bill.billVersion });
        expect([answer.status, answer.body.errorType, answer.body.errorKey]).toEqual([
          status,
          errorType,
          errorKey,
        ]);
        const { version, billingAddress, ...cart } = await testApp.call('myCart', { session });
        expect({ ...before.cart, ...cart }).toEqual({ ...before.cart });
        expect(version).toBeGreaterThan(before.cart.version);
        expect(await unitsOf(testApp.db.read, mug)).toEqual(before.units);
        const again = await pay(testApp, session, cards.approve, {
          billVersion: before.cart.bill.billVersion,
        });
        expect(again.status).toBe(200);
      },
    );

    it('a card payment names every invalid field of the form', async () => {
      const session = await shopperWithCart(testApp, mug);
      const before = await everything(testApp.db.read);
      const { status, body } = await testApp.ask('postBilling', {
        session,
        params: { gatewayName: 'house' },
        body: {
          paymentInstrucment: { creditCardNumber: '1', expirationMonth: 4, expirationYear: 2026 },
          billingAddress: {},
        },
      });
      expect([status, body.errorType]).toEqual([400, 'REQUEST_VALIDATION_ERROR']);
      expect(body.errors).toMatchObject({
        'paymentInstrucment.cardHolderName': 'Card holder name is missing',
        'paymentInstrucment.creditCardNumber': 'Card number is invalid',
        'paymentInstrucment.cardCode': 'Card CSV code is missing',
        'paymentInstrucment.expirationMonth': 'Card has expired',
        'billingAddress.streetNumberAndNameDetails': 'Your address is missing',
      });
      expect(await everything(testApp.db.read)).toEqual(before);
    });

    it('a payment for a bill that the shopper has not seen charges nothing', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await testApp.call('myCart', { session });
      await add(testApp, session, mug);
      const before = await everything(testApp.db.read);
      const { status, body } = await pay(testApp, session, cards.approve, { billVersion: bill.billVersion });
      expect([status, body.errorType, body.errorKey]).toEqual([409, 'CONFLICT', 'billChanged']);
      expect(await everything(testApp.db.read)).toEqual(before);
    });

    it('an unknown gateway answers 404, and an empty cart has nothing to pay', async () => {
      const session = await shopperWithCart(testApp, mug);
      for (const gatewayName of ['Stripe', 'nonsense', '__proto__']) {
        expect((await testApp.ask('getBilling', { session, params: { gatewayName } })).status).toBe(404);
      }
      const empty = testApp.shopper();
      expect(
        (await testApp.ask('getBilling', { session: empty, params: { gatewayName: '{host}' } })).status,
      ).toBe(409);
      expect((await pay(testApp, empty)).status).toBe(409);
    });

    it('a card payment works for dine-in', async () => {
      const session = testApp.shopper();
      await add(testApp, session, tart, 2);
      await visit(testApp, session, { methodName: 'instore', tableNumber: '7' });
      const { body } = await pay(testApp, session);
      expect(await orderOf(session, body.orderID ?? '')).toMatchObject({
        state: 'placed',
        inStore: true,
        tableNumber: '7',
        payment: { paid: true },
      });
    });

    it('a tea at a table is paid for without a billing address, which a pickup needs and which a table still checks', async () => {
      const session = testApp.shopper();
      await add(testApp, session, tart);
      const untyped = { billingAddress: { province: 'Ontario', countryISOCode: 'CA' } };
      await visit(testApp, session);
      expect((await pay(testApp, session, cards.approve, untyped)).body.errors).toHaveProperty([
        'billingAddress.city',
      ]);
      await visit(testApp, session, { methodName: 'instore', tableNumber: '7' });
      const half = { billingAddress: { postCode: 'N2L 0A1' } };
      expect((await pay(testApp, session, cards.approve, half)).body.errors).toHaveProperty([
        'billingAddress.city',
      ]);
      const { body } = await pay(testApp, session, cards.approve, untyped);
      expect(await orderOf(session, body.orderID ?? '')).toMatchObject({
        payment: { paid: true },
        billingAddress: null,
      });
    });
  });

  describe('repeated payments', () => {
    it.each([
      ['a double click', (bill: string) => [{ billVersion: bill }, { billVersion: bill }]],
      ['two tabs', () => [{}, {}, {}, {}]],
    ])('a payment sent by %s gives one order and one charge', async (_name, bodies) => {
      const before = { units: await unitsOf(testApp.db.read, mug), charges: (await charges()).length };
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await testApp.call('myCart', { session });
      const answers = await Promise.all(
        bodies(bill.billVersion).map((body) => pay(testApp, session, cards.approve, body)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.orderID)).size).toBe(1);
      expect((await charges()).length).toBe(before.charges + 1);
      expect((await unitsOf(testApp.db.read, mug)).sold).toBe(before.units.sold + 1);
    });

    it('a payment repeated after a lost answer gives the same order', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await testApp.call('myCart', { session });
      const first = await pay(testApp, session, cards.approve, { billVersion: bill.billVersion });
      const before = await everything(testApp.db.read);
      for (const body of [{ billVersion: bill.billVersion }, {}]) {
        expect((await pay(testApp, session, cards.approve, body)).body).toEqual(first.body);
      }
      expect(await everything(testApp.db.read)).toEqual(before);
      // A new cart is not a repetition.
      await add(testApp, session, mug);
      expect((await pay(testApp, session, cards.approve, { billVersion: bill.billVersion })).body).toEqual(
        first.body,
      );
      expect((await testApp.call('myCart', { session })).lineItems).toHaveLength(1);
    });

    it('a payment’s outcome may be reported any number of times', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { body } = await pay(testApp, session);
      const payment = await testApp.db.read
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', body.orderID ?? '')
        .executeTakeFirstOrThrow();
      const before = await everything(testApp.db.read);
      const news = { provider: 'house', reference: payment.provider_reference };
      const answers = await Promise.all([1, 2, 3].map(() => testApp.services.payables.paid(news)));
      expect(answers).toEqual(Array(3).fill({ orderID: body.orderID, refund: null, isNew: false }));
      expect(await testApp.services.payables.paid({ provider: 'house', reference: 'unknown' })).toBeNull();
      expect(await everything(testApp.db.read)).toEqual(before);
    });

    it('two devices of one customer give one order, one charge and one email', async () => {
      const customer = await register(testApp);
      const second = testApp.shopper();
      await testApp.call('signon', {
        session: second,
        body: { userID: customer.email, password: goodPassword },
      });
      await add(testApp, customer.session, mug);
      await deliver(testApp, customer.session, { contact: { ...contact, email: customer.email } });
      const { bill } = await testApp.call('myCart', { session: second });
      const before = (await charges()).length;
      const answers = await Promise.all(
        [customer.session, second, customer.session].map((session) =>
          pay(testApp, session, cards.approve, { billVersion: bill.billVersion }),
        ),
      );
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.orderID}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect((await charges()).length).toBe(before + 1);
      const mails = await mailsFor(testApp, customer.email, 'orderConfirmation');
      expect(mails).toHaveLength(1);
    });
  });

  it('a card that pays while a wallet has not answered yet ends the attempt of the wallet, and is its own', async () => {
    const session = await shopperWithCart(testApp, mug);
    const { billVersion } = (await testApp.call('myCart', { session })).bill;
    let answer = () => {};
    const asked = new Promise<void>((isAsked) => {
      payPal.around = (step, when) => {
        if (step !== 'start' || when !== 'before') return;
        isAsked();
        return new Promise<void>((resolve) => {
          answer = resolve;
        });
      };
    });
    const wallet = testApp.ask('payPalToken', { session, query: { id: billVersion } });
    await asked;
    const card = await pay(testApp, session, cards.approve, { billVersion });
    answer();
    await wallet;
    expect(card.status).toBe(200);
    const attempts = await testApp.db.read
      .selectFrom('payments')
      .select(['provider', 'state'])
      .where('order_id', '=', card.body.orderID ?? '')
      .execute();
    expect(attempts).toEqual(
      expect.arrayContaining([
        { provider: 'PayPal', state: 'failed' },
        { provider: 'house', state: 'succeeded' },
      ]),
    );
    expect(attempts).toHaveLength(2);
    expect(payPal.taken).toBe(0);
  });

  it('orders are numbered on from the shop’s last number, each number once', async () => {
    const other = await createTestApp({ engine, demo: true });
    await sellProduct(other, mug);
    const shoppers = await Promise.all([1, 2, 3].map(() => shopperWithCart(other, mug)));
    await Promise.all(shoppers.map((session) => pay(other, session)));
    const rows = await other.db.read
      .selectFrom('orders')
      .select('order_number')
      .where('customer_id', 'is', null)
      .orderBy('order_number')
      .execute();
    expect(rows.map((row) => row.order_number)).toEqual([
      'MC-2026-000204',
      'MC-2026-000205',
      'MC-2026-000206',
    ]);
    await other.services.orders.startNumbersAfter(100);
    const session = await shopperWithCart(other, mug);
    const { body } = await pay(other, session);
    expect((await other.call('order', { session, params: { id: body.orderID ?? '' } })).orderNumber).toBe(
      'MC-2026-000207',
    );
  });

  it('a billing address in another country is billed as such', async () => {
    const session = await shopperWithCart(testApp, mug);
    const billingAddress = { ...address, countryISOCode: 'US', province: 'New York', postCode: '10001' };
    const { status } = await testApp.ask('postBilling', {
      session,
      params: { gatewayName: 'house' },
      body: { paymentInstrucment: card(), billingAddress },
    });
    expect(status).toBe(200);
  });

  it('a card from a country the shop does not ship to pays, without a province where there are none', async () => {
    const bill = async (billingAddress: object) => {
      const session = await shopperWithCart(testApp, mug);
      const body = { paymentInstrucment: card(), billingAddress };
      return {
        session,
        ...(await testApp.ask('postBilling', { session, params: { gatewayName: 'house' }, body })),
      };
    };
    const paris = { streetNumberAndNameDetails: '1 rue de Rivoli', city: 'Paris', postCode: '75001' };
    const { session, status, body } = await bill({ ...paris, countryISOCode: 'FR' });
    expect(status).toBe(200);
    const placed = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
    expect(placed.billingAddress).toMatchObject({
      country: 'France',
      countryISOCode: 'FR',
      province: '',
      city: 'Paris',
    });
    expect((await bill({ ...paris, country: '法国', province: 'Paris' })).status).toBe(200);
    expect((await bill({ ...paris, countryISOCode: 'XX' })).body.errors).toEqual({
      'billingAddress.countryISOCode': 'Please choose a country from the list',
    });
    expect((await bill({ ...paris, countryISOCode: 'US' })).body.errors).toEqual({
      'billingAddress.province': 'Your state/province is missing',
    });
  });
});
