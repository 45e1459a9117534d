/** The answer of `myCart` comes from memory, and shows each change at the next request, whichever process makes it. */
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { type EndpointName, methodAndPath } from '#contract/paths.ts';
import type { Order } from '#contract/schemas/order.ts';
import { openDatabase } from '#db/database.ts';
import { buildApp } from '#server/app.ts';
import { createContainer, type Services } from '#server/container.ts';
import type { ProductInput } from '#server/modules/catalogue/index.ts';
import { recordUntil } from '#server/platform/recorded-reads.ts';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { plainProduct, sellMugInColours, sellProduct } from '#tests/products.ts';
import { add, cards, deliver, pay, setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { createCartAnswers } from './cart-answers.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const day = 24 * 3_600_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  let theirApp: FastifyInstance;
  let theirs: Services;

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellMugInColours(testApp);
    await sellProduct(testApp, pot, { units: 12 });
    const { env, clock } = testApp;
    const db = await openDatabase({ dataDir: testApp.dataDir, databaseUrl: env.databaseUrl, durable: false });
    theirs = createContainer({ db, env, now: clock.now });
    theirApp = await buildApp({ env, db, services: theirs, now: clock.now });
    return async () => {
      await theirApp.close();
      await db.close();
    };
  });

  /** The cart, and how often it was read for the answer: not at all if the answer came from memory. */
  async function look(session: Shopper, lang: Locale = 'en'): Promise<{ cart: Order; reads: number }> {
    const read = vi.spyOn(testApp.services.cart, 'read');
    const cart = await testApp.call('myCart', { session, lang });
    const reads = read.mock.calls.length;
    read.mockRestore();
    return { cart, reads };
  }

  /** The cart as a process shows it that has no answer in memory. */
  async function freshLook(session: Shopper, lang: Locale = 'en'): Promise<Order> {
    const { db, clock, services } = testApp;
    const { cart, sessions } = services;
    const token = session.cookies.get('sid') ?? null;
    const answers = createCartAnswers({ db, now: clock.now, cart });
    return JSON.parse((await answers.get(sessions.open(token, session.address), lang, JSON.stringify)).json);
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

  /** A cart that is in memory. */
  async function keptCart(sku = mug): Promise<Shopper> {
    const session = testApp.shopper();
    await add(testApp, session, sku, 2);
    await look(session);
    expect((await look(session)).reads).toBe(0);
    return session;
  }

  /** Writes a product of `sellProduct` again in the other process, and nothing else. */
  const rewrite = (sku: string, changes: Partial<ProductInput>) =>
    theirs.editor.upsertProducts([
      plainProduct(sku.toLowerCase(), { priceCents: 3200, skus: [{ sku, options: {}, stock: {} }], ...changes }),
    ]);

  const quantities = (order: Order) => Object.fromEntries(order.lineItems.map(({ sku, quantity }) => [sku, quantity]));
  const line = async (session: Shopper) => (await look(session)).cart.lineItems[0];

  describe('the answer of myCart', () => {
    it('a cart that is requested again is answered from memory, the same', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      const first = await look(session);
      expect(first.reads).toBe(1);
      expect(await look(session)).toEqual({ cart: first.cart, reads: 0 });
      expect(first.cart).toEqual(await freshLook(session));
    });

    it('a cart in memory answers in each requested language', async () => {
      const session = await keptCart();
      const { cart, reads } = await look(session, 'zh');
      expect([cart.lineItems[0]?.productName, reads]).toEqual(['马克杯', 1]);
      expect((await look(session, 'zh')).reads).toBe(0);
      expect((await look(session)).cart.lineItems[0]?.productName).toBe('Mug');
    });

    it('a cart in memory is shown to its own session only', async () => {
      await keptCart();
      // Of the same version, changed at the same time, with the same stock.
      const other = testApp.shopper();
      await add(testApp, other, mug, 5);
      expect(quantities((await look(other)).cart)).toEqual({ [mug]: 5 });
      expect((await look(testApp.shopper())).cart.lineItems).toEqual([]);
      expect((await look(testApp.shopper())).reads).toBe(0);
    });

    it('a cart that another process changes is new at the next request', async () => {
      const session = await keptCart();
      await callThem('addToCart', session, pot, { quantity: 3 });
      expect(quantities((await look(session)).cart)).toEqual({ [mug]: 2, [pot]: 3 });
      await callThem('deleteCartItem', session, '', { itemName: mug });
      expect(quantities((await look(session)).cart)).toEqual({ [pot]: 3 });
      await callThem('updateCartItem', session, pot, { quantity: 1 });
      expect(quantities((await look(session)).cart)).toEqual({ [pot]: 1 });
      expect((await look(session)).reads).toBe(0);
    });

    it('a price, name, image or brand that another process changes is new at the next request', async () => {
      const sku = 'CHANGING';
      await sellProduct(testApp, sku, { images: ['speckled-mug.jpg'] });
      const session = await keptCart(sku);
      await rewrite(sku, { images: ['speckled-mug.jpg'], priceCents: 4100, name: { en: 'Changed' } });
      expect(await line(session)).toMatchObject({ unitPrice: 4100, lineTotal: 8200, productName: 'Changed' });
      const before = (await line(session))?.image;
      const colour = { r: 9, g: 100, b: 50 };
      const bytes = await sharp({ create: { width: 431, height: 300, channels: 3, background: colour } })
        .jpeg()
        .toBuffer();
      await theirs.media.addOriginal('speckled-mug.jpg', bytes);
      expect((await line(session))?.image).not.toEqual(before);
      await theirs.editor.upsertBrands([{ id: 'kiln', name: { en: 'Other kiln' }, story: { en: '' }, image: null }]);
      expect((await line(session))?.brandContent).toEqual({ en: 'Other kiln' });
      expect((await look(session)).reads).toBe(0);
    });

    it('stock that another process sells is missing at the next request', async () => {
      const sku = 'SELLING';
      await sellProduct(testApp, sku, { units: 5 });
      const session = await keptCart(sku);
      const others = await shopperWithCart(testApp, sku, 2);
      expect((await pay(testApp, others)).status).toBe(200);
      // Other places still have five: shipping has to be chosen to see less.
      await deliver(testApp, session);
      expect((await line(session))?.obtainable).toBe(3);
      expect((await look(session)).reads).toBe(0);
      await theirs.editor.setStock(sku, 'warehouse', 1);
      expect(await line(session)).toMatchObject({ obtainable: 1, inventoryProcessingStatus: 'notAvailable' });
      await setUnits(testApp, sku, 0);
      expect(await line(session)).toMatchObject({ obtainable: 0 });
      await theirs.editor.setStock(sku, 'warehouse', 1);
      expect(await line(session)).toMatchObject({ obtainable: 1 });
    });

    it('a product that is unpublished, or gone and back, shows so at the next request', async () => {
      const sku = 'LEAVING';
      await sellProduct(testApp, sku);
      const session = await keptCart(sku);
      await rewrite(sku, { published: false });
      expect(await line(session)).toMatchObject({ obtainable: 0, unitPrice: 3200 });
      await rewrite(sku, { published: false, priceCents: 100 });
      expect(await line(session)).toMatchObject({ unitPrice: 100 });
      await rewrite(sku, { skus: [{ sku: 'OTHER', options: {}, stock: {} }] });
      expect(await line(session)).toMatchObject({ productName: sku, obtainable: 0 });
      expect((await look(session)).reads).toBe(0);
      await rewrite('another', { priceCents: 777, skus: [{ sku, options: {}, stock: {} }] });
      expect(await line(session)).toMatchObject({ unitPrice: 777, productName: 'another' });
    });

    it('a setting or a store that another process changes is new at the next request', async () => {
      const session = await keptCart();
      const { taxRates } = await testApp.services.settings.all();
      await theirs.settings.update({ currency: 'USD' });
      expect((await look(session)).cart.bill.currency).toBe('USD');
      await theirs.settings.update({ currency: 'CAD', taxRates });
      expect((await look(session)).cart).toEqual(await freshLook(session));
      const [store] = await testApp.services.stores.all();
      if (!store) throw new Error('The demo has no store');
      await theirs.stores.upsert([{ ...store, timeZone: 'America/Vancouver' }]);
      expect((await look(session)).cart.timeZone).toBe('America/Vancouver');
      await theirs.stores.upsert([store]);
      expect((await look(session)).cart.timeZone).toBe(store.timeZone);
    });

    it('a session that ends in another process, or expires, has no cart at the next request', async () => {
      const { session } = await register(testApp);
      await add(testApp, session, mug);
      await look(session);
      expect((await look(session)).reads).toBe(0);
      await callThem('logout', session);
      expect((await look(session)).cart.lineItems).toEqual([]);
      const guest = await keptCart();
      testApp.clock.advance(61 * day);
      expect((await look(guest)).cart.lineItems).toEqual([]);
    });

    it('a customer has the same cart on every device, with what they collected as a guest', async () => {
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await look(session);
      const phone = testApp.shopper();
      await add(testApp, phone, pot);
      await look(phone);
      expect((await signOn(testApp, email, goodPassword, phone)).status).toBe(200);
      for (const device of [session, phone]) expect(quantities((await look(device)).cart)).toEqual({ [mug]: 1, [pot]: 1 });
      for (const device of [session, phone]) expect((await look(device)).reads).toBe(0);
    });

    it('a guest’s cart that could not be merged at sign-in is merged at a later request', async () => {
      const { session } = await register(testApp);
      await add(testApp, session, mug);
      await look(session);
      expect((await look(session)).reads).toBe(0);
      const own = await testApp.services.sessions.open(session.cookies.get('sid') ?? null, session.address).get();
      const guest = testApp.shopper();
      const { body } = await add(testApp, guest, pot);
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('orders')
          .set({ session_hash: own?.idHash ?? '' })
          .where('id', '=', body.orderID ?? '')
          .execute(),
      );
      expect(quantities((await look(session)).cart)).toEqual({ [mug]: 1, [pot]: 1 });
    });

    it('a promo code that ends or is used up no longer counts at the next request', async () => {
      const [ending, limited] = [
        await issueCoupon(testApp, { endsAt: testApp.clock.now() + day }),
        await issueCoupon(testApp, { totalLimit: 1 }),
      ];
      const session = await keptCart();
      await enter(testApp, session, ending);
      expect((await look(session)).cart.bill.coupon?.state).toBe('applied');
      testApp.clock.advance(day);
      expect((await look(session)).cart.bill.coupon?.state).toBe('expired');
      await enter(testApp, session, limited);
      expect((await look(session)).cart.bill.coupon?.state).toBe('applied');
      const other = await shopperWithCart(testApp, mug);
      await enter(testApp, other, limited);
      expect((await pay(testApp, other)).status).toBe(200);
      expect((await look(session)).cart.bill.coupon?.state).toBe('usedUp');
      await testApp.call('removeCoupon', { session });
      await look(session);
      expect((await look(session)).reads).toBe(0);
    });

    it('a cart that is being paid shows so at each request, with what has changed since, and is empty once it is paid', async () => {
      const sku = 'PAYING';
      await sellProduct(testApp, sku);
      const session = await shopperWithCart(testApp, sku);
      await look(session);
      expect((await look(session)).reads).toBe(0);
      await pay(testApp, session, cards.challenge);
      expect((await look(session)).cart).toMatchObject({ state: 'paying', lineItems: [{ sku, inStoreOnly: false }] });
      await rewrite(sku, { inStoreOnly: true });
      expect((await look(session)).cart).toMatchObject({ state: 'paying', lineItems: [{ sku, inStoreOnly: true }] });
      const paid = await shopperWithCart(testApp, mug);
      await look(paid);
      expect((await pay(testApp, paid)).status).toBe(200);
      expect((await look(paid)).cart).toMatchObject({ orderID: null, lineItems: [] });
    });

    it('an answer that holds until a time is made again from then on', async () => {
      const { db, clock, services } = testApp;
      const session = await keptCart();
      const read = vi.fn(async (...input: Parameters<typeof services.cart.read>) => {
        recordUntil(clock.now() + 1000);
        return services.cart.read(...input);
      });
      const answers = createCartAnswers({ db, now: clock.now, cart: { read } });
      const get = () => {
        const handle = services.sessions.open(session.cookies.get('sid') ?? null, session.address);
        return answers.get(handle, 'en', JSON.stringify);
      };
      await get();
      clock.advance(999);
      await get();
      expect(read).toHaveBeenCalledTimes(1);
      clock.advance(1);
      await get();
      expect(read).toHaveBeenCalledTimes(2);
    });

    it('a shop whose catalogue is read from a replica keeps no carts', async () => {
      const { db, clock, services } = testApp;
      const session = await keptCart();
      const read = vi.fn(services.cart.read);
      const catalogue = db.read.withoutPlugins();
      const answers = createCartAnswers({ db: { ...db, catalogue }, now: clock.now, cart: { read } });
      for (let asked = 0; asked < 2; asked++) {
        const handle = services.sessions.open(session.cookies.get('sid') ?? null, session.address);
        await answers.get(handle, 'en', JSON.stringify);
      }
      expect(read).toHaveBeenCalledTimes(2);
    });
  });
});
