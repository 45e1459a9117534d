/** What becomes of payments at Stripe after the shop has placed their orders. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { followsAfterSuccess, type PaidOrder, type Row, refunded } from '#tests/after-success.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { parseDeclarations } from '#tests/fakes/stripe/declarations.ts';
import type { CallName } from '#tests/fakes/stripe/faults.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import type { SentWebhook } from '#tests/fakes/stripe/webhooks.ts';
import { isLong } from '#tests/long.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

/** What becomes of a refund, by each status that Stripe's SDK documents. */
const refunds: Readonly<Record<string, Pick<Row, 'back' | 'alerts' | 'mails'>>> = {
  pending: { back: refunded },
  requires_action: { back: refunded },
  succeeded: { back: refunded },
  failed: { alerts: ['refundFailed'], mails: ['refundFailed'] },
  canceled: { alerts: ['refundFailed'], mails: ['refundFailed'] },
};

it('the table of refunds has every status that the SDK documents', () => {
  const file = fileURLToPath(import.meta.resolve('stripe')).replace(/[^/]+$/, 'resources/Refunds.d.ts');
  const [, documented = ''] =
    /Status of the refund\. This can be (.*?)\. Learn more/.exec(readFileSync(file, 'utf8')) ?? [];
  const statuses = [...documented.matchAll(/`(\w+)`/g)].map(([, status]) => status);
  expect(statuses.length).toBeGreaterThan(3);
  expect(Object.keys(refunds).sort()).toEqual(statuses.toSorted());
});

/** What becomes of an order, by each status of a dispute that Stripe's SDK knows. */
const opened = { disputes: ['open'], alerts: ['disputeOpened'] } as const;
const kept = { disputes: ['won'] } as const;
const disputes: Readonly<Record<string, Pick<Row, 'back' | 'alerts' | 'disputes'>>> = {
  warning_needs_response: opened,
  warning_under_review: opened,
  warning_closed: kept,
  needs_response: opened,
  under_review: opened,
  appeal_needs_response: opened,
  appeal_under_review: opened,
  won: kept,
  lost: { disputes: ['lost'], alerts: ['disputeLost'], back: 'all' },
  prevented: kept,
};

it('the table of disputes has every status of the SDK', () => {
  const file = fileURLToPath(import.meta.resolve('stripe')).replace(/[^/]+$/, 'resources/Disputes.d.ts');
  const type = parseDeclarations(readFileSync(file, 'utf8')).get('Dispute.Status');
  const statuses =
    type?.kind === 'union' ? type.of.flatMap((each) => (each.kind === 'literal' ? [each.text] : [])) : [];
  expect(statuses.length).toBeGreaterThan(5);
  expect(Object.keys(disputes).sort()).toEqual(statuses.toSorted());
});

const webhookOf = ({ headers, body }: SentWebhook) => ({ headers, body: Buffer.from(body) });

const rows = (fake: () => StripeFake): Row[] => [
  ...Object.entries(refunds).map(([status, outcome]): Row => {
    const refundOf = ({ refundKey }: PaidOrder) =>
      fake().account.refunds.find(({ metadata }) => metadata?.key === refundKey);
    return {
      title: `a refund that turns ${status}`,
      isRefunded: true,
      change: (order) => fake().account.endRefund({ id: refundOf(order)?.id ?? '' }, status),
      webhooks: (order) =>
        fake()
          .webhooks.allAbout(refundOf(order)?.id ?? '')
          .map(webhookOf),
      ...outcome,
    };
  }),
  ...Object.entries(disputes).map(
    ([status, outcome]): Row => ({
      title: `a dispute that is ${status}`,
      change: ({ providerId }) => fake().account.changeDispute(fake().account.dispute(providerId), status),
      webhooks: ({ providerId }) =>
        fake()
          .webhooks.allAbout(`"payment_intent":"${providerId}","`)
          .filter(({ body }) => body.includes('"object":"dispute"'))
          .map(webhookOf),
      ...outcome,
    }),
  ),
];

{
  let fake: StripeFake;
  followsAfterSuccess(
    async () => {
      fake = await startStripeFake();
      return {
        name: 'Stripe',
        env: fake.env,
        async pay(testApp, session) {
          const body = { confirmationToken: fake.token(testCards.approve.method) };
          return (await testApp.call('payByStripe', { session, body })).orderID;
        },
        taken: (reference) => fake.account.taken(reference),
        close: () => fake.close(),
      };
    },
    rows(() => fake),
    isLong,
  );
}

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
    return {
      session,
      id,
      number: orderNumber ?? '',
      total: bill.total,
      reference: payment?.reference ?? '',
      intent,
      show,
    };
  }
  const refund = (number: string, amount?: number) =>
    testApp.services.orderRefunds.refund(number, { reason: 'chipped', amount });

  it('paying what is due again after a lost answer says the same words to Stripe', async () => {
    const order = await bought();
    const more = await shopCommand(
      testApp,
      ['orders', 'change', order.number, '--line', `${mug}=3`],
      fake.env,
    );
    expect(more.code).toBe(0);
    const { dueVersion = '' } = await order.show();
    const pay = () =>
      testApp.ask('payByStripe', {
        session: order.session,
        body: { confirmationToken: fake.token(testCards.approve.method), billVersion: dueVersion },
      });
    // The SDK asks twice.
    fake.faults.add({ call: 'create', kind: 'cut after', times: 2 });
    await pay();
    await pay();
    await testApp.services.payments.reconcile();
    testApp.clock.advance(20 * 60_000);
    await testApp.services.payments.reconcile();
    const words = new Set(
      fake.calls
        .filter(({ call, key }) => call === 'create' && key)
        .map(({ key, form }) => `${key} ${form.description}`),
    );
    expect(words.size).toBe(
      new Set(fake.calls.filter(({ call }) => call === 'create').map(({ key }) => key)).size,
    );
    expect(await testApp.services.payments.attempts.undecided()).toEqual([]);
  });

  describe('a disputed order', () => {
    const hear = async (text: string) => {
      const { headers, body } = fake.webhooks.lastAbout(text);
      expect(await testApp.services.payments.webhook('Stripe', { headers, body: Buffer.from(body) })).toBe(
        true,
      );
    };
    const run = (...words: string[]) => shopCommand(testApp, ['orders', ...words], fake.env);

    it('a disputed order is handed over only once staff have said so, and its alert has the deadline and the page to answer', async () => {
      const order = await bought();
      const dispute = fake.account.dispute(order.intent);
      await hear(dispute.id);
      expect(alerts).toMatchObject([
        {
          kind: 'disputeOpened',
          values: {
            deadline: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
            url: `https://dashboard.stripe.com/test/disputes/${dispute.id}`,
          },
        },
      ]);
      expect(await run('shipped', order.number)).toMatchObject({
        code: 1,
        printed: expect.stringContaining('accept-dispute'),
      });
      expect((await run('accept-dispute', order.number)).code).toBe(0);
      expect((await run('shipped', order.number)).code).toBe(0);
    });

    it('an inquiry that leaves the charge refundable is refunded', async () => {
      const order = await bought();
      const inquiry = fake.account.dispute(order.intent);
      fake.account.changeDispute(inquiry, 'warning_needs_response');
      await hear(inquiry.id);
      expect((await refund(order.number)).given).toBe(true);
      expect(fake.account.taken(order.reference)).toBe(0);
    });

    it.each([
      ['won', true],
      ['lost', false],
    ] as const)(
      'an order that is cancelled while it is disputed is refunded if the dispute is %s: %s',
      async (status, isSent) => {
        const order = await bought();
        const dispute = fake.account.dispute(order.intent);
        await hear(dispute.id);
        await testApp.services.orderRefunds.cancelOrder(order.number, 'disputed');
        expect(await order.show()).toMatchObject({ refunds: [{ amount: order.total, done: false }] });
        expect(await testApp.services.payments.reconcile()).toMatchObject({ refunded: 0, refused: 0 });
        fake.account.closeDispute(dispute, status);
        await hear(dispute.id);
        expect(await testApp.services.payments.reconcile()).toMatchObject({
          refunded: isSent ? 1 : 0,
          refused: 0,
        });
        expect(await order.show()).toMatchObject({
          payment: { refunded: order.total },
          refunds: [{ amount: order.total, done: true }],
        });
        expect(fake.account.taken(order.reference)).toBe(0);
        expect(alerts.map(({ kind }) => kind)).toEqual([
          'disputeOpened',
          isSent ? 'disputeWon' : 'disputeLost',
        ]);
      },
    );

    it('an order whose dispute is lost no longer reads as paid, until an appeal is won', async () => {
      const order = await bought();
      const dispute = fake.account.dispute(order.intent);
      const line = async () => (await run('list', '--search', order.number)).printed.split('\n')[0];
      expect(await line()).toContain('paid online');
      for (const [status, word] of [
        ['lost', 'refunded'],
        ['appeal_under_review', 'paid online'],
        ['lost', 'refunded'],
        ['won', 'paid online'],
      ] as const) {
        fake.account.changeDispute(dispute, status);
        await hear(dispute.id);
        expect(await line()).toContain(word);
      }
      expect((await order.show()).payment?.refunded).toBe(0);
    });
  });

  describe('a restricted key', () => {
    const forbid = (call: CallName) => fake.faults.add({ call, kind: 'forbidden' });

    it('a key that may not list disputes still shows the refunds of the dashboard, and the merchant hears of it once', async () => {
      forbid('listDisputes');
      const order = await bought();
      fake.account.refund(order.intent, 1000, {});
      await expect(refund(order.number, order.total - 999)).rejects.toThrow(
        'The amount is more than can be refunded',
      );
      expect(await order.show()).toMatchObject({ payment: { refunded: 1000 }, refunds: [{ amount: 1000 }] });
      expect((await refund(order.number)).refund.amount).toBe(order.total - 1000);
      expect(fake.account.taken(order.reference)).toBe(0);
      expect(alerts).toMatchObject([
        { kind: 'rightMissing', values: { reason: expect.stringContaining('rak_dispute_read') } },
      ]);
    });

    it('a key that may not list refunds refunds nothing, with the reason', async () => {
      const order = await bought();
      fake.account.refund(order.intent, 1000, {});
      forbid('listRefunds');
      await expect(refund(order.number, 1000)).rejects.toThrow(
        /can’t see what was refunded at Stripe.*rak_charge_read/,
      );
      expect(fake.account.taken(order.reference)).toBe(order.total - 1000);
    });

    it('a refund that the key may not make waits with its reason, and the merchant hears of it', async () => {
      const order = await bought();
      forbid('refund');
      expect((await refund(order.number, 1000)).given).toBe(false);
      expect(alerts).toMatchObject([
        { kind: 'rightMissing', values: { reason: expect.stringContaining('rak_charge_write') } },
      ]);
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
      expect(await check()).toMatch(
        /FAIL {2}Payment rights: Stripe: the restricted key lacks the permission rak_\w+/,
      );
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
