/** Refunds and disputes in PayPal's dashboard, and what the shop records. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { beginAtPayPal } from '#tests/paypal-payments.ts';

/** A payment of $49.72 that PayPal has captured. */
async function paid() {
  const begun = await beginAtPayPal();
  begun.fake.approve(begun.id);
  await begun.provider.complete(begun.attempt);
  return begun;
}

it('a refund in PayPal’s dashboard is listed with the shop’s own, which carry their keys', async () => {
  const { fake, provider, attempt, id } = await paid();
  const key = randomUUID();
  await provider.refund(attempt, 1000, key);
  const byHand = fake.refundThere(id, '5.00');
  expect((await provider.activity?.(attempt))?.refunds).toMatchObject([
    { key, amount: 1000, state: 'given' },
    { id: byHand, key: null, amount: 500, state: 'given', at: Date.UTC(2026, 4, 16, 14) },
  ]);
});

it.each(['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED'] as const)(
  'a webhook %s without a custom ID names the attempt of its capture',
  async (type) => {
    const { fake, provider, attempt, id } = await paid();
    fake.refundThere(id, '5.00', false);
    const news = fake.webhook(id, type);
    expect(news.body.toString()).not.toContain(attempt.reference);
    expect(await provider.parseWebhook(news)).toMatchObject({ reference: attempt.reference, providerId: id });
    fake.fail('down', /payments\/captures/, 1);
    await expect(provider.parseWebhook(fake.webhook(id, type))).rejects.toThrow();
  },
);

it('a refund that PayPal could not give is listed as failed', async () => {
  const { fake, provider, attempt, id } = await paid();
  fake.refundsAre('FAILED');
  fake.refundThere(id, '5.00');
  expect((await provider.activity?.(attempt))?.refunds).toMatchObject([{ amount: 500, state: 'failed' }]);
});

it('a dispute at PayPal is listed with its deadline, later with its outcome, and its webhook names the attempt', async () => {
  const { fake, provider, attempt, id } = await paid();
  const dispute = fake.dispute(id);
  const listed = async () => (await provider.activity?.(attempt))?.disputes;
  expect(await listed()).toEqual([
    {
      id: dispute.id,
      amount: 4972,
      state: 'open',
      reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
      at: Date.UTC(2026, 4, 20, 9),
      respondBy: Date.UTC(2026, 4, 30, 9),
    },
  ]);
  const webhook = fake.webhook(id, 'CUSTOMER.DISPUTE.CREATED');
  expect(await provider.parseWebhook(webhook)).toMatchObject({ reference: attempt.reference });
  const outcomes = { RESOLVED_BUYER_FAVOUR: 'lost', ACCEPTED: 'lost', RESOLVED_SELLER_FAVOUR: 'won', CANCELED_BY_BUYER: 'won' };
  for (const [outcome, state] of Object.entries(outcomes)) {
    Object.assign(dispute, { status: 'RESOLVED', outcome });
    expect(await listed()).toMatchObject([{ state, respondBy: null }]);
  }
});

it('refunds are listed although the app may not read disputes', async () => {
  const { fake, provider, attempt, id } = await paid();
  fake.refundThere(id, '5.00');
  fake.disputesAllowed = false;
  expect(await provider.activity?.(attempt)).toMatchObject({ refunds: [{ amount: 500 }], disputes: [] });
});
