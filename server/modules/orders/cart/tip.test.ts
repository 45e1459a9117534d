import { beforeAll, describe, expect, it } from 'vitest';
import { mailsFor, register } from '#tests/accounts.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, pay, reserve, setUnits, visit } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
/** Served in the store: tips are offered for its tax class. */
const tea = 'TEA';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await sellProduct(testApp, tea, { priceCents: 650, taxClass: 'prepared-food' });
    await testApp.services.settings.update({ tipTaxClasses: [] });
    await setUnits(testApp, mug, 500, 'toronto-queen-west');
    await testApp.services.stock.count([{ sku: mug, place: 'warehouse', units: 500 }]);
  });

  const tip = (session: Shopper, body: object) => testApp.ask('tips', { session, body });
  const atStore = async (quantity = 1) => {
    const session = testApp.shopper();
    await add(testApp, session, mug, quantity);
    await visit(testApp, session);
    return session;
  };

  describe('tips', () => {
    it('a tip is a share of the items after discount, outside tax', async () => {
      const session = await atStore(2);
      const plain = (await testApp.call('myCart', { session })).bill;
      expect(plain).toMatchObject({ subtotal: 6400, tip: 0, tax: 832, total: 7232 });
      const { body } = await tip(session, { addTips: true, tip: 15 });
      expect(body).toMatchObject({ addTips: true, tipRate: 0.15, tipAmount: null });
      expect(body.bill).toMatchObject({ tip: 960, tax: 832, total: 8192 });
      expect(body.tips).toEqual({
        methods: ['pickup', 'instore'],
        choices: [
          { percent: 10, amount: 640 },
          { percent: 15, amount: 960 },
          { percent: 20, amount: 1280 },
        ],
      });
      const code = await issueCoupon(testApp, { kind: 'amount', percent: 0, amount: 1400 });
      const { order } = (await enter(testApp, session, code)).body;
      expect(order.bill).toMatchObject({ discount: 1400, tip: 750, tax: 650, total: 5000 + 750 + 650 });
      expect(order.bill.billVersion).not.toBe(body.bill.billVersion);
    });

    it('a modifier that is served takes a tip, although its product alone does not', async () => {
      await testApp.services.settings.update({ tipTaxClasses: ['prepared-food'] });
      const brewed = plainModifier('brewed', { priceCents: 400, taxClass: 'prepared-food' });
      await testApp.services.editor.upsertModifierGroups([plainGroup('with-tea', [brewed])]);
      await sellProduct(testApp, 'KIT', { modifierGroups: [{ group: 'with-tea' }] });
      const tipsWith = async (modifiers: { group: string; modifier: string }[]) => {
        const session = testApp.shopper();
        await testApp.ask('addToCart', {
          session,
          params: { itemName: 'KIT' },
          body: { quantity: 1, modifiers },
        });
        return (await testApp.call('myCart', { session })).tips?.methods;
      };
      expect(await tipsWith([{ group: 'with-tea', modifier: 'brewed' }])).toEqual(['pickup', 'instore']);
      expect(await tipsWith([])).toBeUndefined();
      await testApp.services.settings.update({ tipTaxClasses: [] });
    });

    it('a tip may be an amount that discounts and taxes ignore, and zero clears it', async () => {
      const session = await atStore();
      expect((await tip(session, { addTips: true, tipAmount: 333 })).body).toMatchObject({
        addTips: true,
        tipRate: 0,
        tipAmount: 333,
        bill: { tip: 333, tax: 416, total: 3200 + 416 + 333 },
      });
      for (const none of [
        { addTips: true, tipAmount: 0 },
        { addTips: true, tip: 0 },
        { addTips: false },
        { addTips: false, tip: 15 },
      ]) {
        await tip(session, { addTips: true, tip: 20 });
        expect((await tip(session, none)).body).toMatchObject({
          addTips: false,
          tipRate: 0,
          tipAmount: null,
          bill: { tip: 0 },
        });
      }
    });

    it('a tip must be one that the shop offers, or an amount within the limit', async () => {
      const session = await atStore();
      expect((await tip(session, { addTips: true, tip: 17 })).body.errors).toEqual({
        tip: 'Please choose a tip from the list',
      });
      expect((await tip(session, { addTips: true, tipAmount: 100_001 })).body.errors).toEqual({
        tipAmount: 'This tip is over the limit. Please check the amount.',
      });
      expect((await tip(session, { addTips: true, tipAmount: -1 })).status).toBe(400);
      expect((await tip(testApp.shopper(), { addTips: true, tip: 10 })).body.errorKey).toBe('rule.cartEmpty');
    });

    it('a tip is not charged for a delivery method without tips', async () => {
      const session = await atStore();
      await tip(session, { addTips: true, tip: 10 });
      const { body: shipped } = await deliver(testApp, session);
      expect(shipped.bill).toMatchObject({
        tip: 0,
        total: shipped.bill.subtotal + shipped.bill.shipping + shipped.bill.tax,
      });
      expect((await visit(testApp, session)).body.bill.tip).toBe(320);
      await deliver(testApp, session);
      const { body } = await pay(testApp, session);
      const placed = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      expect(placed).toMatchObject({ addTips: false, tipRate: 0, tips: null, bill: { tip: 0 } });
    });

    it('a placed order shows the tip as agreed', async () => {
      const session = await atStore();
      const { body: cart } = await tip(session, { addTips: true, tip: 10 });
      const { body } = await reserve(testApp, session, { billVersion: cart.bill.billVersion });
      const { tipPercentages } = await testApp.services.settings.all();
      await testApp.services.settings.update({ tipPercentages: [5] });
      const placed = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      await testApp.services.settings.update({ tipPercentages });
      expect(placed).toMatchObject({ addTips: true, tipRate: 0.1, tips: null, bill: cart.bill });
    });

    it('the confirmation email shows tip and coupon in the language of the order', async () => {
      for (const [lang, words] of [
        ['en', ['Discount (WELCOME10): −$3.20', 'Tip: $2.50', 'HST 13%: $3.74', 'Total: $35.04']],
        ['zh', ['优惠（WELCOME10）: −$3.20', '小费: $2.50', 'HST 13%: $3.74', '合计: $35.04']],
      ] as const) {
        const session = testApp.shopper();
        const email = `tipping.${lang}@example.com`;
        await add(testApp, session, mug);
        await testApp.call('orderContactInfo', {
          session,
          query: { methodName: 'pickup', localStoreName: 'toronto-queen-west' },
          body: { contact: { ...contact, email } },
        });
        await enter(testApp, session, 'WELCOME10');
        await tip(session, { addTips: true, tipAmount: 250 });
        await testApp.call('reserve', { session, body: {}, lang });
        const [mail] = await mailsFor(testApp, email);
        for (const line of words) expect(mail?.text).toContain(line);
      }
    });

    it('a guest’s tip stays when the guest registers', async () => {
      const session = await atStore();
      await tip(session, { addTips: true, tipAmount: 444 });
      const customer = await register(testApp, {}, session);
      expect(await testApp.call('myCart', { session: customer.session })).toMatchObject({
        tipAmount: 444,
        bill: { tip: 444 },
      });
    });

    it('a tip is offered and charged only for an order with an item of a served tax class', async () => {
      await testApp.services.settings.update({ tipTaxClasses: ['prepared-food'] });
      const session = await atStore();
      const { status, body } = await tip(session, { addTips: true, tip: 10 });
      expect({ status, tips: body.tips, tip: body.bill.tip }).toEqual({ status: 200, tips: null, tip: 0 });
      await add(testApp, session, tea);
      const served = await testApp.call('myCart', { session });
      expect(served).toMatchObject({
        addTips: true,
        tips: { methods: ['pickup', 'instore'] },
        bill: { tip: 385 },
      });
      await testApp.call('deleteCartItem', { session, body: { itemName: tea } });
      expect((await testApp.call('myCart', { session })).bill.tip).toBe(0);
      await testApp.services.settings.update({ tipTaxClasses: [] });
    });

    it('a tip is not offered where the merchant has switched tips off', async () => {
      const off = { shipping: false, pickup: false, instore: false };
      const { tipMethods } = await testApp.services.settings.all();
      const session = await atStore();
      await tip(session, { addTips: true, tip: 10 });
      await testApp.services.settings.update({ tipMethods: off });
      expect(await testApp.call('myCart', { session })).toMatchObject({ tips: null, bill: { tip: 0 } });
      expect((await tip(session, { addTips: true, tip: 10 })).status).toBe(400);
      expect((await tip(session, { addTips: false })).status).toBe(200);
      await testApp.services.settings.update({ tipMethods });
    });
  });
});
