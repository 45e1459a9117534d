/** Lines of orders with modifiers and notes: what is kept, and who sees it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goodPassword, mailsFor, register } from '#tests/accounts.ts';
import { iced, oat, plainGroup, plainModifier, sellTea, tea, usual, whole } from '#tests/modifiers.ts';
import { tokenFor } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { cards, contact, deliver, finish, pay, setUnits, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    await sellTea(testApp);
  });
  let session: Shopper;
  beforeEach(() => {
    session = testApp.shopper();
  });

  const put = (body: object = {}, sku = tea, who = session) =>
    testApp.ask('addToCart', { session: who, params: { itemName: sku }, body: { quantity: 1, ...body } });
  const cart = (who = session, lang: 'en' | 'zh' = 'en') => testApp.call('myCart', { session: who, lang });
  const errorsOf = ({ body }: { body: unknown }) => (body as { errors?: Record<string, string> }).errors;

  describe('lines of an order', () => {
    it('an order keeps the names and amounts of its modifiers, and a cart has those of today', async () => {
      const { editor } = testApp.services;
      await setUnits(testApp, 'PEARLS', 50, store);
      const toppings = (priceCents: number, id = 'pearls') =>
        editor.upsertModifierGroups([
          plainGroup(
            'toppings',
            [plainModifier(id, { priceCents, sku: 'PEARLS', name: { en: `Pearls ${priceCents}` } })],
            {
              max: 3,
              quantities: true,
            },
          ),
        ]);
      await put({ modifiers: usual });
      await visit(testApp, session);
      const { id } = await finish(testApp, session, { how: 'pay', lang: 'en' });
      const waiting = testApp.shopper();
      await put({ modifiers: usual }, tea, waiting);
      await toppings(100);
      expect((await cart(waiting)).lineItems).toMatchObject([
        { unitPrice: 880, modifierText: 'Iced, Less ice, Oat milk, 2 × Pearls 100' },
      ]);
      const order = await testApp.call('order', { session, params: { id } });
      expect(order.lineItems).toMatchObject([
        { unitPrice: 830, modifierText: 'Iced, Less ice, Oat milk, 2 × Pearls' },
      ]);
      expect(order.bill.lineTaxes?.map(({ line }) => line)).toEqual([order.lineItems[0]?.id]);

      await toppings(100, 'jelly');
      await visit(testApp, waiting);
      const { lineItems } = await cart(waiting);
      expect(lineItems).toMatchObject([{ unitPrice: 680, inventoryProcessingStatus: 'notAvailable' }]);
      expect(lineItems[0]?.unavailable).toContain('no longer offered');
      const refused = await pay(testApp, waiting);
      expect([refused.status, errorsOf(refused)]).toEqual([
        409,
        { [`lineItems.${tea}`]: expect.stringContaining('no longer offered') },
      ]);
      await testApp.call('updateCartLine', {
        session: waiting,
        params: { line: lineItems[0]?.id ?? '' },
        body: { modifiers: [iced, oat] },
      });
      expect((await pay(testApp, waiting)).status).toBe(200);
      await editor.upsertModifierGroups([
        plainGroup(
          'toppings',
          [plainModifier('pearls', { priceCents: 75, sku: 'PEARLS', name: { en: 'Pearls', zh: '珍珠' } })],
          {
            max: 3,
            quantities: true,
          },
        ),
      ]);
    });

    it('modifiers and the note are in the email to the staff, and the note in none to an unconfirmed address', async () => {
      const email = `lines.${engine}@example.com`;
      await put({ modifiers: usual, note: 'no straw' });
      await testApp.call('orderContactInfo', {
        session,
        query: { methodName: 'pickup', localStoreName: store },
        body: { contact: { ...contact, email } },
      });
      const { id, number } = await finish(testApp, session, { how: 'pay', lang: 'en' });
      expect((await testApp.call('order', { session, params: { id } })).lineItems).toMatchObject([
        { note: 'no straw' },
      ]);
      const [staff] = (await mailsFor(testApp, 'toronto@maple-and-clay.example', 'newOrder')).filter(
        ({ text }) => text.includes(number),
      );
      expect(staff?.text).toContain('Iced, Less ice, Oat milk, 2 × Pearls');
      expect(staff?.text).toContain('Note: no straw');
      const mails = await mailsFor(testApp, email);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.text).toContain('2 × Pearls');
      expect(mails[0]?.text).not.toContain('straw');
      const byLink = await testApp.call('orderLink', { params: { token: await tokenFor(testApp, email) } });
      expect(byLink.lineItems).toMatchObject([
        { note: '', modifierText: 'Iced, Less ice, Oat milk, 2 × Pearls' },
      ]);
    });

    it('the receiver of a parcel is in the order, and in no email to an unconfirmed address', async () => {
      const email = `sender.${engine}@example.com`;
      const sender = testApp.shopper();
      await sellProduct(testApp, 'PARCEL');
      await put({}, 'PARCEL', sender);
      const receiver = { ...contact, firstName: 'Visit', lastName: 'evil.example' };
      await deliver(testApp, sender, { contact: { ...contact, email }, shippingContact: receiver });
      const { id } = await finish(testApp, sender, { how: 'pay', lang: 'en' });
      const order = await testApp.call('order', { session: sender, params: { id } });
      expect(order.shippingContact).toMatchObject({ lastName: 'evil.example' });
      const [mail] = await mailsFor(testApp, email);
      expect(mail?.text).toContain('Ontario');
      expect(mail?.text).not.toContain('evil.example');
    });

    it('a customer is told what they chose when they last ordered a product, and a guest is not', async () => {
      const { session: own } = await register(testApp);
      const last = (who: Shopper, product = 'tea') =>
        testApp.call('lastChoice', { session: who, query: { product } });
      expect(await last(own)).toBeNull();
      for (const [modifiers, note] of [
        [[iced, whole], ''],
        [usual, 'no straw'],
      ] as const) {
        await put({ modifiers, note }, tea, own);
        await visit(testApp, own);
        await finish(testApp, own, { how: 'pay', lang: 'en' });
        testApp.clock.advance(1000);
      }
      const choice = await last(own);
      expect(choice).toMatchObject({ sku: tea, optionPairs: '', note: 'no straw' });
      const again = await put({ modifiers: choice?.modifiers, note: choice?.note }, tea, own);
      expect(again.body.lineItems).toMatchObject([{ unitPrice: 830, note: 'no straw' }]);
      expect(await last(own, 'cup')).toBeNull();
      expect(await last(session)).toBeNull();
    });

    it('an order whose hold ran out comes back as a cart with its modifiers and notes', async () => {
      await put({ modifiers: usual, note: 'no straw' });
      await put({ modifiers: [iced, whole] });
      await visit(testApp, session);
      const before = await cart();
      expect((await pay(testApp, session, cards.challenge)).body.orderID).toBeNull();
      testApp.clock.advance(60 * 60_000);
      await testApp.services.holds.expireHolds();
      const { lineItems, orderID } = await cart();
      expect(orderID).not.toBe(before.orderID);
      const chosen = (lines: typeof lineItems) => lines.map(({ id: _, ...line }) => line);
      expect(chosen(lineItems)).toEqual(chosen(before.lineItems));
    });

    it('the tax of a set is divided among its products by what they cost alone', async () => {
      await put({}, 'SET');
      await visit(testApp, session);
      // 800 is divided 600 to 300 between the tea, which is taxed, and the muffin, which is not.
      const { bill } = await cart();
      expect(bill).toMatchObject({ subtotal: 800, tax: Math.round(533 * 0.13) });
    });

    it('the note of a line is in the export of a customer, and is deleted with their account', async () => {
      const { session: own } = await register(testApp);
      await put({ modifiers: usual, note: 'for my daughter Ana' }, tea, own);
      await visit(testApp, own);
      const { id, number } = await finish(testApp, own, { how: 'pay', lang: 'en' });
      await testApp.services.fulfilment.move(number, 'completed');
      expect(JSON.stringify(await testApp.call('accountData', { session: own }))).toContain('daughter Ana');
      await testApp.call('deleteAccount', { session: own, body: { currentPassword: goodPassword } });
      const kept = await testApp.db.read
        .selectFrom('order_lines')
        .selectAll()
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow();
      expect(kept).toMatchObject({ note: '', unit_price_cents: 830 });
    });
  });
});
