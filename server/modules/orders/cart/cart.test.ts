import { beforeAll, describe, expect, it } from 'vitest';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { plainValue, sellMugInColours, sellProduct, stockEverywhere } from '#tests/products.ts';
import { add, cards, deliver, everything, pay, setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const gaiwan = 'GAIWAN';
const latte = 'LATTE';

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellMugInColours(testApp);
    await sellProduct(testApp, pot, { units: 12 });
    await sellProduct(testApp, gaiwan);
    await sellProduct(testApp, latte, { name: { en: 'Latte' }, inStoreOnly: true });
  });

  const change = (session: ReturnType<TestApp['shopper']>, quantity: number, sku = mug) =>
    testApp.ask('updateCartItem', { session, params: { itemName: sku }, body: { quantity } });
  const quantities = (order: { lineItems: { sku: string; quantity: number }[] }) =>
    Object.fromEntries(order.lineItems.map(({ sku, quantity }) => [sku, quantity]));

  describe('the cart', () => {
    it('a new shopper has an empty cart, and looking at it starts no session', async () => {
      const session = testApp.shopper();
      const { body, headers } = await testApp.ask('myCart', { session });
      expect(body).toMatchObject({
        orderID: null,
        state: 'cart',
        lineItems: [],
        bill: { total: 0, currency: 'CAD' },
      });
      expect(headers['set-cookie']).toBeUndefined();
    });

    it('a cart starts with its first item and grows', async () => {
      const session = testApp.shopper();
      const first = await add(testApp, session, mug, 2);
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({
        state: 'cart',
        version: 1,
        lineItems: [
          {
            itemName: mug,
            sku: mug,
            product: 'mug',
            productName: 'Mug',
            optionPairs: '#Colour:Oat',
            optionText: 'Oat',
            quantity: 2,
            unitPrice: 3200,
            lineTotal: 6400,
            inventoryProcessingStatus: 'available',
          },
        ],
        bill: { subtotal: 6400, total: 6400, final: false },
      });
      expect(first.body.lineItems[0]?.image?.imageURL).toMatch(/^\/media\/\d+\/speckled-mug/);
      const second = await add(testApp, session, mug, 3);
      expect(quantities(second.body)).toEqual({ [mug]: 5 });
      expect(second.body.version).toBe(2);
      expect(await testApp.call('myCart', { session })).toEqual(second.body);
    });

    it('a cart answers in the requested language', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      const { lineItems } = await testApp.call('myCart', { session, lang: 'zh' });
      expect(lineItems[0]).toMatchObject({
        productName: '马克杯',
        optionText: '燕麦',
        optionPairs: '#Colour:Oat',
      });
    });

    it('a cart line takes 1 to 98 of an item', async () => {
      const session = testApp.shopper();
      for (const quantity of [0, -3, 1.5]) {
        const { status, body } = await add(testApp, session, mug, quantity);
        expect([status, body.errorType, body.errors]).toEqual([
          400,
          'REQUEST_VALIDATION_ERROR',
          { quantity: 'Quantity is invalid' },
        ]);
      }
      expect((await add(testApp, session, mug, 99)).body.errors).toEqual({
        quantity: 'You can order up to 98 of this item',
      });
      await add(testApp, session, mug, 90);
      const over = await add(testApp, session, mug, 9);
      expect(over.status).toBe(400);
      expect(over.body.errors).toEqual({
        quantity: 'You already have 90 in your cart. The limit is 98 per item.',
      });
      expect(quantities(await testApp.call('myCart', { session }))).toEqual({ [mug]: 90 });
      expect((await change(session, 99)).status).toBe(400);
      for (const quantity of [0, 1.5])
        expect((await change(session, quantity)).body.errors).toEqual({ quantity: 'Quantity is invalid' });
    });

    it('a cart marks the lines that are not available in their quantity', async () => {
      const session = testApp.shopper();
      const { body } = await add(testApp, session, pot, 20);
      expect(body.lineItems[0]).toMatchObject({
        quantity: 20,
        obtainable: 12,
        inventoryProcessingStatus: 'notAvailable',
      });
    });

    it('a sold-out, unknown or mismatched item is rejected', async () => {
      const session = testApp.shopper();
      await setUnits(testApp, gaiwan, 0);
      const gone = await add(testApp, session, gaiwan);
      expect([gone.status, gone.body.message]).toEqual([409, 'This product is currently out of stock.']);
      expect((await add(testApp, session, 'NO-SUCH-SKU')).status).toBe(404);
      const other = (body: object) =>
        testApp.ask('addToCart', { session, params: { itemName: mug }, body: { quantity: 1, ...body } });
      expect((await other({ product: 'teapot' })).body.errors).toHaveProperty('product');
      expect((await other({ optionPairs: '#Colour:Sea' })).body.errors).toHaveProperty('optionPairs');
      expect((await other({ sku: pot })).body.errors).toHaveProperty('sku');
      expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
      expect(
        (await other({ sku: mug, product: 'mug', productName: 'x', optionPairs: ' #Colour:Oat' })).status,
      ).toBe(200);
    });

    it('a rejected item leaves neither a cart nor a session', async () => {
      await setUnits(testApp, gaiwan, 0);
      const rows = async () => ({
        sessions: (await testApp.db.read.selectFrom('sessions').select('id_hash').execute()).length,
        carts: (await testApp.db.read.selectFrom('orders').select('id').execute()).length,
      });
      const before = await rows();
      for (const sku of [gaiwan, 'NO-SUCH-SKU']) {
        const { headers } = await add(testApp, testApp.shopper(), sku);
        expect(headers['set-cookie']).toBeUndefined();
      }
      expect(await rows()).toEqual(before);
    });

    it('a change of quantity never brings a removed line back', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await add(testApp, session, pot);
      const remove = () => testApp.call('deleteCartItem', { session, body: { itemName: mug } });
      const removed = await remove();
      expect(quantities(removed)).toEqual({ [pot]: 1 });
      expect((await change(session, 5)).status).toBe(404);
      expect(await remove()).toEqual(removed);
      expect((await change(testApp.shopper(), 5)).status).toBe(404);
      expect(
        (await testApp.call('deleteCartItem', { session: testApp.shopper(), body: { itemName: mug } }))
          .lineItems,
      ).toEqual([]);
    });

    it('a cart keeps the order note', async () => {
      const session = testApp.shopper();
      await testApp.call('updateCustomerComment', { session, body: { value: '请放在门口 🙂' } });
      expect((await testApp.call('myCart', { session })).customerComment).toBe('请放在门口 🙂');
    });

    it('two tabs that start a cart at once share one', async () => {
      const session = testApp.shopper();
      await testApp.call('updateCustomerComment', { session, body: { value: '' } });
      const { body } = await testApp.ask('myCart', { session });
      await testApp.db.transaction((trx) =>
        trx
          .deleteFrom('orders')
          .where('id', '=', body.orderID ?? '')
          .execute(),
      );
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => add(testApp, session, index % 2 ? mug : pot)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(new Set(answers.map((answer) => answer.body.orderID)).size).toBe(1);
      expect(quantities(await testApp.call('myCart', { session }))).toEqual({ [mug]: 4, [pot]: 4 });
      expect(new Set(answers.map((answer) => answer.body.version)).size).toBe(8);
    });

    it('a cart belongs to its session only', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      expect((await testApp.call('myCart', { session: testApp.shopper() })).lineItems).toEqual([]);
      const stranger = testApp.shopper();
      stranger.cookies.set('sid', 'A'.repeat(43));
      expect((await testApp.call('myCart', { session: stranger })).lineItems).toEqual([]);
    });

    it('a cart with an item that cannot be shipped names the line and stays as it was', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await add(testApp, session, latte);
      const { status, body } = await deliver(testApp, session);
      expect(status).toBe(400);
      expect(body.errors).toEqual({
        [`lineItems.${latte}`]: 'Latte is only sold in store and delivered near our stores',
      });
      expect((await testApp.call('myCart', { session })).method).toBeNull();
    });

    it('a cart names the delivery methods that have all of its items together', async () => {
      const session = testApp.shopper();
      const methods = async () => (await testApp.call('myCart', { session })).methods;
      await sellProduct(testApp, 'PLANTER');
      await setUnits(testApp, 'PLANTER', 3);
      await add(testApp, session, 'PLANTER', 2);
      expect(await methods()).toEqual(['shipping']);
      await add(testApp, session, latte);
      expect(await methods()).toEqual([]);
      await testApp.call('deleteCartItem', { session, body: { itemName: 'PLANTER' } });
      // A store delivers by itself what only stores sell.
      expect(await methods()).toEqual(['shipping', 'pickup', 'instore']);
    });

    it('an added item that the chosen method cannot deliver shows as not available', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { status, body } = await add(testApp, session, latte);
      expect(status).toBe(200);
      expect(
        body.lineItems.map((line) => [line.sku, line.inventoryProcessingStatus, line.obtainable]),
      ).toEqual([
        [mug, 'available', expect.any(Number)],
        [latte, 'notAvailable', 0],
      ]);
    });

    describe('with a hundred lines', () => {
      const cake = (n: number) => `CAKE-${String(n).padStart(3, '0')}`;
      beforeAll(async () => {
        const stock = await stockEverywhere(testApp, 5);
        for (const shelf of [0, 1, 2]) {
          const values = Array.from({ length: 40 }, (_, n) => plainValue(cake(40 * shelf + n)));
          await sellProduct(testApp, `CAKES-${shelf}`, {
            options: [{ name: { en: 'Kind' }, values }],
            skus: values.map(({ name: { en = '' } }) => ({ sku: en, options: { Kind: en }, stock })),
          });
        }
      });
      /** Fills the cart of a session with the kinds from `first` on. */
      const fill = async (session: ReturnType<TestApp['shopper']>, first: number, count: number) => {
        const { orderID } = (await add(testApp, session, cake(first))).body;
        const lines = Array.from({ length: count - 1 }, (_, n) => ({
          id: `${orderID}-${n}`,
          order_id: orderID ?? '',
          identity: cake(first + n + 1),
          sku: cake(first + n + 1),
          product_id: `cakes-${Math.floor((first + n + 1) / 40)}`,
          quantity: 1,
          position: n + 2,
        }));
        await testApp.db.transaction((trx) => trx.insertInto('order_lines').values(lines).execute());
      };
      const skus = async (session: ReturnType<TestApp['shopper']>) =>
        (await testApp.call('myCart', { session })).lineItems.map(({ sku }) => sku);

      it('a full cart takes no further line by any call, but more of what it has', async () => {
        const session = testApp.shopper();
        await fill(session, 0, 99);
        expect((await add(testApp, session, cake(99))).status).toBe(200);
        const { status, body } = await add(testApp, session, cake(100));
        expect([status, body.errorKey, body.message]).toEqual([
          409,
          'rule.cartFull',
          expect.stringContaining('100'),
        ]);
        const set = [cake(0), cake(100)].map((sku) => ({ sku, optionPairs: `#Kind:${sku}` }));
        const refused = await testApp.ask('addSetToCart', { session, body: { items: set } });
        expect([refused.status, Object.keys((refused.body as unknown as { errors: object }).errors)]).toEqual(
          [409, ['items.1']],
        );
        expect((await add(testApp, session, cake(5))).status).toBe(200);
        expect(await skus(session)).toHaveLength(100);
        await testApp.call('deleteCartItem', { session, body: { itemName: cake(5) } });
        expect((await add(testApp, session, cake(100))).status).toBe(200);
      });

      it('signing in with more lines than fit keeps the customer’s, then the guest’s until the cart is full', async () => {
        const { session, email } = await register(testApp);
        await fill(session, 0, 98);
        const guest = testApp.shopper();
        await fill(guest, 96, 6);
        expect((await signOn(testApp, email, goodPassword, guest)).status).toBe(200);
        expect(await skus(guest)).toEqual(Array.from({ length: 100 }, (_, n) => cake(n)));
      });
    });

    it('a cart is deleted with its session, while the orders stay', async () => {
      const other = await createTestApp({ engine, demo: true });
      await sellProduct(other, mug);
      const session = await shopperWithCart(other, mug);
      const { body } = await pay(other, session);
      await add(other, session, mug);
      await other.services.runMaintenance();
      expect((await other.call('myCart', { session })).lineItems).toHaveLength(1);
      other.clock.advance(61 * 24 * 3_600_000);
      await other.services.runMaintenance();
      const left = await other.db.read
        .selectFrom('orders')
        .select('id')
        .where('customer_id', 'is', null)
        .execute();
      expect(left).toEqual([{ id: body.orderID }]);
      expect(
        await other.db.read
          .selectFrom('order_lines')
          .selectAll()
          .where('order_id', '=', body.orderID)
          .execute(),
      ).toHaveLength(1);
    });

    it('a rejected change leaves the cart as it was', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      const before = await everything(testApp.db.read);
      await add(testApp, session, mug, 97);
      await add(testApp, session, 'NO-SUCH-SKU');
      await change(session, 500);
      await change(session, 3, pot);
      await deliver(testApp, session, { address: {} });
      await pay(testApp, session, cards.approve, { billVersion: 'another' });
      await pay(testApp, session, '12');
      expect(await everything(testApp.db.read)).toEqual(before);
    });
  });
});
