/** The answer of `myCart` shows each change at the next request, whichever process makes it. */
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { openDatabase } from '#db/database.ts';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import type { ProductInput } from '#server/modules/catalogue/index.ts';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { asMerchant, type MerchantServices } from '#tests/as-merchant.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { plainProduct, sellMugInColours, sellProduct } from '#tests/products.ts';
import { add, cards, deliver, pay, setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const day = 24 * 3_600_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  let theirApp: FastifyInstance;
  let theirs: MerchantServices;

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellMugInColours(testApp);
    await sellProduct(testApp, pot, { units: 12 });
    const { env, clock } = testApp;
    const db = await openDatabase({ dataDir: testApp.dataDir, databaseUrl: env.databaseUrl, durable: false });
    const services = createContainer({ db, env, now: clock.now });
    theirs = asMerchant(services);
    theirApp = await buildApp({ env, db, services, now: clock.now });
    return async () => {
      await theirApp.close();
      await db.close();
    };
  });

  async function look(session: Shopper, lang: Locale = 'en'): Promise<Order> {
    // Requests over a network arrive in a turn of the event loop of their own.
    await new Promise((resolve) => setImmediate(resolve));
    return testApp.call('myCart', { session, lang });
  }

  /** A call of the shopper's that the other process answers. */
  async function callThem(name: EndpointName, session: Shopper, sku = '', body: object = {}) {
    const { method, path } = methodAndPath(name);
    const { statusCode } = await theirApp.inject({
      method,
      url: `${apiBase}${path.replace(':itemName', sku)}`,
      headers: { [clientTokenHeader]: clientToken, cookie: session.header },
      payload: body,
    });
    expect(statusCode).toBe(200);
  }

  /** A cart that was shown. */
  async function shownCart(sku = mug): Promise<Shopper> {
    const session = testApp.shopper();
    await add(testApp, session, sku, 2);
    await look(session);
    return session;
  }

  /** Writes a product of `sellProduct` again in the other process, and nothing else. */
  const rewrite = (sku: string, changes: Partial<ProductInput>) =>
    theirs.editor.upsertProducts([
      plainProduct(sku.toLowerCase(), {
        priceCents: 3200,
        skus: [{ sku, options: {}, stock: {} }],
        ...changes,
      }),
    ]);

  const quantities = (order: Order) =>
    Object.fromEntries(order.lineItems.map(({ sku, quantity }) => [sku, quantity]));
  const line = async (session: Shopper) => (await look(session)).lineItems[0];

  describe('the answer of myCart', () => {
    it('a cart answers in each requested language', async () => {
      const session = await shownCart();
      expect((await look(session, 'zh')).lineItems[0]?.productName).toEqual('马克杯');
      expect((await look(session)).lineItems[0]?.productName).toBe('Mug');
    });

    it('a cart is shown to its own session only', async () => {
      await shownCart();
      const other = testApp.shopper();
      await add(testApp, other, mug, 5);
      expect(quantities(await look(other))).toEqual({ [mug]: 5 });
      expect((await look(testApp.shopper())).lineItems).toEqual([]);
    });

    it('a cart that another process changes is new at the next request', async () => {
      const session = await shownCart();
      await callThem('addToCart', session, pot, { quantity: 3 });
      expect(quantities(await look(session))).toEqual({ [mug]: 2, [pot]: 3 });
      await callThem('deleteCartItem', session, '', { itemName: mug });
      expect(quantities(await look(session))).toEqual({ [pot]: 3 });
      await callThem('updateCartItem', session, pot, { quantity: 1 });
      expect(quantities(await look(session))).toEqual({ [pot]: 1 });
    });

    it('a price, name, image or brand that another process changes is new at the next request', async () => {
      const sku = 'CHANGING';
      await sellProduct(testApp, sku, { images: ['speckled-mug.jpg'] });
      const session = await shownCart(sku);
      await rewrite(sku, { images: ['speckled-mug.jpg'], priceCents: 4100, name: { en: 'Changed' } });
      expect(await line(session)).toMatchObject({ unitPrice: 4100, lineTotal: 8200, productName: 'Changed' });
      const before = (await line(session))?.image;
      const colour = { r: 9, g: 100, b: 50 };
      const bytes = await sharp({ create: { width: 431, height: 300, channels: 3, background: colour } })
        .jpeg()
        .toBuffer();
      await theirs.media.addOriginal('speckled-mug.jpg', bytes);
      expect((await line(session))?.image).not.toEqual(before);
      await theirs.editor.upsertBrands([
        { id: 'kiln', name: { en: 'Other kiln' }, story: { en: '' }, image: null },
      ]);
      expect((await line(session))?.brandContent).toEqual({ en: 'Other kiln' });
    });

    it('stock that another process sells is missing at the next request', async () => {
      const sku = 'SELLING';
      await sellProduct(testApp, sku, { units: 5 });
      const session = await shownCart(sku);
      const others = await shopperWithCart(testApp, sku, 2);
      expect((await pay(testApp, others)).status).toBe(200);
      // Other places still have five: shipping has to be chosen to see less.
      await deliver(testApp, session);
      expect((await line(session))?.obtainable).toBe(3);
      await theirs.stock.count([{ sku, place: 'warehouse', units: 1 }]);
      expect(await line(session)).toMatchObject({ obtainable: 1, inventoryProcessingStatus: 'notAvailable' });
      await setUnits(testApp, sku, 0);
      expect(await line(session)).toMatchObject({ obtainable: 0 });
      await theirs.stock.count([{ sku, place: 'warehouse', units: 1 }]);
      expect(await line(session)).toMatchObject({ obtainable: 1 });
    });

    it('a product that is unpublished, or gone and back, shows so at the next request', async () => {
      const sku = 'LEAVING';
      await sellProduct(testApp, sku);
      const session = await shownCart(sku);
      await rewrite(sku, { published: false });
      expect(await line(session)).toMatchObject({ obtainable: 0, unitPrice: 3200 });
      await rewrite(sku, { published: false, priceCents: 100 });
      expect(await line(session)).toMatchObject({ unitPrice: 100 });
      await rewrite(sku, { skus: [{ sku: 'OTHER', options: {}, stock: {} }] });
      expect(await line(session)).toMatchObject({ productName: sku, obtainable: 0 });
      await rewrite('another', { priceCents: 777, skus: [{ sku, options: {}, stock: {} }] });
      expect(await line(session)).toMatchObject({ unitPrice: 777, productName: 'another' });
    });

    it('a setting or a store that another process changes is new at the next request', async () => {
      const session = await shownCart();
      const { taxRates } = await testApp.services.settings.all();
      await theirs.settings.update({ currency: 'USD' });
      expect((await look(session)).bill.currency).toBe('USD');
      await theirs.settings.update({ currency: 'CAD', taxRates });
      expect((await look(session)).bill.currency).toBe('CAD');
      const [store] = await testApp.services.stores.all();
      if (!store) throw new Error('The demo has no store');
      await theirs.stores.upsert([{ ...store, timeZone: 'America/Vancouver' }]);
      expect((await look(session)).timeZone).toBe('America/Vancouver');
      await theirs.stores.upsert([store]);
      expect((await look(session)).timeZone).toBe(store.timeZone);
    });

    it('a session that ends in another process, or expires, has no cart at the next request', async () => {
      const { session } = await register(testApp);
      await add(testApp, session, mug);
      await look(session);
      await callThem('logout', session);
      expect((await look(session)).lineItems).toEqual([]);
      const guest = await shownCart();
      testApp.clock.advance(61 * day);
      expect((await look(guest)).lineItems).toEqual([]);
    });

    it('a customer has the same cart on every device, with what they collected as a guest', async () => {
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await look(session);
      const phone = testApp.shopper();
      await add(testApp, phone, pot);
      await look(phone);
      expect((await signOn(testApp, email, goodPassword, phone)).status).toBe(200);
      for (const device of [session, phone])
        expect(quantities(await look(device))).toEqual({ [mug]: 1, [pot]: 1 });
    });

    it('a guest’s cart that could not be merged at sign-in is merged at a later request', async () => {
      const { session } = await register(testApp);
      await add(testApp, session, mug);
      await look(session);
      const own = await testApp.services.sessions
        .open(session.cookies.get('sid') ?? null, session.address)
        .get();
      const guest = testApp.shopper();
      const { body } = await add(testApp, guest, pot);
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('orders')
          .set({ session_hash: own?.idHash ?? '' })
          .where('id', '=', body.orderID ?? '')
          .execute(),
      );
      expect(quantities(await look(session))).toEqual({ [mug]: 1, [pot]: 1 });
    });

    it('a promo code that ends or is used up no longer counts at the next request', async () => {
      const [ending, limited] = [
        await issueCoupon(testApp, { endsAt: testApp.clock.now() + day }),
        await issueCoupon(testApp, { totalLimit: 1 }),
      ];
      const session = await shownCart();
      await enter(testApp, session, ending);
      expect((await look(session)).bill.coupon?.state).toBe('applied');
      testApp.clock.advance(day);
      expect((await look(session)).bill.coupon?.state).toBe('expired');
      await enter(testApp, session, limited);
      expect((await look(session)).bill.coupon?.state).toBe('applied');
      const other = await shopperWithCart(testApp, mug);
      await enter(testApp, other, limited);
      expect((await pay(testApp, other)).status).toBe(200);
      expect((await look(session)).bill.coupon?.state).toBe('usedUp');
      await testApp.call('removeCoupon', { session });
      expect((await look(session)).bill.coupon).toBeNull();
    });

    it('a cart that is being paid shows so at each request, with what has changed since, and is empty once it is paid', async () => {
      const sku = 'PAYING';
      await sellProduct(testApp, sku);
      const session = await shopperWithCart(testApp, sku);
      await look(session);
      await pay(testApp, session, cards.challenge);
      expect(await look(session)).toMatchObject({
        state: 'paying',
        lineItems: [{ sku, inStoreOnly: false }],
      });
      await rewrite(sku, { inStoreOnly: true });
      expect(await look(session)).toMatchObject({ state: 'paying', lineItems: [{ sku, inStoreOnly: true }] });
      const paid = await shopperWithCart(testApp, mug);
      await look(paid);
      expect((await pay(testApp, paid)).status).toBe(200);
      expect(await look(paid)).toMatchObject({ orderID: null, lineItems: [] });
    });
  });
});
