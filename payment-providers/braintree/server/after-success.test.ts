/** What a sale at Braintree can become after the shop has placed its order, and what order, books and emails say then. */
import braintree, { type TransactionStatus } from 'braintree';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { mailsFor } from '#tests/accounts.ts';
import { followsAfterSuccess, type PaidOrder, type Row, refunded } from '#tests/after-success.ts';
import {
  type BraintreeFake,
  type BraintreeWebhookKind,
  startBraintreeFake,
} from '#tests/fakes/braintree/braintree.ts';
import { isLong } from '#tests/long.ts';
import { sellProduct } from '#tests/products.ts';
import { address, contact, setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const hour = 60 * 60_000;

/** Whether the shop keeps a sale's money, by each status that Braintree's SDK knows. */
const sales: Readonly<Record<TransactionStatus, 'paid' | 'unpaid' | 'refunded'>> = {
  authorizing: 'paid',
  authorized: 'paid',
  submitted_for_settlement: 'paid',
  settlement_pending: 'paid',
  settling: 'paid',
  settlement_confirmed: 'paid',
  settled: 'paid',
  voided: 'refunded',
  settlement_declined: 'unpaid',
  processor_declined: 'unpaid',
  gateway_rejected: 'unpaid',
  authorization_expired: 'unpaid',
  failed: 'unpaid',
};

/** The webhooks that Braintree has about a status of a sale; for others the shop asks. */
const aboutSales: Partial<Record<TransactionStatus, BraintreeWebhookKind>> = {
  settled: 'transaction_settled',
  settlement_declined: 'transaction_settlement_declined',
};

const outcomes = {
  paid: {},
  unpaid: { due: 'all', alerts: ['paymentUncollected'], mails: ['paymentUncollected'] },
  refunded: { back: 'all' },
} as const;

/** By the kind of a dispute, and each status that Braintree's SDK knows. */
const opened = { disputes: ['open'], alerts: ['disputeOpened'] } as const;
const kept = { disputes: ['won'] } as const;
const lost = { disputes: ['lost'], alerts: ['disputeLost'], back: 'all' } as const;
const disputes: Readonly<Record<string, Pick<Row, 'back' | 'alerts' | 'disputes'>>> = {
  open: opened,
  disputed: opened,
  under_review: opened,
  won: kept,
  lost,
  accepted: lost,
  auto_accepted: lost,
  expired: lost,
};

it('the table of disputes has every status of Braintree’s SDK', () => {
  const { Dispute } = braintree as unknown as { Dispute: { Status: Record<string, string> } };
  expect(Object.keys(disputes).sort()).toEqual(Object.values(Dispute.Status).sort());
});

const rows = (fake: () => BraintreeFake): Row[] => [
  ...Object.entries(sales).map(([status, outcome]): Row => {
    const kind = aboutSales[status as TransactionStatus];
    return {
      title: `a sale that turns ${status}`,
      change: ({ providerId }) => fake().becomes(providerId, status as TransactionStatus),
      ...(kind ? { webhooks: async ({ providerId }) => [await fake().webhook(kind, providerId)] } : {}),
      ...outcomes[outcome],
    };
  }),
  ...Object.entries(sales).map(([status, outcome]): Row => {
    const refundOf = ({ providerId }: PaidOrder) => fake().transactions.get(providerId)?.refundIds[0] ?? '';
    return {
      title: `a refund that turns ${status}`,
      isRefunded: true,
      change: (order) => fake().becomes(refundOf(order), status as TransactionStatus),
      ...(outcome === 'paid'
        ? { back: refunded }
        : {
            webhooks: async (order) => [await fake().webhook('refund_failed', refundOf(order))],
            alerts: ['refundFailed'],
            mails: ['refundFailed'],
          }),
    };
  }),
  ...(['chargeback', 'pre_arbitration', 'retrieval'] as const).flatMap((kind) =>
    Object.entries(disputes).map(
      ([status, outcome]): Row => ({
        title: `a ${kind} that is ${status}`,
        change: ({ providerId }) => void Object.assign(fake().dispute(providerId), { kind, status }),
        webhooks: async ({ providerId }) => [await fake().webhook('dispute_opened', providerId)],
        // A bank that asks for information takes nothing, however that ends.
        ...(kind === 'retrieval' && outcome === lost ? kept : outcome),
      }),
    ),
  ),
];

{
  let fake: BraintreeFake;
  followsAfterSuccess(
    async () => {
      fake = await startBraintreeFake();
      return {
        name: 'Braintree',
        env: fake.env,
        async pay(testApp, session) {
          const body = { payment_method_nonce: fake.nonce('good'), billingAddress: address };
          return (await testApp.call('payByBraintree', { session, body })).orderID;
        },
        taken: (reference) => fake.taken(reference),
        close: () => fake.close(),
      };
    },
    rows(() => fake),
    isLong,
  );
}

it('the table of statuses has every status of Braintree’s SDK', () => {
  expect(Object.keys(sales).sort()).toEqual([...braintree.Transaction.Status.All()].sort());
});

onOneEngine((engine) => {
  let testApp: TestApp;
  let fake: BraintreeFake;
  const alerts: MerchantAlert[] = [];

  beforeAll(async () => {
    fake = await startBraintreeFake();
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
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });
  afterAll(() => fake.close());

  async function bought() {
    fake.settlesAtOnce = false;
    const session = await shopperWithCart(testApp, mug, 2);
    const body = { payment_method_nonce: fake.nonce('good'), billingAddress: address };
    const { orderID } = await testApp.call('payByBraintree', { session, body });
    const id = orderID ?? '';
    const payment = await testApp.services.payments.attempts.succeededOf(id);
    const show = () => testApp.call('order', { session, params: { id } });
    const { orderNumber, bill } = await show();
    return {
      session,
      id,
      number: orderNumber ?? '',
      total: bill.total,
      sale: payment?.providerId ?? '',
      show,
    };
  }
  /** Asks as the shop does by itself. */
  async function ask() {
    testApp.clock.advance(2 * hour);
    await testApp.services.payments.checkDue();
  }
  const hear = async (kind: Parameters<BraintreeFake['webhook']>[0], id: string) =>
    expect(await testApp.services.payments.webhook('Braintree', await fake.webhook(kind, id))).toBe(true);
  it('an order whose sale the bank declines to settle is not sent, and its customer can pay again', async () => {
    const order = await bought();
    fake.becomes(order.sale, 'settlement_declined');
    for (let time = 0; time < 2; time++) await hear('transaction_settlement_declined', order.sale);
    await ask();
    expect(alerts).toMatchObject([
      {
        kind: 'paymentUncollected',
        values: { order: order.number, reason: 'settlement_declined (4001: Settlement Declined)' },
      },
    ]);
    const shipped = await shopCommand(testApp, ['orders', 'shipped', order.number]);
    expect([shipped.code, shipped.printed]).toEqual([
      1,
      expect.stringContaining(`is due for order ${order.number}`),
    ]);
    const mails = await mailsFor(testApp, contact.email, 'paymentUncollected');
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(new RegExp(`${order.number}[^]*still due`)),
    ]);

    const { dueVersion = '' } = await order.show();
    const again = {
      payment_method_nonce: fake.nonce('good'),
      billingAddress: address,
      billVersion: dueVersion,
    };
    await testApp.call('payByBraintree', { session: order.session, body: again });
    expect(await order.show()).toMatchObject({ payment: { paid: true }, paid: order.total, due: 0 });
    expect((await shopCommand(testApp, ['orders', 'shipped', order.number])).code).toBe(0);
  });

  it('a refund that waits for a sale to settle is dropped when the sale never does', async () => {
    const order = await bought();
    await testApp.services.orderRefunds.refund(order.number, { reason: 'chipped', amount: 500 });
    fake.becomes(order.sale, 'settlement_declined');
    await ask();
    await testApp.services.payments.reconcile();
    expect(await order.show()).toMatchObject({ paid: 0, due: order.total, refunds: [] });
    expect(alerts.map(({ kind }) => kind)).toEqual(['paymentUncollected']);
  });
});
