/** The shop's requests to Stripe, and its handling of refunds that wait, fail or are refused. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Attempt,
  AttemptUnknown,
  type Charge,
  RefundPending,
  RefundRefused,
  type ShipTo,
} from '#server/modules/payments/providers/provider.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { parameterProblem, parameterTypes } from '#tests/fakes/stripe/schema.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sampleCharge } from '#tests/sample-charge.ts';
import { readStripeConfig } from './config.ts';
import { createStripeProvider, type StripeProvider } from './index.ts';

let fake: StripeFake;
let stripe: StripeProvider;

function connect(change: Record<string, string> = {}): StripeProvider {
  const { config } = readStripeConfig({ ...fake.env, ...change });
  if (!config) throw new Error('The configuration of the fake is wrong');
  return createStripeProvider(config);
}

beforeAll(async () => {
  fake = await startStripeFake();
  stripe = connect();
});
afterAll(() => fake.close());

const shipTo: ShipTo = {
  name: 'Jordan Lin',
  phone: '+1 519-555-0104',
  line1: '100 Demonstration Road',
  line2: 'Unit 5',
  city: 'Waterloo',
  province: 'ON',
  postCode: 'N2L 0A1',
  country: 'CA',
};

const token = () => ({ confirmationToken: fake.token(testCards.approve.method) });

async function start(provider: StripeProvider, charge: Charge, input = token()): Promise<Attempt> {
  let providerId: string | null = null;
  await provider.start(charge, input, async (id) => {
    providerId = id;
  });
  return { ...charge, providerId };
}

describe('requests to Stripe', () => {
  it('every request that the shop can send to Stripe fits the parameter types of the pinned SDK', async () => {
    const attempt = await start(stripe, sampleCharge({ shipTo }));
    await stripe.complete(attempt);
    await stripe.refund(attempt, 1000, randomUUID());
    await stripe.activity?.(attempt);
    await stripe.takenSince?.(Date.now() - 60_000);
    for (const { attempt: ask } of (await stripe.rights?.()) ?? []) await ask();
    await stripe.cancel({ ...sampleCharge(), providerId: null });
    for (const { call, form } of fake.calls)
      expect(parameterProblem(call, form)?.body ?? null, call).toBeNull();
    const sent = new Set(fake.calls.map(({ call }) => call));
    expect(
      Object.keys(parameterTypes).filter((call) => !sent.has(call as keyof typeof parameterTypes)),
    ).toEqual([]);
  });

  it('a request with an unknown, missing or wrong parameter is rejected by the fake as Stripe rejects it', async () => {
    const good = { amount: '100', currency: 'cad' };
    expect(parameterProblem('create', good)).toBeNull();
    const refused = (form: Parameters<typeof parameterProblem>[1]) => parameterProblem('create', form)?.body;
    expect(refused({ ...good, adress: 'x' })).toMatchObject({ code: 'parameter_unknown', param: 'adress' });
    expect(refused({ currency: 'cad' })).toMatchObject({ code: 'parameter_missing', param: 'amount' });
    expect(refused({ ...good, amount: 'much' })).toMatchObject({ param: 'amount' });
    expect(refused({ ...good, automatic_payment_methods: { enabled: 'maybe' } })).toMatchObject({
      param: 'automatic_payment_methods[enabled]',
    });
    expect(refused({ ...good, shipping: { name: 'Jordan', address: { street: 'x' } } })).toMatchObject({
      code: 'parameter_unknown',
      param: 'shipping[address][street]',
    });
    const answer = await fetch(`${fake.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fake.env.STRIPE_SECRET_KEY}` },
      body: new URLSearchParams({ ...good, adress: 'x' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'parameter_unknown' } },
    ]);
  });

  it('an intent carries the shipping address of its order', async () => {
    const { providerId } = await start(stripe, sampleCharge({ shipTo }));
    expect(fake.account.intent(providerId ?? '').shipping).toEqual({
      name: 'Jordan Lin',
      phone: '+1 519-555-0104',
      address: {
        line1: '100 Demonstration Road',
        line2: 'Unit 5',
        city: 'Waterloo',
        state: 'ON',
        postal_code: 'N2L 0A1',
        country: 'CA',
      },
    });
    const pickup = await start(stripe, sampleCharge());
    expect(fake.account.intent(pickup.providerId ?? '').shipping).toBeNull();
  });

  it('an attempt whose key is rejected fails at once and tells the merchant why', async () => {
    const revoked = connect({ STRIPE_SECRET_KEY: 'sk_test_revoked' });
    const outcome = await revoked.start(sampleCharge(), token(), async () => {});
    expect(outcome).toEqual({
      state: 'failed',
      failure: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' },
      merchantProblem: expect.stringMatching(/^Invalid API Key provided: sk_test_\*+$/),
    });
  });

  it('a payment that is processing stays undecided until Stripe decides it', async () => {
    const delayed = () => ({
      confirmationToken: fake.account.createToken({ type: 'card', delayed: true }).id,
    });
    const paid = await start(stripe, sampleCharge(), delayed());
    expect([await stripe.complete(paid), await stripe.cancel(paid)]).toEqual([
      { state: 'undecided' },
      { state: 'undecided' },
    ]);
    fake.account.finishProcessing(paid.providerId ?? '', true);
    expect(await stripe.complete(paid)).toEqual({ state: 'succeeded' });
    const failed = await start(stripe, sampleCharge(), delayed());
    fake.account.finishProcessing(failed.providerId ?? '', false);
    expect(await stripe.complete(failed)).toMatchObject({ state: 'failed' });
  });

  it('an amount below the minimum of its currency fails at once', async () => {
    const outcome = (amount: number, currency: string) =>
      stripe.start(sampleCharge({ amount, currency }), token(), async () => {});
    expect(await outcome(399, 'HKD')).toMatchObject({ failure: { errorKey: 'payment.tooSmall' } });
    expect(await outcome(400, 'HKD')).toEqual({ state: 'succeeded' });
    expect(await outcome(30, 'GBP')).toEqual({ state: 'succeeded' });
  });
});

describe('refunds at Stripe', () => {
  it('a refund that the balance does not cover waits, and is given although Stripe repeats its rejection by the key', async () => {
    const attempt = await start(stripe, sampleCharge());
    const key = randomUUID();
    fake.account.balanceEmpty = true;
    await expect(stripe.refund(attempt, 1000, key)).rejects.toThrow(RefundPending);
    fake.account.balanceEmpty = false;
    await stripe.refund(attempt, 1000, key);
    await stripe.refund(attempt, 1000, key);
    expect(fake.account.taken(attempt.reference)).toBe(3972);
  });

  it.each(['pending', 'requires_action'] as const)(
    'a refund that is %s is not given until it succeeds',
    async (status) => {
      const attempt = await start(stripe, sampleCharge());
      const key = randomUUID();
      fake.account.refundsBecome = status;
      await expect(stripe.refund(attempt, 1000, key)).rejects.toThrow(RefundPending);
      fake.account.refundsBecome = 'succeeded';
      await expect(stripe.refund(attempt, 1000, key)).rejects.toThrow(RefundPending);
      const [refund] = fake.account.refunds;
      fake.account.endRefund({ id: refund?.id ?? '' }, 'succeeded');
      await stripe.refund(attempt, 1000, key);
      expect(fake.account.taken(attempt.reference)).toBe(3972);
    },
  );

  it('a refund that fails after it was given is reported by webhooks that name it', async () => {
    const attempt = await start(stripe, sampleCharge());
    const key = randomUUID();
    await stripe.refund(attempt, 1000, key);
    const [refund] = fake.account.refunds;
    fake.account.endRefund({ id: refund?.id ?? '' }, 'failed', 'expired_or_canceled_card');
    for (const type of ['refund.failed', 'refund.updated', 'charge.refund.updated']) {
      const { headers, body } = fake.webhooks.lastAbout(`"type":"${type}"`);
      const webhook = { headers, body: Buffer.from(body) };
      const about = { reference: attempt.reference, refundKey: key, providerId: attempt.providerId };
      expect(await stripe.parseWebhook(webhook), type).toMatchObject(about);
    }
    expect((await stripe.activity?.(attempt))?.refunds).toMatchObject([
      { key, state: 'failed', reason: 'expired_or_canceled_card' },
    ]);
    await expect(stripe.refund(attempt, 1000, key)).rejects.toThrow(RefundRefused);
    expect(fake.account.taken(attempt.reference)).toBe(4972);
  });

  it('a disputed charge gets no refund until the dispute is won', async () => {
    const attempt = await start(stripe, sampleCharge());
    const dispute = fake.account.dispute(attempt.providerId ?? '');
    await expect(stripe.refund(attempt, 1000, randomUUID())).rejects.toThrow(RefundRefused);
    fake.account.closeDispute(dispute, 'won');
    await stripe.refund(attempt, 1000, randomUUID());
    expect(fake.account.taken(attempt.reference)).toBe(3972);
  });

  it('refunds and disputes that begin in Stripe’s dashboard are listed with the shop’s own refunds', async () => {
    const attempt = await start(stripe, sampleCharge({ currency: 'JPY', amount: 49_700 }));
    const key = randomUUID();
    await stripe.refund(attempt, 10_000, key);
    const intent = attempt.providerId ?? '';
    const byHand = fake.account.refund(intent, 50, {});
    fake.account.endRefund(byHand, 'failed');
    const dispute = fake.account.dispute(intent, 'product_not_received');
    const listed = await stripe.activity?.(attempt);
    expect(listed).toEqual({
      uncollected: null,
      refunds: [
        {
          id: byHand.id,
          key: null,
          amount: 50,
          state: 'failed',
          at: byHand.created * 1000,
          reason: 'lost_or_stolen_card',
        },
        expect.objectContaining({ key, amount: 10_000, state: 'given' }),
      ],
      disputes: [
        {
          id: dispute.id,
          amount: 49_700,
          state: 'open',
          reason: 'product_not_received',
          at: dispute.created * 1000,
          respondBy: (dispute.evidence_details.due_by ?? 0) * 1000,
          refundable: false,
        },
      ],
    });
    fake.account.closeDispute(dispute, 'lost');
    expect((await stripe.activity?.(attempt))?.disputes).toMatchObject([{ state: 'lost', respondBy: null }]);
  });

  it('an intent of another account has no refunds or disputes, which is an answer and not an outage of Stripe', async () => {
    await expect(stripe.activity?.({ ...sampleCharge(), providerId: 'pi_other' })).rejects.toThrow(
      AttemptUnknown,
    );
  });
});
