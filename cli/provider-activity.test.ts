/** Refunds and disputes that begin in a provider's dashboard: the shop's records, output and rejections. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import type { Payment } from '#server/modules/payments/payment/payment.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart, unitsOf } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const day = 24 * 60 * 60_000;

onBothEngines((engine) => {
  let testApp: TestApp;
  let stripe: StripeFake;
  const alerts: MerchantAlert[] = [];

  beforeAll(async () => {
    stripe = await startStripeFake();
    testApp = await createTestApp({
      engine,
      demo: true,
      env: stripe.env,
      services: (deps) => createContainer({ ...deps, onMerchantAlert: (alert) => void alerts.push(alert) }),
    });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    alerts.length = 0;
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });
  afterAll(() => stripe.close());

  interface Bought {
    session: Shopper;
    id: string;
    number: string;
    total: number;
    payment: Payment;
    intent: string;
  }

  async function bought(): Promise<Bought> {
    const session = await shopperWithCart(testApp, mug, 2);
    const body = { confirmationToken: stripe.token(testCards.approve.method) };
    const { orderID } = await testApp.call('payByStripe', { session, body });
    const id = orderID ?? '';
    const order = await testApp.call('order', { session, params: { id } });
    const payment = await testApp.services.payments.attempts.succeededOf(id);
    if (!payment) throw new Error('The order is not paid');
    return {
      session,
      id,
      number: order.orderNumber ?? '',
      total: order.bill.total,
      payment,
      intent: payment.providerId ?? '',
    };
  }

  const shop = (...words: string[]) => shopCommand(testApp, words);

  /** Delivers the last event whose text contains `text`, as Stripe does. */
  function hear(text: string): Promise<boolean> {
    const { headers, body } = stripe.webhooks.lastAbout(text);
    return testApp.services.payments.webhook('Stripe', { headers, body: Buffer.from(body) });
  }

  const stock = async () => (await unitsOf(testApp.db.read, mug)).stock;
  const orderOf = ({ session, id }: Bought) => testApp.call('order', { session, params: { id } });
  const refund = (number: string, amount?: number) =>
    testApp.services.orderRefunds.refund(number, { reason: 'chipped', amount });

  it('a refund in the dashboard reaches its order once, however often its webhooks are delivered', async () => {
    const endpoint = await testApp.services.webhooks.add('https://receiver.example/', ['order.refunded']);
    const order = await bought();
    const { id } = stripe.account.refund(order.intent, 500, {});
    expect([await hear(id), await hear('"type":"charge.refunded"'), await hear(id)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await orderOf(order)).toMatchObject({
      payment: { refunded: 500 },
      refunds: [{ amount: 500, tip: 0, done: true }],
    });
    const sent = await testApp.db.read
      .selectFrom('deliveries')
      .select('body')
      .where('endpoint_id', 'is not', null)
      .execute();
    expect(sent.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { order: { number: order.number, payment: { refunded: 500 } }, refund: { amount: 500, tip: 0 } },
    ]);
    await testApp.services.webhooks.remove(endpoint.id);
    const { printed } = await shop('orders', 'show', order.number);
    expect(printed).toContain(`Of these, $5.00 was refunded outside the shop: Stripe ${id}`);
    expect(printed).toContain(
      `order ${order.number} was refunded outside the shop or lost to a dispute. If its items came back, run`,
    );
  });

  it('a refund in the dashboard that fails later counts as paid again', async () => {
    const order = await bought();
    const given = stripe.account.refund(order.intent, 500, {});
    await hear(given.id);
    stripe.account.endRefund(given, 'failed');
    await hear('"type":"refund.failed"');
    expect(await orderOf(order)).toMatchObject({ payment: { refunded: 0 }, refunds: [] });
    expect((await refund(order.number)).given).toBe(true);
    expect(stripe.account.taken(order.payment.reference)).toBe(0);
  });

  it('a refund by the shop cannot exceed what a refund in the dashboard left, even if no webhook arrived', async () => {
    const order = await bought();
    stripe.account.refund(order.intent, 1000, {});
    await expect(refund(order.number, order.total - 999)).rejects.toThrow(
      'The amount is more than can be refunded',
    );
    expect(
      stripe.account.refunds.filter(({ payment_intent }) => payment_intent === order.intent),
    ).toHaveLength(1);
    expect((await refund(order.number)).refund.amount).toBe(order.total - 1000);
    expect(await orderOf(order)).toMatchObject({ payment: { refunded: order.total } });
  });

  it('a refund that the shop asked for is not counted again when the provider lists it', async () => {
    const order = await bought();
    await refund(order.number, 700);
    await hear('"type":"charge.refunded"');
    expect(await orderOf(order)).toMatchObject({ payment: { refunded: 700 }, refunds: [{ amount: 700 }] });
    expect((await shop('orders', 'show', order.number)).printed).not.toContain('outside the shop');
  });

  it('a refund that the shop requested before refunds carried a key is recognized by its amount, once only', async () => {
    const order = await bought();
    await refund(order.number, 700);
    const [untagged] = stripe.account.refunds;
    if (untagged) untagged.metadata = {};
    stripe.account.refund(order.intent, 700, {});
    for (let time = 0; time < 2; time++) await hear('"type":"charge.refunded"');
    expect((await orderOf(order)).refunds).toMatchObject([{ amount: 700 }, { amount: 700 }]);
    expect((await orderOf(order)).payment?.refunded).toBe(1400);
  });

  it('a cancelled order refunds what the dashboard left, and nothing if nothing is left', async () => {
    const [part, all] = [await bought(), await bought()];
    stripe.account.refund(part.intent, 1000, {});
    const { refund: rest } = await testApp.services.orderRefunds.cancelOrder(part.number, 'out of clay');
    expect(rest).toMatchObject({ given: true, refund: { amount: part.total - 1000 } });
    stripe.account.refund(all.intent, undefined, {});
    expect((await testApp.services.orderRefunds.cancelOrder(all.number, 'out of clay')).refund).toBeNull();
    expect(stripe.account.taken(all.payment.reference)).toBe(0);
    expect(await testApp.services.fulfilment.stockQuestions()).not.toContain(all.number);
  });

  it('items of an order that was refunded in the dashboard are restocked once, when the merchant says so', async () => {
    const [kept, returned] = [await bought(), await bought()];
    for (const { intent } of [kept, returned]) await hear(stripe.account.refund(intent, undefined, {}).id);
    const before = await stock();
    expect((await shop('doctor')).printed).toContain(`npm run shop -- orders restock ${returned.number}`);
    expect((await shop('orders', 'restock', returned.number)).printed).toBe(
      `Returned 2 units of order ${returned.number} to stock.`,
    );
    expect((await shop('orders', 'restock', kept.number, '--none')).printed).toBe(
      `Left stock unchanged for order ${kept.number}.`,
    );
    expect(await stock()).toBe(before + 2);
    const again = await shop('orders', 'restock', returned.number);
    expect([again.code, await stock()]).toEqual([1, before + 2]);
    await hear('"type":"charge.refunded"');
    expect((await shop('doctor')).printed).not.toContain(returned.number);
  });

  it('a dispute is shown with its deadline, mailed to the merchant once, and blocks a refund of the same money', async () => {
    const order = await bought();
    const dispute = stripe.account.dispute(order.intent);
    expect([await hear(dispute.id), await hear(dispute.id)]).toEqual([true, true]);
    const due = isoTime((dispute.evidence_details.due_by ?? 0) * 1000, 'America/Toronto');
    const line = `Dispute ${dispute.id}: $${(order.total / 100).toFixed(2)}, open since `;
    for (const printed of [
      (await shop('orders', 'show', order.number)).printed,
      (await shop('doctor')).printed,
    ]) {
      expect(printed).toContain(line);
      expect(printed).toContain(`fraudulent. Answer it by ${due}`);
    }
    expect(alerts).toMatchObject([
      { kind: 'disputeOpened', values: { order: order.number, dispute: dispute.id } },
    ]);
    const { contactEmail } = await testApp.services.settings.all();
    const mails = (await mailsFor(testApp, contactEmail, 'merchantAlert')).filter(({ text }) =>
      text.includes(dispute.id),
    );
    expect(mails).toHaveLength(1);
    await expect(refund(order.number)).rejects.toThrow(
      'is disputed at Stripe and cannot be refunded as well',
    );
    stripe.account.closeDispute(dispute, 'won');
    await hear('"type":"charge.dispute.closed"');
    expect((await shop('doctor')).printed).not.toContain(dispute.id);
    expect((await refund(order.number)).given).toBe(true);
  });

  it('a lost dispute leaves nothing to refund and asks whether the items were returned', async () => {
    const order = await bought();
    const dispute = stripe.account.dispute(order.intent);
    await hear(dispute.id);
    stripe.account.closeDispute(dispute, 'lost');
    await hear('"type":"charge.dispute.closed"');
    expect((await shop('orders', 'show', order.number)).printed).toMatch(
      /Dispute dp_\w+: \$[\d.]+, lost, opened /,
    );
    expect(await testApp.services.fulfilment.stockQuestions()).toContain(order.number);
    expect((await testApp.services.orderRefunds.cancelOrder(order.number, 'disputed')).refund).toBeNull();
  });

  it('refunds in the dashboard are found without webhooks, for half a year after the payment', async () => {
    const [early, late] = [await bought(), await bought()];
    await testApp.services.payments.checkDue();
    const asked = () => stripe.calls.filter(({ call }) => call === 'listDisputes').length;
    const before = asked();
    await testApp.services.payments.checkDue();
    expect(asked()).toBe(before);
    stripe.account.refund(early.intent, 500, {});
    testApp.clock.advance(day);
    await testApp.services.payments.checkDue();
    expect((await orderOf(early)).payment?.refunded).toBe(500);
    stripe.account.refund(late.intent, 500, {});
    testApp.clock.advance(180 * day);
    await testApp.services.payments.checkDue();
    expect((await testApp.services.payments.attempts.succeededOf(late.id))?.refunded).toBe(0);
  });

  it('a webhook about a refund is requested again if Stripe is out of reach', async () => {
    const order = await bought();
    const { id } = stripe.account.refund(order.intent, 500, {});
    await expect(stripe.down(() => hear(id))).rejects.toThrow();
    await hear(id);
    expect((await orderOf(order)).payment?.refunded).toBe(500);
  });
});
