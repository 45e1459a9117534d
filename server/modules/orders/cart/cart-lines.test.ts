/** Lines of carts with modifiers and notes. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { iced, oat, pearls, sellTea, tea, usual, whole } from '#tests/modifiers.ts';
import { finish, pay, setUnits, unitsOf, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellTea(testApp);
  });
  let session: Shopper;
  beforeEach(() => {
    session = testApp.shopper();
  });

  const put = (body: object = {}, sku = tea, who = session) =>
    testApp.ask('addToCart', { session: who, params: { itemName: sku }, body: { quantity: 1, ...body } });
  const cart = (who = session, lang: 'en' | 'zh' = 'en') => testApp.call('myCart', { session: who, lang });
  const change = (line: string, body: object) =>
    testApp.ask('updateCartLine', { session, params: { line }, body });
  const errorsOf = ({ body }: { body: unknown }) => (body as { errors?: Record<string, string> }).errors;

  describe('the lines of a cart', () => {
    it('the same SKU stands twice with other modifiers or another note, and the same again raises the quantity', async () => {
      await put({ modifiers: usual });
      await put({ modifiers: [pearls(2), { ...oat, quantity: 1 }, iced], note: '  ' });
      await put({ modifiers: usual, note: 'no  straw' });
      await put({ modifiers: usual, note: 'no straw\n', quantity: 2 });
      const { lineItems, bill } = (await put({ modifiers: [iced, whole] })).body;
      expect(
        lineItems.map(({ quantity, note, unitPrice, lineTotal }) => ({
          quantity,
          note,
          unitPrice,
          lineTotal,
        })),
      ).toEqual([
        { quantity: 2, note: '', unitPrice: 830, lineTotal: 1660 },
        { quantity: 3, note: 'no straw', unitPrice: 830, lineTotal: 2490 },
        { quantity: 1, note: '', unitPrice: 600, lineTotal: 600 },
      ]);
      expect(new Set(lineItems.map(({ id }) => id)).size).toBe(3);
      expect(bill.subtotal).toBe(1660 + 2490 + 600);
      expect(lineItems[0]).toMatchObject({
        itemName: tea,
        modifierText: 'Iced, Less ice, Oat milk, 2 × Pearls',
      });
      expect((await cart(session, 'zh')).lineItems[0]?.modifierText).toBe('冰、少冰、燕麦奶、2 × 珍珠');
      expect(lineItems[0]?.modifiers).toEqual([
        {
          group: 'temperature',
          modifier: 'iced',
          nameContent: { en: 'Iced', zh: '冰' },
          quantity: 1,
          amount: 0,
          modifiers: [expect.objectContaining({ group: 'ice', modifier: 'less', amount: 0 })],
        },
        {
          group: 'milk',
          modifier: 'oat',
          nameContent: { en: 'Oat milk', zh: '燕麦奶' },
          quantity: 1,
          amount: 80,
          modifiers: [],
        },
        expect.objectContaining({ modifier: 'pearls', quantity: 2, amount: 150 }),
      ]);
    });

    it('a call that names a SKU changes its only line, and says so when several lines have it', async () => {
      await put();
      const named = (quantity: number) =>
        testApp.ask('updateCartItem', { session, params: { itemName: tea }, body: { quantity } });
      expect((await named(3)).body.lineItems).toMatchObject([{ quantity: 3 }]);
      const [, second] = (await put({ modifiers: usual })).body.lineItems;
      for (const refused of [
        await named(5),
        await testApp.ask('deleteCartItem', { session, body: { itemName: tea } }),
      ]) {
        expect([refused.status, refused.body.errorKey]).toEqual([409, 'rule.lineAmbiguous']);
        expect(refused.body.message).toContain('more than once');
      }
      expect((await change(second?.id ?? '', { quantity: 4 })).body.lineItems).toMatchObject([
        { quantity: 3 },
        { quantity: 4 },
      ]);
      const remove = () => testApp.ask('deleteCartLine', { session, body: { line: second?.id ?? '' } });
      expect((await remove()).body.lineItems).toMatchObject([{ quantity: 3 }]);
      expect((await remove()).status).toBe(200);
      expect((await change(second?.id ?? '', { quantity: 4 })).status).toBe(404);
      expect((await named(1)).status).toBe(200);
    });

    it('modifiers that are left out are the defaults', async () => {
      const { lineItems } = (await put()).body;
      expect(lineItems[0]?.modifiers.map(({ modifier }) => modifier)).toEqual(['hot', 'whole']);
      expect(
        (await put({ modifiers: [whole, { group: 'temperature', modifier: 'hot' }] })).body.lineItems,
      ).toMatchObject([{ quantity: 2 }]);
    });

    it('choices that are not offered are refused at their group, and nothing is in the cart', async () => {
      const refusals: [object, Record<string, string>][] = [
        [{ modifiers: [iced] }, { 'modifiers.milk': 'Please choose Milk' }],
        [
          { modifiers: [iced, whole, pearls(4)] },
          { 'modifiers.toppings': 'Please choose at most 3 for toppings' },
        ],
        [
          { modifiers: [iced, { group: 'milk', modifier: 'goat' }] },
          { 'modifiers.milk': expect.stringContaining('no longer offered') },
        ],
        [
          { modifiers: [...usual, { group: 'syrup', modifier: 'x' }] },
          { 'modifiers.syrup': expect.stringContaining('no longer offered') },
        ],
        [
          { modifiers: [{ ...iced, modifiers: [{ group: 'ice', modifier: 'dry' }] }, whole] },
          { 'modifiers.temperature.iced.ice': expect.stringContaining('no longer offered') },
        ],
        [{ modifiers: usual, unitPrice: 829 }, { unitPrice: expect.stringContaining('price has changed') }],
        [{ note: 'x'.repeat(141) }, { note: 'A note can be at most 140 characters' }],
      ];
      for (const [body, errors] of refusals) {
        const refused = await put(body);
        expect([refused.status, errorsOf(refused)]).toEqual([400, errors]);
      }
      expect(errorsOf(await put({}, 'PLAIN'))).toEqual({ 'modifiers.size': 'Please choose size' });
      expect(errorsOf(await put({ modifiers: usual }, 'CUP'))).toHaveProperty('modifiers.milk');
      expect((await put({ modifiers: usual }, 'NO-SUCH-SKU')).status).toBe(404);
      expect(await cart()).toMatchObject({ orderID: null, lineItems: [] });
      expect((await put({ modifiers: usual, unitPrice: 830, note: 'x'.repeat(140) })).status).toBe(200);
    });

    it('a modifier that its store has none of today is refused, and is no default', async () => {
      await put({}, 'CUP');
      await visit(testApp, session);
      const [shop] = (await testApp.services.stores.all()).filter(({ id }) => id === store);
      if (!shop) throw new Error('no store');
      await testApp.services.editor.markSoldOut(shop, 'modifier:milk/oat');
      const refused = await put({ modifiers: [iced, oat] });
      expect([refused.status, errorsOf(refused)]).toEqual([
        400,
        { 'modifiers.milk': 'Oat milk is sold out today at this store' },
      ]);
      expect((await cart()).lineItems).toHaveLength(1);
      const elsewhere = testApp.shopper();
      expect((await put({ modifiers: [iced, oat] }, tea, elsewhere)).status).toBe(200);
      await visit(testApp, elsewhere);
      expect((await cart(elsewhere)).lineItems[0]).toMatchObject({
        inventoryProcessingStatus: 'notAvailable',
        unavailable: 'Oat milk is sold out today at this store',
      });
      await testApp.services.editor.unmarkSoldOut(store, 'modifier:milk/oat');
      expect((await cart(elsewhere)).lineItems[0]).not.toHaveProperty('unavailable');
    });

    it('other modifiers of a line change its price, and make it one with a line that is the same then', async () => {
      await put({ modifiers: usual, quantity: 2 });
      const [first, second] = (await put({ note: 'no straw' })).body.lineItems;
      const refused = await change(second?.id ?? '', { modifiers: [iced] });
      expect(errorsOf(refused)).toEqual({ 'modifiers.milk': 'Please choose Milk' });
      expect((await change(second?.id ?? '', { modifiers: usual })).body.lineItems[1]).toMatchObject({
        id: second?.id,
        unitPrice: 830,
        note: 'no straw',
        quantity: 1,
      });
      expect((await change(second?.id ?? '', { note: '', quantity: 3 })).body.lineItems).toMatchObject([
        { id: first?.id, quantity: 5 },
      ]);
      const [, third] = (await put({ note: 'x', modifiers: usual, quantity: 97 })).body.lineItems;
      expect(errorsOf(await change(third?.id ?? '', { note: '' }))).toHaveProperty('quantity');
      expect((await cart()).lineItems).toMatchObject([{ quantity: 5 }, { quantity: 97 }]);
    });

    it('another size of a line keeps its choices and quantity, and makes it one with a line that is the same then', async () => {
      const { skus, specification } = await testApp.call('product', { params: { id: 'oolong-milk-tea' } });
      const [regular, large] = skus;
      if (!regular || !large || !specification.options[0]) throw new Error('no sizes');
      const [line] = (await put({ note: 'no straw', quantity: 2 }, regular.sku)).body.lineItems;
      const resized = (await change(line?.id ?? '', { sku: large.sku })).body.lineItems;
      expect(resized).toMatchObject([
        {
          id: line?.id,
          sku: large.sku,
          quantity: 2,
          note: 'no straw',
          modifierText: line?.modifierText,
          optionText: 'Large',
        },
      ]);
      expect(resized[0]?.unitPrice).toBeGreaterThan(line?.unitPrice ?? 0);
      await put({ note: 'no straw' }, regular.sku);
      const shown = { sku: regular.sku, unitPrice: resized[0]?.unitPrice ?? 0 };
      expect(errorsOf(await change(line?.id ?? '', shown))).toHaveProperty('unitPrice');
      expect((await change(line?.id ?? '', { sku: regular.sku, quantity: 3 })).body.lineItems).toMatchObject([
        { sku: regular.sku, quantity: 4, note: 'no straw' },
      ]);
      const [only] = (await cart()).lineItems;
      expect(errorsOf(await change(only?.id ?? '', { sku: tea }))).toHaveProperty('sku');
      expect((await change(only?.id ?? '', { sku: 'NO-SUCH-SKU' })).status).toBe(404);
      const stores = (await testApp.services.stores.all()).map(({ id }) => id);
      for (const each of stores) await setUnits(testApp, large.sku, 0, each);
      const refused = await change(only?.id ?? '', { sku: large.sku });
      expect([refused.status, refused.body.errorKey]).toEqual([409, 'rule.outOfStock']);
      expect((await cart()).lineItems).toMatchObject([{ sku: regular.sku, quantity: 4 }]);
    });

    it('a set adds what it has by default, and says which of its products needs a choice', async () => {
      const items = [tea, 'PLAIN'].map((sku) => ({ sku, optionPairs: '' }));
      const refused = await testApp.ask('addSetToCart', { session, body: { items } });
      expect([refused.status, errorsOf(refused)]).toEqual([409, { 'items.1': 'Please choose size' }]);
      await put({ modifiers: usual });
      const added = await testApp.call('addSetToCart', {
        session,
        body: { items: [tea, 'CUP'].map((sku) => ({ sku, optionPairs: '' })) },
      });
      expect(added.lineItems).toMatchObject([{ sku: tea, unitPrice: 830 }, { sku: 'CUP' }]);
    });

    it('the guest’s lines become the customer’s: those that are the same are added up, the others stand beside them', async () => {
      const { session: own, email } = await register(testApp);
      await put({ modifiers: usual }, tea, own);
      const [guest] = (await put({ modifiers: usual, quantity: 2 })).body.lineItems;
      await put({ modifiers: usual, note: 'no straw' });
      await signOn(testApp, email, goodPassword, session);
      const { lineItems } = await cart();
      expect(lineItems).toMatchObject([
        { quantity: 3, note: '', unitPrice: 830 },
        { quantity: 1, note: 'no straw', unitPrice: 830 },
      ]);
      expect(lineItems[0]?.id).not.toBe(guest?.id);
    });
  });

  describe('stock of lines', () => {
    it('lines that share a SKU get its units in their order, and are held and sold together', async () => {
      await setUnits(testApp, tea, 5, store);
      await put({ quantity: 3 });
      await put({ modifiers: [iced, whole], quantity: 3 });
      await visit(testApp, session);
      const { lineItems, methods } = await cart();
      expect(
        lineItems.map(({ obtainable, inventoryProcessingStatus: status }) => [obtainable, status]),
      ).toEqual([
        [5, 'available'],
        [2, 'notAvailable'],
      ]);
      expect(methods).toEqual([]);
      expect(errorsOf(await pay(testApp, session))).toHaveProperty([`lineItems.${tea}`]);
      await change(lineItems[1]?.id ?? '', { quantity: 2 });
      const before = await unitsOf(testApp.db.read, tea);
      const { id, number } = await finish(testApp, session, { how: 'pay', lang: 'en' });
      const after = await unitsOf(testApp.db.read, tea);
      expect([after.stock, after.sold - before.sold]).toEqual([before.stock - 5, 5]);
      await testApp.services.fulfilment.cancel(number, 'by mistake');
      expect((await unitsOf(testApp.db.read, tea)).stock).toBe(before.stock);
      expect((await testApp.call('order', { session, params: { id } })).lineItems).toHaveLength(2);
    });

    it('a modifier with a SKU takes its units', async () => {
      await setUnits(testApp, tea, 20, store);
      await setUnits(testApp, 'PEARLS', 5, store);
      await put({ modifiers: usual, quantity: 2 });
      await put({ modifiers: [whole, iced, pearls()] });
      await visit(testApp, session);
      expect((await cart()).lineItems.map(({ obtainable }) => obtainable)).toEqual([2, 1]);
      const [first] = (await cart()).lineItems;
      await change(first?.id ?? '', { quantity: 3 });
      expect(errorsOf(await pay(testApp, session))).toEqual({
        [`lineItems.${tea}`]: 'Pearls is out of stock',
      });
      await change(first?.id ?? '', { quantity: 2 });
      const { number } = await finish(testApp, session, { how: 'pay', lang: 'en' });
      expect((await unitsOf(testApp.db.read, 'PEARLS')).stock).toBe(0);
      const refused = await put({ modifiers: usual }, tea, testApp.shopper());
      expect([refused.status, errorsOf(refused)]).toEqual([409, { quantity: 'Pearls is out of stock' }]);
      await testApp.services.fulfilment.cancel(number, 'by mistake');
      expect((await unitsOf(testApp.db.read, 'PEARLS')).stock).toBe(5);
      await setUnits(testApp, 'PEARLS', 50);
    });

    it('a line in the cart names the modifier that has run out, and the product where that has', async () => {
      await setUnits(testApp, tea, 20, store);
      await setUnits(testApp, 'PEARLS', 50, store);
      await put({ modifiers: usual });
      await visit(testApp, session);
      await setUnits(testApp, 'PEARLS', 1, store);
      const problem = async (lang: 'en' | 'zh') => (await cart(session, lang)).lineItems[0]?.unavailable;
      expect([await problem('en'), await problem('zh')]).toEqual(['Pearls is out of stock', '珍珠已售罄']);
      await setUnits(testApp, 'PEARLS', 50, store);
      expect(await problem('en')).toBeUndefined();
      await setUnits(testApp, tea, 0, store);
      expect((await cart()).lineItems).toMatchObject([
        { inventoryProcessingStatus: 'notAvailable', obtainable: 0 },
      ]);
      expect(await problem('en')).toBeUndefined();
      await setUnits(testApp, tea, 50);
    });
  });
});
