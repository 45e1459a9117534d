/** What becomes of payments at Stripe after the shop has placed their orders. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import type { CallName } from '#tests/fakes/stripe/faults.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

onOneEngine((engine) => {
  let testApp: TestApp;
  let fake: StripeFake;
  const alerts: MerchantAlert[] = [];

  beforeAll(async () => {
    fake = await startStripeFake();
    testApp = await createTestApp({
      engine,
      demo: true,
      env: fake.env,
      services: (deps) => createContainer({ ...deps, onMerchantAlert: (alert) => void alerts.push(alert) }),
    });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    alerts.length = 0;
    fake.faults.clear();
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });
  afterAll(() => fake.close());

  async function bought() {
    const session = await shopperWithCart(testApp, mug, 2);
    const body = { confirmationToken: fake.token(testCards.approve.method) };
    const { orderID } = await testApp.call('payByStripe', { session, body });
    const id = orderID ?? '';
    const payment = await testApp.services.payments.attempts.succeededOf(id);
    const show = () => testApp.call('order', { session, params: { id } });
    const { orderNumber, bill } = await show();
    const intent = payment?.providerId ?? '';
    return { id, number: orderNumber ?? '', total: bill.total, reference: payment?.reference ?? '', intent, show };
  }
  const refund = (number: string, amount?: number) => testApp.services.orderRefunds.refund(number, { reason: 'chipped', amount });

  describe('a restricted key', () => {
    const forbid = (call: CallName) => fake.faults.add({ call, kind: 'forbidden' });

    it('a key that may not list disputes still shows the refunds of the dashboard, and the merchant hears of it once', async () => {
      forbid('listDisputes');
      const order = await bought();
      fake.account.refund(order.intent, 1000, {});
      await expect(refund(order.number, order.total - 999)).rejects.toThrow('The amount is more than can be refunded');
      expect(await order.show()).toMatchObject({ payment: { refunded: 1000 }, refunds: [{ amount: 1000 }] });
      expect((await refund(order.number)).refund.amount).toBe(order.total - 1000);
      expect(fake.account.taken(order.reference)).toBe(0);
      expect(alerts).toMatchObject([{ kind: 'rightMissing', values: { reason: expect.stringContaining('rak_dispute_read') } }]);
    });

    it('a key that may not list refunds refunds nothing, with the reason', async () => {
      const order = await bought();
      fake.account.refund(order.intent, 1000, {});
      forbid('listRefunds');
      await expect(refund(order.number, 1000)).rejects.toThrow(/can’t see what was refunded at Stripe.*rak_charge_read/);
      expect(fake.account.taken(order.reference)).toBe(order.total - 1000);
    });

    it('a refund that the key may not make waits with its reason, and the merchant hears of it', async () => {
      const order = await bought();
      forbid('refund');
      expect((await refund(order.number, 1000)).given).toBe(false);
      expect(alerts).toMatchObject([{ kind: 'rightMissing', values: { reason: expect.stringContaining('rak_charge_write') } }]);
      fake.faults.clear();
      await testApp.services.payments.reconcile();
      expect(fake.account.taken(order.reference)).toBe(order.total - 1000);
    });

    const needed = ['list', 'create', 'retrieveToken', 'listRefunds', 'refund', 'listDisputes'] as const;
    it.each(needed)('`doctor` names the right for the call %s if the key lacks it', async (call) => {
      const check = async () => (await shopCommand(testApp, ['doctor'], fake.env)).printed;
      const before = [fake.account.intents.size, fake.account.refunds.length];
      expect(await check()).toContain('OK    Payment rights: Stripe: list payments, Stripe: take payments');
      forbid(call);
      expect(await check()).toMatch(/FAIL {2}Payment rights: Stripe: the restricted key lacks the permission rak_\w+/);
      expect([fake.account.intents.size, fake.account.refunds.length]).toEqual(before);
    });

    it('every call to Stripe that a restricted key may lack is one of those that `doctor` tries', async () => {
      const order = await bought();
      fake.calls.length = 0;
      await refund(order.number);
      await testApp.services.payments.compareMoney(testNow);
      const used = new Set(fake.calls.map(({ call }) => call));
      expect([...used].filter((call) => !needed.some((each) => each === call))).toEqual([]);
    });
  });
});
