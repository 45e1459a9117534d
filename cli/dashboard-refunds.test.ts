/**
 * Refunds made in PayPal's dashboard or Braintree's Control Panel: their effect on the order, its stock and further refunds.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { mailsFor } from '#tests/accounts.ts';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { sellProduct } from '#tests/products.ts';
import { address, setUnits, shopperWithCart, unitsOf } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const hour = 60 * 60_000;

onOneEngine((engine) => {
  let testApp: TestApp;
  let payPal: PayPalFake;
  let braintree: BraintreeFake;
  const alerts: MerchantAlert[] = [];

  beforeAll(async () => {
    [payPal, braintree] = await Promise.all([startPayPalFake(), startBraintreeFake()]);
    payPal.now = () => testNow;
    testApp = await createTestApp({
      engine,
      demo: true,
      env: { ...payPal.env, ...braintree.env },
      services: (deps) => createContainer({ ...deps, onMerchantAlert: (alert) => void alerts.push(alert) }),
    });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    alerts.length = 0;
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });
  afterAll(() => Promise.all([payPal.close(), braintree.close()]));

  interface Provider {
    name: 'PayPal' | 'Braintree';
    pay(session: Shopper): Promise<string | null>;
    /** Refunds $5.00 in the provider's dashboard. Returns the provider's id of the refund. */
    refundThere(id: string): string;
    disputeThere(id: string): string;
    /** Informs the shop in the way that the provider uses. */
    hear(id: string, what: 'refund' | 'dispute'): Promise<void>;
    taken(reference: string): number;
  }
  const deliver = async (name: string, webhook: ReturnType<PayPalFake['webhook']>) =>
    expect(await testApp.services.payments.webhook(name, webhook)).toBe(true);

  const byPayPal: Provider = {
    name: 'PayPal',
    async pay(session) {
      const { bill } = await testApp.call('myCart', { session });
      const { token } = await testApp.call('payPalToken', { session, query: { id: bill.billVersion } });
      payPal.approve(token);
      return (
        await testApp.call('payPalPayment', { session, body: { paymentId: token, payerID: 'QYR5Z8XDVJNXQ' } })
      ).orderID;
    },
    // PayPal gives a refund made in the dashboard no custom ID.
    refundThere: (id) => payPal.refundThere(id, '5.00', false),
    disputeThere: (id) => payPal.dispute(id).id,
    hear: (id, what) =>
      deliver(
        'PayPal',
        payPal.webhook(id, what === 'refund' ? 'PAYMENT.CAPTURE.REFUNDED' : 'CUSTOMER.DISPUTE.CREATED'),
      ),
    taken: (reference) => payPal.taken(reference),
  };
  const byBraintree: Provider = {
    name: 'Braintree',
    async pay(session) {
      const body = { payment_method_nonce: braintree.nonce('good'), billingAddress: address };
      return (await testApp.call('payByBraintree', { session, body })).orderID;
    },
    refundThere: (id) => braintree.refundThere(id, '5.00'),
    disputeThere: (id) => braintree.dispute(id).id,
    async hear(id, what) {
      if (what === 'dispute') return deliver('Braintree', await braintree.webhook('dispute_opened', id));
      // Braintree has no webhooks about refunds: the shop polls.
      testApp.clock.advance(2 * hour);
      await testApp.services.payments.checkDue();
    },
    taken: (reference) => braintree.taken(reference),
  };

  async function bought(provider: Provider) {
    const session = await shopperWithCart(testApp, mug, 2);
    const id = (await provider.pay(session)) ?? '';
    const order = await testApp.call('order', { session, params: { id } });
    const payment = await testApp.services.payments.attempts.succeededOf(id);
    const { reference = '', providerId } = payment ?? {};
    return {
      session,
      id,
      number: order.orderNumber ?? '',
      total: order.bill.total,
      reference,
      providerId: providerId ?? '',
    };
  }
  const shop = (...words: string[]) => shopCommand(testApp, words);
  const stock = async () => (await unitsOf(testApp.db.read, mug)).stock;

  it('`orders show` links a PayPal payment to its transaction, and to the list of transactions while PayPal is away', async () => {
    const { number, providerId } = await bought(byPayPal);
    const show = async () => {
      const { printed } = await shopCommand(testApp, ['orders', 'show', number], payPal.env);
      return printed.split('\n').find((line) => line.includes('PayPal payment'));
    };
    const capture = payPal.orders.get(providerId)?.capture?.id;
    expect(await show()).toMatch(
      new RegExp(`${providerId}, https://www\\.sandbox\\.paypal\\.com/activity/payment/${capture}$`),
    );
    const lift = payPal.fail('down', /orders/);
    expect(await show()).toMatch(/activity\/$/);
    lift();
  });

  describe.each([['PayPal'], ['Braintree']])('refunds and disputes at %s', (name) => {
    const provider = name === 'PayPal' ? byPayPal : byBraintree;

    it(`a refund in the dashboard of ${name} reaches the order, its stock question and the next refund`, async () => {
      const order = await bought(provider);
      const before = await stock();
      const refundId = provider.refundThere(order.providerId);
      for (let time = 0; time < 2; time++) await provider.hear(order.providerId, 'refund');
      expect(await testApp.call('order', { session: order.session, params: { id: order.id } })).toMatchObject(
        {
          payment: { refunded: 500 },
          refunds: [{ amount: 500, tip: 0, done: true }],
        },
      );
      expect((await shop('orders', 'show', order.number)).printed).toContain(
        `Of these, $5.00 was refunded outside the shop: ${name} ${refundId}`,
      );
      expect(await stock()).toBe(before);
      expect((await shop('doctor')).printed).toContain(`npm run shop -- orders restock ${order.number}`);
      await shop('orders', 'restock', order.number);
      expect(await stock()).toBe(before + 2);
      const refund = (amount?: number) =>
        testApp.services.orderRefunds.refund(order.number, { reason: 'chipped', amount });
      await expect(refund(order.total - 499)).rejects.toThrow('The amount is more than can be refunded');
      expect((await refund()).refund.amount).toBe(order.total - 500);
      expect(provider.taken(order.reference)).toBe(0);
    });

    it(`a dispute at ${name} is mailed to the merchant once and blocks a refund`, async () => {
      const order = await bought(provider);
      const dispute = provider.disputeThere(order.providerId);
      for (let time = 0; time < 2; time++) await provider.hear(order.providerId, 'dispute');
      expect(alerts).toMatchObject([
        { kind: 'disputeOpened', values: { provider: name, order: order.number, dispute } },
      ]);
      const { contactEmail } = await testApp.services.settings.all();
      const mails = (await mailsFor(testApp, contactEmail, 'merchantAlert')).filter(({ text }) =>
        text.includes(dispute),
      );
      expect(mails).toHaveLength(1);
      expect((await shop('orders', 'show', order.number)).printed).toContain(`Dispute ${dispute}: `);
      await expect(testApp.services.orderRefunds.refund(order.number, { reason: 'chipped' })).rejects.toThrow(
        `is disputed at ${name}`,
      );
    });
  });
});
