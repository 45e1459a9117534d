import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { register } from '#tests/accounts.ts';
import { enter, issueCoupon, usesOf } from '#tests/coupons.ts';
import { sellProduct } from '#tests/products.ts';
import { add, cards, contact, deliver, pay, reserve, setUnits, visit } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const minute = 60_000;
const day = 24 * 60 * minute;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 500);
  });

  /** A separate network per test, so that wrong codes of one test do not rate limit another. */
  let places = 0;
  const fromElsewhere = () => {
    places += 1;
    return { 'x-forwarded-for': `198.51.${places >> 8}.${places & 255}` };
  };
  const type = (session: Shopper, code: string, lang: 'en' | 'zh' = 'en') =>
    enter(testApp, session, code, { lang, headers: fromElsewhere() });
  const cartOf = (session: Shopper) => testApp.call('myCart', { session });
  const withEmail = async (email: string, quantity = 1) => {
    const session = testApp.shopper();
    await add(testApp, session, mug, quantity);
    await deliver(testApp, session, { contact: { ...contact, email } });
    return session;
  };
  let people = 0;
  const someone = (quantity = 1) => {
    people += 1;
    return withEmail(`shopper${people}@example.com`, quantity);
  };
  const billVersionOf = async (session: Shopper) => (await cartOf(session)).bill.billVersion;

  it('a call that names no bill charges only the bill that its shopper was last given', async () => {
    const code = await issueCoupon(testApp, { totalLimit: 6 });
    const sessions: Shopper[] = [];
    for (let n = 0; n < 12; n++) {
      const session = await someone();
      expect((await type(session, code)).status).toBe(200);
      sessions.push(session);
    }
    const answers = await Promise.all(sessions.map((session) => pay(testApp, session)));
    const refused = sessions.filter((_, n) => answers[n]?.status !== 200);
    expect(answers.map(({ status, body }) => (status === 200 ? status : body.errorKey)).sort()).toEqual([
      ...Array(6).fill(200),
      ...Array(6).fill('billChanged'),
    ]);
    const [session = testApp.shopper()] = refused;
    expect((await pay(testApp, session)).body.errorKey).toBe('billChanged');
    const { bill } = await testApp.call('getBilling', { session, params: { gatewayName: '{host}' } });
    expect(bill.discount).toBe(0);
    expect((await pay(testApp, session, cards.decline)).status).toBe(402);
    expect((await pay(testApp, session)).status).toBe(200);
  });

  describe.runIf(engine === 'sqlite')('promo codes', () => {
    it('a promo code is applied however it is written, and can be removed', async () => {
      const code = await issueCoupon(testApp, { code: 'Ten-Off' });
      const session = await someone(2);
      const before = await cartOf(session);
      for (const written of ['ten-off', ' TEN-OFF ', 'ｔｅｎ-off', 'Ten-Off']) {
        const { status, body } = await type(session, written);
        expect([status, body.status]).toEqual([200, 'success']);
        expect(body.order.bill).toMatchObject({
          subtotal: 6400,
          discount: 640,
          couponCode: code,
          coupon: { code, kind: 'percent', state: 'applied', message: '', nameContent: { zh: '全场九折' } },
          tax: 905,
          total: 5760 + 1200 + 905,
        });
      }
      const after = await testApp.call('removeCoupon', { session, body: {} });
      expect(after.bill).toEqual(before.bill);
      const again = await testApp.call('removeCoupon', { session });
      expect(again.version).toBe(after.version);
    });

    it('a promo code replaces another one', async () => {
      const session = await someone();
      await type(session, 'WELCOME10');
      const other = await issueCoupon(testApp, { kind: 'amount', percent: 0, amount: 500 });
      expect((await type(session, other)).body.order.bill).toMatchObject({
        discount: 500,
        couponCode: other,
      });
    });

    it('an unknown promo code is reported in both languages and leaves the cart alone', async () => {
      const session = await someone();
      await type(session, 'WELCOME10');
      const before = await cartOf(session);
      expect(await type(session, 'nope')).toMatchObject({
        status: 404,
        body: {
          errorType: 'NOT_FOUND',
          errorKey: 'coupon.refused.unknown',
          message: 'Code “nope” isn’t valid. Check the spelling.',
          errors: { code: 'Code “nope” isn’t valid. Check the spelling.' },
        },
      });
      expect((await type(session, 'nope', 'zh')).body.message).toBe('优惠码“nope”无效，请核对后重试');
      expect(await cartOf(session)).toEqual(before);
    });

    it('an empty promo code is reported', async () => {
      const { status, body } = await type(await someone(), '  ');
      expect([status, body.errors]).toEqual([400, { code: 'Promo code is missing' }]);
    });

    it('a promo code needs an item in the cart', async () => {
      const { status, body } = await type(testApp.shopper(), 'WELCOME10');
      expect([status, body.errorKey]).toEqual([409, 'rule.cartEmpty']);
    });

    it('a promo code is valid from its start and until just before its end', async () => {
      const code = await issueCoupon(testApp, { startsAt: testNow, endsAt: testNow + day });
      const session = await someone();
      testApp.clock.set(testNow - 1);
      expect((await type(session, code)).body.message).toBe(`Code ${code} is valid from May 16, 2026`);
      testApp.clock.set(testNow);
      expect((await type(session, code)).status).toBe(200);
      testApp.clock.set(testNow + day - 1);
      expect((await cartOf(session)).bill.discount).toBe(320);
      testApp.clock.set(testNow + day);
      expect((await type(session, code)).body.message).toBe(`Code ${code} has expired`);
      // Still on the cart, and the bill says why it has no effect.
      expect((await cartOf(session)).bill).toMatchObject({
        discount: 0,
        couponCode: null,
        coupon: { code, state: 'expired', message: `Code ${code} has expired` },
      });
    });

    it('a promo code below its minimum says how much is missing', async () => {
      const code = await issueCoupon(testApp, { minSubtotal: 10_000 });
      const session = await someone(3);
      const { status, body } = await type(session, code);
      expect([status, body.message]).toEqual([
        409,
        `Code ${code} needs a $100.00 minimum. Add $4.00 more to use it.`,
      ]);
      await add(testApp, session, mug);
      expect((await type(session, code)).body.order.bill.discount).toBe(1280);
      const less = await testApp.call('updateCartItem', {
        session,
        params: { itemName: mug },
        body: { quantity: 1 },
        lang: 'zh',
      });
      expect(less.bill).toMatchObject({
        discount: 0,
        coupon: { state: 'minimum', message: `优惠码 ${code} 需商品满 $100.00，还差 $68.00` },
      });
    });

    it('a promo code applies to exactly its minimum', async () => {
      const session = await someone(3);
      const { subtotal } = (await cartOf(session)).bill;
      const code = await issueCoupon(testApp, { minSubtotal: subtotal });
      const { body } = await type(session, code);
      expect(body.order.bill).toMatchObject({ couponCode: code, discount: subtotal / 10 });
    });

    it('a promo code for free shipping makes the cheapest eligible method free, and applies only to shipping', async () => {
      const session = await someone(2);
      const { body } = await type(session, 'SHIPFREE');
      expect(body.order.bill).toMatchObject({
        discount: 0,
        shipping: 0,
        shippingSaved: 1200,
        coupon: { kind: 'freeShipping', state: 'applied' },
        tax: 832,
        total: 7232,
      });
      const methods = await testApp.call('shippingMethods', {
        session,
        query: { country: 'CA', province: 'Ontario' },
      });
      expect(methods.map(({ id, price }) => [id, price])).toEqual([
        ['ca-standard', 0],
        ['ca-express', 2200],
      ]);
      const abroad = { countryISOCode: 'US', province: 'New York', city: 'Albany', postCode: '12207' };
      const { body: moved } = await deliver(testApp, session, {
        address: { streetNumberAndNameDetails: '1 State Street', ...abroad },
      });
      expect(moved.bill).toMatchObject({ shipping: 2400, shippingSaved: 0, coupon: { state: 'elsewhere' } });
    });

    it('guesses of promo codes meet growing pauses, and a known code does not offset wrong ones', async () => {
      const session = await someone();
      const here = { headers: { 'x-forwarded-for': '203.0.113.9' } };
      for (let n = 1; n < 5; n++) expect((await enter(testApp, session, `guess${n}`, here)).status).toBe(404);
      for (let n = 0; n < 10; n++)
        expect((await enter(testApp, session, 'WELCOME10', here)).status).toBe(200);
      expect((await enter(testApp, session, 'guess5', here)).status).toBe(404);
      const paused = await enter(testApp, session, 'WELCOME10', here);
      expect([paused.status, paused.body.errorType, paused.headers['retry-after']]).toEqual([
        429,
        'RATE_LIMITED',
        '2',
      ]);
      testApp.clock.advance(2000);
      expect((await enter(testApp, session, 'guess6', here)).status).toBe(404);
      testApp.clock.advance(2000);
      expect((await enter(testApp, session, 'WELCOME10', here)).status).toBe(429);
      // A new cart does not reset the limit: the network is counted too.
      let wrong = 0;
      for (let n = 0; n < 60; n++) {
        const fresh = n % 4 === 0 ? await someone() : null;
        if (fresh && (await enter(testApp, fresh, `more${n}`, here)).status === 404) wrong += 1;
        if (fresh)
          for (const extra of [1, 2, 3])
            if ((await enter(testApp, fresh, `more${n}-${extra}`, here)).status === 404) wrong += 1;
      }
      expect(wrong).toBeLessThan(40);
    });
  });

  describe('coupon uses', () => {
    it('a coupon use is held while the order is paid, final with the order, and released on failure', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 1 });
      const session = await someone();
      await type(session, code);
      expect(await usesOf(testApp, code)).toEqual({ used: 0, held: 0, final: 0 });
      expect((await pay(testApp, session, cards.decline)).status).toBe(402);
      expect(await usesOf(testApp, code)).toEqual({ used: 0, held: 0, final: 0 });
      expect((await cartOf(session)).bill).toMatchObject({ discount: 320, coupon: { state: 'applied' } });
      const { body } = await pay(testApp, session);
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 0, final: 1 });
      const order = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      expect(order.bill).toMatchObject({
        discount: 320,
        couponCode: code,
        coupon: { code, state: 'applied' },
      });
      const other = await someone();
      expect((await type(other, code)).body.message).toBe(`Code ${code} has reached its usage limit`);
    });

    it('a coupon use of an order reserved at the store is final at once', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 1 });
      const session = testApp.shopper();
      await setUnits(testApp, mug, 9, 'toronto-queen-west');
      await add(testApp, session, mug);
      await visit(testApp, session);
      await type(session, code);
      expect((await reserve(testApp, session)).status).toBe(200);
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 0, final: 1 });
    });

    it('a coupon use is released when the order is cancelled', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 1 });
      const session = await someone();
      await type(session, code);
      const { body } = await pay(testApp, session);
      const { orderNumber } = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      await testApp.services.fulfilment.cancel(orderNumber ?? '', 'the shopper rang');
      expect(await usesOf(testApp, code)).toEqual({ used: 0, held: 0, final: 0 });
      expect((await type(await someone(), code)).status).toBe(200);
    });

    it('a coupon use held by a pending payment is released when the shopper goes back to the cart', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 1, customerLimit: 1 });
      const session = await someone();
      await type(session, code);
      await beginOnly(session);
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 1, final: 0 });
      const { status, body } = await type(session, code);
      expect([status, body.order.state, body.order.bill.couponCode]).toEqual([200, 'cart', code]);
      expect(await usesOf(testApp, code)).toEqual({ used: 0, held: 0, final: 0 });
    });

    it('a coupon use is released when the hold expires, and taken again if the money arrives after all', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 1 });
      const session = await someone();
      await type(session, code);
      const begun = await beginOnly(session);
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 1, final: 0 });
      expect((await type(await someone(), code)).body.errorKey).toBe('coupon.refused.usedUp');
      testApp.clock.advance(16 * minute);
      await testApp.services.holds.expireHolds();
      expect(await usesOf(testApp, code)).toEqual({ used: 0, held: 0, final: 0 });
      const done = await testApp.services.payables.paid(begun);
      expect(done?.refund).toBeNull();
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 0, final: 1 });
    });

    it('late money is refunded if somebody else has taken the coupon use meanwhile', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 1 });
      const [late, quick] = [await someone(), await someone()];
      await type(late, code);
      const begun = await beginOnly(late);
      testApp.clock.advance(16 * minute);
      // Entering the code releases the use of the abandoned payment.
      expect((await type(quick, code)).status).toBe(200);
      expect(
        (await pay(testApp, quick, cards.approve, { billVersion: await billVersionOf(quick) })).status,
      ).toBe(200);
      const done = await testApp.services.payables.paid(begun);
      expect(done?.refund).not.toBeNull();
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 0, final: 1 });
    });

    it('a customer’s coupon use counts on any device and with any email', async () => {
      const code = await issueCoupon(testApp, { customerLimit: 1 });
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      expect((await type(session, code)).status).toBe(200);
      expect((await pay(testApp, session)).status).toBe(200);
      await add(testApp, session, mug);
      expect((await type(session, code)).body.message).toBe(`You’ve already used code ${code}`);
      await deliver(testApp, session, { contact: { ...contact, email: 'someone.else@example.com' } });
      expect((await type(session, code)).body.errorKey).toBe('coupon.refused.usedByYou');
      // The same person as a guest, by email.
      const guest = await withEmail(` ${email.toUpperCase()} `);
      expect((await type(guest, code)).body.errorKey).toBe('coupon.refused.usedByYou');
      expect((await type(await someone(), code)).status).toBe(200);
    });

    it('a guest’s coupon use counts by email, and is checked once the email is given', async () => {
      const code = await issueCoupon(testApp, { customerLimit: 1 });
      const first = await withEmail('twice@example.com');
      await type(first, code);
      expect((await pay(testApp, first)).status).toBe(200);
      const second = testApp.shopper();
      await add(testApp, second, mug);
      // The buyer is not known yet.
      expect((await type(second, code)).status).toBe(200);
      const { body } = await deliver(testApp, second, {
        contact: { ...contact, email: 'Twice@Example.com' },
      });
      expect(body.bill).toMatchObject({ discount: 0, coupon: { state: 'usedByYou' } });
    });

    it('a coupon’s limit per customer counts mailboxes, however an address tags or dots its name', async () => {
      const code = await issueCoupon(testApp, { customerLimit: 1 });
      const first = await withEmail('first.name+1@Gmail.com');
      await type(first, code);
      expect((await pay(testApp, first)).status).toBe(200);
      for (const email of ['first.name+2@gmail.com', 'FirstName@googlemail.com'])
        expect((await type(await withEmail(email), code)).body.errorKey).toBe('coupon.refused.usedByYou');
      for (const email of ['first@gmail.com', 'first.name@example.com', 'firstname@example.com'])
        expect((await type(await withEmail(email), code)).status).toBe(200);
      // Of an order from before: the hash of the address as it was typed.
      const old = await issueCoupon(testApp, { customerLimit: 1 });
      const email_hash = createHash('sha256').update('kept+tag@example.com').digest('hex');
      const { orderID } = await cartOf(await someone());
      const row = {
        order_id: orderID ?? '',
        code_key: old,
        customer_id: null,
        email_hash,
        state: 'used',
        taken_at: 0,
      };
      await testApp.db.transaction((trx) => trx.insertInto('coupon_uses').values(row).execute());
      expect((await type(await withEmail('Kept+tag@example.com'), old)).body.errorKey).toBe(
        'coupon.refused.usedByYou',
      );
    });

    it('a coupon with a limit per customer counts by email and requires one', async () => {
      const other = await createTestApp({ engine, demo: true });
      await sellProduct(other, mug);
      const { checkoutConfig } = await other.services.settings.all();
      await other.services.settings.update({ checkoutConfig: { ...checkoutConfig, requireEmail: false } });
      const code = await issueCoupon(other, { customerLimit: 1 });
      const session = other.shopper();
      await add(other, session, mug);
      await enter(other, session, code);
      const { body } = await deliver(other, session, {
        contact: { firstName: 'Mei', lastName: 'Chen', phoneNumber: '416-555-0100' },
      });
      expect(body.bill.coupon).toMatchObject({ state: 'emailMissing' });
      const paid = await pay(other, session, cards.approve, { billVersion: body.bill.billVersion });
      expect(paid.status).toBe(200);
      expect(await usesOf(other, code)).toEqual({ used: 0, held: 0, final: 0 });
    });

    it('a coupon use wanted by two carts of one person goes to one', async () => {
      const code = await issueCoupon(testApp, { customerLimit: 1 });
      const carts = [await withEmail('both@example.com'), await withEmail('both@example.com')];
      const seen: string[] = [];
      for (const session of carts) seen.push((await type(session, code)).body.order.bill.billVersion);
      const answers = await Promise.all(
        carts.map((session, index) => pay(testApp, session, cards.approve, { billVersion: seen[index] })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.errorKey).toBe('billChanged');
      expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 0, final: 1 });
    });

    it('the last coupon use, wanted by twenty who pay at once, goes to exactly one', async () => {
      const code = await issueCoupon(testApp, { totalLimit: 3 });
      for (let n = 0; n < 2; n++) {
        const session = await someone();
        await type(session, code);
        expect((await pay(testApp, session)).status).toBe(200);
      }
      const shoppers = await Promise.all(Array.from({ length: 20 }, () => someone()));
      const seen = await Promise.all(
        shoppers.map(async (session) => {
          expect((await type(session, code)).status).toBe(200);
          return billVersionOf(session);
        }),
      );
      const answers = await Promise.all(
        shoppers.map((session, index) => pay(testApp, session, cards.approve, { billVersion: seen[index] })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const asked = answers.filter(({ status }) => status === 409);
      expect(asked).toHaveLength(19);
      for (const { body } of asked) expect(body.errorKey).toBe('billChanged');
      expect(await usesOf(testApp, code)).toEqual({ used: 3, held: 0, final: 3 });
      // A conflict, not a failure: a customer who accepts the new bill gets the order without the coupon.
      const loser = shoppers[answers.findIndex(({ status }) => status === 409)] as Shopper;
      const { bill } = await cartOf(loser);
      expect(bill).toMatchObject({ discount: 0, couponCode: null, coupon: { code, state: 'usedUp' } });
      const { status, body } = await pay(testApp, loser, cards.approve, { billVersion: bill.billVersion });
      expect(status).toBe(200);
      const placed = await testApp.call('order', { session: loser, params: { id: body.orderID ?? '' } });
      expect(placed.bill).toMatchObject({ discount: 0, couponCode: null, coupon: null });
    });
  });

  /** Begins to pay, and never answers the bank's challenge. */
  async function beginOnly(session: Shopper): Promise<{ provider: string; reference: string }> {
    const { body } = await pay(testApp, session, cards.challenge);
    expect(body.action).not.toBeNull();
    const payment = await testApp.db.read
      .selectFrom('payments')
      .selectAll()
      .where('state', '=', 'pending')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    return { provider: payment.provider, reference: payment.provider_reference };
  }
});
