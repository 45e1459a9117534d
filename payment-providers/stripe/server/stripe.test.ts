import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Attempt, AttemptUnknown, RefundRefused } from '#server/modules/payments/providers/provider.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { conformsAsProvider, type Way } from '#tests/provider-conformance.ts';
import { sampleCharge } from '#tests/sample-charge.ts';
import { readStripeConfig } from './config.ts';
import { createStripeProvider } from './index.ts';

let fake: StripeFake;
beforeAll(async () => {
  fake = await startStripeFake();
});
afterEach(() => {
  fake.faults.clear();
  fake.account.balanceEmpty = false;
});
afterAll(() => fake.close());

/** Time-outs are those of production, unless `timeoutMs` is set: no test depends on how fast the machine is. */
function connect(options: { timeoutMs?: number } = {}) {
  const { config } = readStripeConfig(fake.env);
  if (!config) throw new Error('The fake has no keys');
  return createStripeProvider(config, options);
}

/** Every attempt has its own token, as every submitted form has. */
const card = ({ method }: { method: string }): Way => ({
  get input() {
    return { confirmationToken: fake.token(method) };
  },
});
const answer =
  (agrees: boolean) =>
  async (_: unknown, { providerId }: Attempt) =>
    void fake.account.answer(providerId ?? '', agrees);

conformsAsProvider(async () => ({
  provider: connect(),
  ways: {
    approve: card(testCards.approve),
    action: { ...card(testCards.asksHolder), act: answer(true) },
    actionFailed: { ...card(testCards.asksHolder), act: answer(false) },
    TRANSACTION_ERROR: card(testCards.declined),
    VALIDATION_ERROR: card(testCards.wrongCode),
    SYSTEM_ERROR: card(testCards.notProcessed),
  },
  amounts: { JPY: 3503, KRW: 35_035, KWD: 4970 },
  taken: async (reference) => fake.account.taken(reference),
  async webhookAbout({ reference }) {
    const { headers, body } = fake.webhooks.lastAbout(reference);
    return { headers, body: Buffer.from(body) };
  },
  async loseAnswers(work) {
    fake.faults.add({ call: 'confirm', kind: 'cut after' });
    try {
      return await work(card(testCards.approve));
    } finally {
      fake.faults.clear();
    }
  },
  whileDown: (work) => fake.down(work),
}));

describe('Stripe', () => {
  const kept = () => {
    const ids: string[] = [];
    return { ids, keep: async (id: string) => void ids.push(id) };
  };
  const approved = () => ({ confirmationToken: fake.token(testCards.approve.method) });
  const callsOf = (reference: string) =>
    fake.calls.filter(({ key }) => key?.startsWith(reference)).map(({ call }) => call);

  it('the id of an intent is stored before money can move, and none moves if that fails', async () => {
    const { reference, ...rest } = sampleCharge();
    const refusing = async () => {
      throw new Error('no database');
    };
    await expect(connect().start({ reference, ...rest }, approved(), refusing)).rejects.toThrow(
      'no database',
    );
    expect(callsOf(reference)).toEqual(['create']);
    expect(fake.account.taken(reference)).toBe(0);
  });

  it('an intent of another account or mode is unknown, which is an answer and not an outage of Stripe', async () => {
    const attempt = { ...sampleCharge(), providerId: 'pi_of_another_account' };
    await expect(connect().complete(attempt)).rejects.toThrow(AttemptUnknown);
    await expect(connect().cancel(attempt)).rejects.toThrow(AttemptUnknown);
  });

  it('an intent says what the payment is for, and nothing about who pays', async () => {
    const { reference, ...rest } = sampleCharge({ currency: 'JPY', amount: 497 });
    const { ids, keep } = kept();
    await connect().start({ reference, ...rest }, approved(), keep);
    const intent = fake.account.intent(ids[0] ?? '');
    expect(intent).toMatchObject({
      amount: 497,
      currency: 'jpy',
      description: 'Order order-1',
      metadata: { reference, order: 'order-1' },
    });
    const { form } = fake.calls.find(({ call, key }) => call === 'create' && key === reference) ?? {};
    expect(Object.keys(form ?? {}).sort()).toEqual([
      'amount',
      'automatic_payment_methods',
      'currency',
      'description',
      'excluded_payment_method_types',
      'metadata',
    ]);
  });

  it('an intent says the order’s number once the order has one', async () => {
    const { ids, keep } = kept();
    await connect().start({ ...sampleCharge(), orderNumber: 'MC-2026-000204' }, approved(), keep);
    expect(fake.account.intent(ids[0] ?? '')).toMatchObject({ description: 'Order MC-2026-000204' });
  });

  it('a call whose connection broke is repeated by the same key and charges once', async () => {
    const asked = sampleCharge();
    const { ids, keep } = kept();
    fake.faults.add({ call: 'create', kind: 'cut after', times: 1 });
    fake.faults.add({ call: 'confirm', kind: 'cut after', times: 1 });
    expect(await connect().start(asked, approved(), keep)).toEqual({ state: 'succeeded' });
    expect(callsOf(asked.reference)).toEqual(['create', 'create', 'confirm', 'confirm']);
    expect(ids).toHaveLength(1);
    expect(fake.account.taken(asked.reference)).toBe(4972);
  });

  it('a call without an answer ends in time, and its outcome is found later', async () => {
    const asked = sampleCharge();
    const { ids, keep } = kept();
    let answer: () => void = () => {};
    const until = new Promise<void>((done) => {
      answer = done;
    });
    fake.faults.add({ call: 'confirm', kind: 'slow', until });
    const input = approved();
    // On a busy machine even an immediate answer may take too long.
    do
      await expect(connect({ timeoutMs: 200 }).start(asked, input, keep)).rejects.toThrow(
        /StripeConnectionError/,
      );
    while (!callsOf(asked.reference).includes('confirm'));
    fake.faults.clear();
    answer();
    const attempt = { ...asked, providerId: ids[0] ?? null };
    await expect.poll(() => connect().complete(attempt)).toEqual({ state: 'succeeded' });
    expect(fake.account.taken(asked.reference)).toBe(4972);
  });

  it('a declined intent is cancelled, so that nobody pays it by another card', async () => {
    const { ids, keep } = kept();
    const outcome = await connect().start(
      sampleCharge(),
      { confirmationToken: fake.token(testCards.noFunds.method) },
      keep,
    );
    expect(outcome).toEqual({
      state: 'failed',
      failure: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.insufficientFunds' },
    });
    expect(fake.account.intent(ids[0] ?? '').status).toBe('canceled');
  });

  it('a decline stays open while its intent cannot be cancelled, and closes when asked again', async () => {
    const asked = sampleCharge();
    const { ids, keep } = kept();
    fake.faults.add({ call: 'cancel', kind: 'cut before' });
    const stripe = connect();
    await expect(
      stripe.start(asked, { confirmationToken: fake.token(testCards.expired.method) }, keep),
    ).rejects.toThrow(/Stripe: /);
    fake.faults.clear();
    const attempt = { ...asked, providerId: ids[0] ?? null };
    const failure = { errorType: 'VALIDATION_ERROR', errorKey: 'rule.cardExpired' };
    expect(await stripe.complete(attempt)).toEqual({ state: 'failed', failure });
    // Much later, the reason is still known.
    expect(await stripe.complete(attempt)).toEqual({ state: 'failed', failure });
    Object.assign(fake.account.intent(ids[0] ?? ''), { last_payment_error: null });
    expect(await stripe.complete(attempt)).toEqual({ state: 'failed', failure });
  });

  it('a payment fails if the bank declines after the holder confirmed', async () => {
    const asked = sampleCharge();
    const { ids, keep } = kept();
    const stripe = connect();
    const waiting = await stripe.start(
      asked,
      { confirmationToken: fake.token(testCards.asksThenDeclines.method) },
      keep,
    );
    expect(waiting).toMatchObject({ state: 'action', action: { type: 'stripe' } });
    fake.account.answer(ids[0] ?? '', true);
    expect(await stripe.complete({ ...asked, providerId: ids[0] ?? null })).toEqual({
      state: 'failed',
      failure: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.declined' },
    });
  });

  it('a used-up confirmation token asks for the details again', async () => {
    const again = {
      state: 'failed',
      failure: { errorType: 'VALIDATION_ERROR', errorKey: 'payment.detailsAgain' },
    };
    const used = approved();
    expect((await connect().start(sampleCharge(), used, async () => {})).state).toBe('succeeded');
    expect(await connect().start(sampleCharge(), used, async () => {})).toEqual(again);
    expect(
      await connect().start(sampleCharge(), { confirmationToken: 'ctoken_unknown' }, async () => {}),
    ).toEqual(again);
    expect(await connect().start(sampleCharge(), { confirmationToken: '' }, async () => {})).toEqual(again);
  });

  it('a payment that Stripe will never take fails at once', async () => {
    const refused = await connect().start(sampleCharge({ amount: 30 }), approved(), async () => {});
    expect(refused).toEqual({
      state: 'failed',
      failure: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.tooSmall' },
    });
    const odd = sampleCharge({ amount: 4972, currency: 'KWD' });
    expect(await connect().start(odd, approved(), async () => {})).toMatchObject({ state: 'failed' });
    expect(await connect().cancel({ ...odd, providerId: null })).toMatchObject({ state: 'failed' });
  });

  it.each(['rate limited', 'unauthorized', 'error after'] as const)(
    'the error "%s" is not taken for a decline',
    async (kind) => {
      const asked = sampleCharge();
      const { ids, keep } = kept();
      fake.faults.add({ call: 'confirm', kind });
      await expect(connect().start(asked, approved(), keep)).rejects.toThrow(/^Stripe: /);
      fake.faults.clear();
      const outcome = await connect().cancel({ ...asked, providerId: ids[0] ?? null });
      expect(outcome.state).toBe(fake.account.taken(asked.reference) ? 'succeeded' : 'failed');
    },
  );

  it('an error contains only what may be logged', async () => {
    fake.faults.add({ call: 'confirm', kind: 'error after' });
    const error = await connect()
      .start(sampleCharge(), approved(), async () => {})
      .catch((thrown: unknown) => thrown);
    expect(Object.keys(error as object)).toEqual([]);
    expect(String(error)).not.toMatch(/secret|ctoken|sk_test_shop/);
  });

  it('a replayed answer of Stripe counts no more than its age allows', async () => {
    const asked = sampleCharge();
    const { ids, keep } = kept();
    const stripe = connect();
    const input = { confirmationToken: fake.token(testCards.asksHolder.method) };
    expect((await stripe.start(asked, input, keep)).state).toBe('action');
    fake.account.answer(ids[0] ?? '', true);
    // Sent again, as by a second tab: Stripe repeats that an action is required, though it is completed.
    expect(await stripe.start(asked, input, keep)).toEqual({ state: 'succeeded' });
  });

  describe('refunds at Stripe', () => {
    async function paid(): Promise<Attempt> {
      const asked = sampleCharge();
      const { ids, keep } = kept();
      await connect().start(asked, approved(), keep);
      return { ...asked, providerId: ids[0] ?? null };
    }

    it('a refund is given once for one key, even when Stripe has forgotten the key', async () => {
      const attempt = await paid();
      await connect().refund(attempt, 1000, 'refund-1');
      fake.keys.forget();
      await connect().refund(attempt, 1000, 'refund-1');
      expect(fake.account.taken(attempt.reference)).toBe(3972);
    });

    it('a refund that the balance does not cover is retried later', async () => {
      const attempt = await paid();
      fake.account.balanceEmpty = true;
      await expect(connect().refund(attempt, 4972, randomUUID())).rejects.not.toThrow(RefundRefused);
      fake.account.balanceEmpty = false;
      await connect().refund(attempt, 4972, randomUUID());
      expect(fake.account.taken(attempt.reference)).toBe(0);
      await expect(connect().refund(attempt, 1, randomUUID())).rejects.toThrow(RefundRefused);
    });
  });
});
