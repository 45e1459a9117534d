import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { CaptureIncompleteReason } from '@paypal/paypal-server-sdk';
import { describe, expect, it } from 'vitest';
import {
  type PaymentOutcome,
  RefundPending,
  RefundRefused,
  RightMissing,
} from '#server/modules/payments/providers/provider.ts';
import type { Funding } from '#tests/fakes/paypal/forms.ts';
import {
  beginAtPayPal as begin,
  beginAtPayPal,
  newCharge as charge,
  openPayPal,
} from '#tests/paypal-payments.ts';
import { conformsAsProvider, type Way } from '#tests/provider-conformance.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

forEachEngine((engine) => {
  conformsAsProvider(async () => {
    const { db } = await createTestApp({ engine });
    const { fake, provider } = await openPayPal(db);
    const by = (funding: Funding): Way => ({
      input: {},
      act: async ({ token }) => fake.approve(token, funding),
    });
    return {
      provider,
      ways: {
        approve: by('good'),
        action: by('good'),
        actionFailed: by('PAYER_CANNOT_PAY'),
        TRANSACTION_ERROR: by('TRANSACTION_REFUSED'),
        VALIDATION_ERROR: by('REFERENCED_CARD_EXPIRED'),
        SYSTEM_ERROR: by('PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING'),
      },
      amounts: { JPY: 3503, KRW: null, KWD: null },
      taken: async (reference) => fake.taken(reference),
      webhookAbout: async (attempt) => fake.webhookAbout(attempt),
      async loseAnswers(work) {
        const lift = fake.fail('lost', /capture$/);
        // The customer has approved once and cannot approve a second time.
        const approve = by('good');
        return work(approve).finally(lift);
      },
      async whileDown(work) {
        const lift = fake.fail('down');
        return work().finally(lift);
      },
    };
  });
});

describe('PayPal', () => {
  it('a PayPal order has the exact amount and the ids by which webhooks and merchants find it', async () => {
    const { fake, id, attempt, outcome } = await begin();
    expect(outcome).toEqual({ state: 'action', action: { type: 'paypal', token: id } });
    expect(fake.orders.get(id)).toMatchObject({
      amount: { currency_code: 'CAD', value: '49.72' },
      customId: attempt.reference,
      referenceId: attempt.orderId,
    });
  });

  it('an amount in yen has no decimals, and an amount that PayPal cannot take is rejected', async () => {
    const { provider, fake, keep } = await begin();
    expect(await provider.start({ ...charge(), amount: 497, currency: 'JPY' }, {}, keep)).toMatchObject({
      state: 'action',
    });
    expect([...fake.orders.values()].at(-1)?.amount).toEqual({ currency_code: 'JPY', value: '497' });
    const odd = { ...charge(), amount: 49750, currency: 'HUF' };
    expect(await provider.start(odd, {}, keep)).toMatchObject({
      state: 'failed',
      failure: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.paypal.invalid' },
    });
  });

  it('a payment reports invalid settings where PayPal does not know the keys', async () => {
    const { fake, make, keep } = await begin();
    fake.revoke();
    const attempt = charge();
    const failed = {
      state: 'failed',
      failure: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.paypal.invalid' },
    };
    const merchantProblem = 'PayPal refused with 401: invalid_client';
    expect(await make().start(attempt, {}, keep)).toEqual({ ...failed, merchantProblem });
  });

  it('a payment approved in another process, or before a restart, is captured', async () => {
    const { fake, make, attempt, id } = await begin();
    fake.approve(id);
    expect(await make().complete(attempt)).toEqual({ state: 'succeeded' });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it('a payment approved after its cancellation is never captured, in any process', async () => {
    const { fake, make, provider, attempt, id } = await begin();
    expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
    fake.approve(id);
    const outcomes = await Promise.all([
      provider.complete(attempt),
      make().complete(attempt),
      make().cancel(attempt),
    ]);
    expect(outcomes.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(fake.asked.filter((what) => what.endsWith('/capture'))).toEqual([]);
    expect(fake.taken(attempt.reference)).toBe(0);
  });

  it('a payment under review by PayPal waits for its outcome', async () => {
    for (const [verdict, state] of [
      ['COMPLETED', 'succeeded'],
      ['DECLINED', 'failed'],
    ] as const) {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id, 'pending');
      expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
      expect(await provider.cancel(attempt)).toEqual({ state: 'undecided' });
      fake.review(id, verdict);
      expect((await provider.complete(attempt)).state).toBe(state);
    }
  });

  it.each(['lost', 'errorAfter', 'error', 'down'] as const)(
    'a capture with a lost answer (%s) is found by asking again',
    async (kind) => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id);
      fake.fail(kind, /capture$/, 1);
      expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
      // Even if the shop has given up by then: that capture may have been on its way.
      expect(await provider.cancel(attempt)).toEqual({ state: 'succeeded' });
      expect(fake.taken(attempt.reference)).toBe(4972);
    },
  );

  it('a request that PayPal does not answer is given up', async () => {
    const { fake, provider, attempt, id } = await begin(1500);
    fake.approve(id);
    const lift = fake.fail('slow', /capture$/, 1);
    expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
    lift();
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('a payment whose order has expired at PayPal is given up', async () => {
    const { fake, provider, attempt } = await begin();
    fake.pass(4 * 60 * 60_000);
    expect(await provider.complete(attempt)).toMatchObject({
      state: 'failed',
    } satisfies Partial<PaymentOutcome>);
  });

  it('an order whose amount was changed is not captured', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.patch(id, '0.01');
    fake.approve(id);
    expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
    expect(fake.asked.filter((what) => what.endsWith('/capture'))).toEqual([]);
  });

  it('a capture of another amount is refunded, and nothing is charged', async () => {
    const { fake, provider, make, attempt, id } = await begin();
    fake.patch(id, '0.01');
    fake.approve(id);
    fake.captureThere(id);
    const lift = fake.fail('error', /refund$/);
    await expect(provider.complete(attempt)).rejects.toThrow('does not give it back');
    await expect(provider.cancel(attempt)).rejects.toThrow('does not give it back');
    lift();
    fake.fail('lost', /refund$/, 1);
    await expect(provider.complete(attempt)).rejects.toThrow('does not give it back');
    expect(await make().complete(attempt)).toMatchObject({ state: 'failed' });
    expect(fake.taken(attempt.reference)).toBe(0);
    expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
  });

  it('a capture by PayPal’s page after the attempt was cancelled is found', async () => {
    const { fake, provider, attempt, id } = await begin();
    await provider.cancel(attempt);
    fake.approve(id);
    expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
    fake.captureThere(id);
    // Whichever request comes first, even without a webhook.
    expect(await provider.cancel(attempt)).toEqual({ state: 'succeeded' });
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('a refund counts as given only once it is', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id);
    await provider.complete(attempt);
    fake.refundsAre('PENDING');
    const [first, second] = [randomUUID(), randomUUID()];
    await expect(provider.refund(attempt, 1000, first)).rejects.toThrow(RefundPending);
    await expect(provider.refund(attempt, 1000, first)).rejects.toThrow(RefundPending);
    fake.refundsAre('COMPLETED');
    await provider.refund(attempt, 1000, first);
    expect(fake.taken(attempt.reference)).toBe(3972);
    fake.refundsAre('PENDING');
    await expect(provider.refund(attempt, 500, second)).rejects.toThrow(RefundPending);
    fake.refundsAre('FAILED');
    await expect(provider.refund(attempt, 500, second)).rejects.toThrow(RefundRefused);
    expect(fake.taken(attempt.reference)).toBe(3972);
  });

  it('a refund whose answer was lost is repeated without giving twice', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id);
    await provider.complete(attempt);
    fake.fail('lost', /refund$/, 1);
    const key = randomUUID();
    await expect(provider.refund(attempt, 1000, key)).rejects.toThrow();
    await provider.refund(attempt, 1000, key);
    expect(fake.taken(attempt.reference)).toBe(3972);
  });

  it('a signed webhook about something else is accepted, and one that PayPal cannot check is to be sent again', async () => {
    const { fake, provider, id } = await begin();
    expect(await provider.parseWebhook(fake.webhook(id, 'CUSTOMER.DISPUTE.CREATED'))).toEqual({
      reference: '',
    });
    for (const kind of ['down', 'error'] as const) {
      fake.fail(kind, /verify/, 1);
      const error = await provider
        .parseWebhook(fake.webhook(id, 'CHECKOUT.ORDER.APPROVED'))
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      // The error is logged, so it must contain no secrets.
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
        /Bearer|A21AA|authorization|secret/i,
      );
    }
  });
});

/** Refunds and disputes in PayPal's dashboard, and what the shop records. */
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
      refundable: false,
    },
  ]);
  const webhook = fake.webhook(id, 'CUSTOMER.DISPUTE.CREATED');
  expect(await provider.parseWebhook(webhook)).toMatchObject({ reference: attempt.reference });
  const outcomes = {
    RESOLVED_BUYER_FAVOUR: 'lost',
    ACCEPTED: 'lost',
    RESOLVED_SELLER_FAVOUR: 'won',
    CANCELED_BY_BUYER: 'won',
  };
  for (const [outcome, state] of Object.entries(outcomes)) {
    Object.assign(dispute, { status: 'RESOLVED', outcome });
    expect(await listed()).toMatchObject([{ state, respondBy: null }]);
  }
});

it('refunds are listed although the app may not read disputes', async () => {
  const { fake, provider, attempt, id } = await paid();
  fake.refundThere(id, '5.00');
  fake.disputesAllowed = false;
  expect(await provider.activity?.(attempt)).toMatchObject({
    refunds: [{ amount: 500 }],
    disputes: expect.any(RightMissing),
  });
});

it('a token that PayPal no longer takes is replaced at once, without a restart', async () => {
  const { fake, provider, attempt } = await paid();
  fake.expireToken();
  expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  fake.expireToken();
  await provider.refund(attempt, 500, randomUUID());
  expect(fake.taken(attempt.reference)).toBe(4472);
});

/** Who has to act, by each reason for a pending capture that PayPal's SDK knows. */
const pending: Readonly<Record<`${CaptureIncompleteReason}`, 'merchant' | 'others'>> = {
  BUYER_COMPLAINT: 'others',
  CHARGEBACK: 'others',
  ECHECK: 'others',
  INTERNATIONAL_WITHDRAWAL: 'merchant',
  OTHER: 'others',
  PENDING_REVIEW: 'others',
  RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION: 'merchant',
  REFUNDED: 'others',
  TRANSACTION_APPROVED_AWAITING_FUNDING: 'others',
  UNILATERAL: 'merchant',
  VERIFICATION_REQUIRED: 'merchant',
  DECLINED_BY_RISK_FRAUD_FILTERS: 'others',
};

it('a payment that PayPal holds until the merchant acts says what to do, for each reason that the SDK knows', async () => {
  expect(Object.keys(pending).sort()).toEqual(Object.values(CaptureIncompleteReason).sort());
  const { fake, provider, attempt, id } = await paid();
  fake.captureBecomes(id, 'PENDING');
  for (const [reason, who] of Object.entries(pending)) {
    fake.waitsFor(id, reason as CaptureIncompleteReason);
    const wait = who === 'merchant' ? { waitsForMerchant: expect.stringContaining(`${reason}: `) } : {};
    expect(await provider.complete(attempt), reason).toEqual({ state: 'undecided', ...wait });
  }
});
