import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '#db/database.ts';
import {
  type Attempt,
  AttemptUnknown,
  RefundPending,
  RefundRefused,
} from '#server/modules/payments/providers/provider.ts';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import type { NonceKind } from '#tests/fakes/braintree/nonces.ts';
import { conformsAsProvider, type Way } from '#tests/provider-conformance.ts';
import { createTestApp, onOneEngine, testNow } from '#tests/test-app.ts';
import { createBraintreeClient } from './client.ts';
import { readBraintreeConfig } from './config.ts';
import { createBraintreeProvider } from './index.ts';

const fakes: BraintreeFake[] = [];
afterAll(() => Promise.all(fakes.map((fake) => fake.close())));

async function open(
  db: Database,
  clock = { at: testNow },
  timeoutMs?: number,
  env: Record<string, string> = {},
) {
  const fake = await startBraintreeFake();
  fakes.push(fake);
  const { config } = readBraintreeConfig({ ...fake.env, ...env });
  if (!config) throw new Error('The fake is no configuration');
  const make = () => createBraintreeProvider({ config, db, now: () => clock.at, timeoutMs });
  return { fake, provider: make(), make };
}

onOneEngine((engine) => {
  conformsAsProvider(async () => {
    const { db } = await createTestApp({ engine });
    const { fake, provider } = await open(db);
    const by = (kind: NonceKind): Way => ({
      // A new nonce per request, as the form creates: no test may rely on a reusable one.
      get input() {
        return { payment_method_nonce: fake.nonce(kind) };
      },
    });
    return {
      provider,
      ways: {
        approve: by('good'),
        TRANSACTION_ERROR: by('declined'),
        VALIDATION_ERROR: by('number wrong'),
        SYSTEM_ERROR: by('network down'),
      },
      amounts: { JPY: 3503, KRW: 35_035, KWD: 4972 },
      taken: async (reference) => fake.taken(reference),
      webhookAbout: async (attempt) => fake.webhookAbout(attempt),
      async loseAnswers(work) {
        const lift = fake.fail('lost', /\/transactions$/);
        return work(by('good')).finally(lift);
      },
      async whileDown(work) {
        const lift = fake.fail('down');
        return work().finally(lift);
      },
    };
  });
});

describe('Braintree', () => {
  async function begin(kind: NonceKind, timeoutMs?: number, env?: Record<string, string>) {
    const { db } = await createTestApp({ engine: 'sqlite' });
    const clock = { at: testNow };
    const opened = await open(db, clock, timeoutMs, env);
    const attempt: Attempt = {
      reference: randomUUID(),
      orderId: randomUUID(),
      amount: 4972,
      currency: 'CAD',
      locale: 'en',
      providerId: null,
    };
    const keep = async (id: string) => {
      attempt.providerId = id;
    };
    const start = () =>
      opened.provider.start(attempt, { payment_method_nonce: opened.fake.nonce(kind) }, keep);
    return { ...opened, attempt, keep, clock, start };
  }

  /** Sends a sale for the same attempt that the shop does not know of. Returns its id at Braintree. */
  async function sellBeside(
    fake: BraintreeFake,
    orderId: string,
    paymentMethodNonce = fake.nonce('good'),
  ): Promise<string> {
    const { config } = readBraintreeConfig(fake.env);
    if (!config) throw new Error('The fake is no configuration');
    const sale = {
      amount: '49.72',
      merchantAccountId: 'shop_cad',
      deviceData: '',
      threeDSecureRequired: false,
    };
    const { transaction } = await createBraintreeClient(config, 5000).sale({
      ...sale,
      orderId,
      paymentMethodNonce,
    });
    return transaction?.id ?? '';
  }

  const sales = (fake: BraintreeFake) =>
    fake.asked.filter((what) => /^POST .*\/transactions$/.test(what)).length;

  it('a sale has its reference and uses the merchant account of its currency, which need not be the default', async () => {
    const { start, fake, attempt } = await begin('good');
    expect(await start()).toEqual({ state: 'succeeded' });
    const made = fake.transactions.get(attempt.providerId ?? '');
    expect(made).toMatchObject({
      amount: '49.72',
      currency: 'CAD',
      orderId: attempt.reference,
      merchantAccount: 'shop_cad',
    });
  });

  it('a sale carries the number of its order, and is found again by its reference', async () => {
    const { provider, fake, attempt, keep } = await begin('good');
    const numbered = { ...attempt, orderNumber: 'MC-2026-000204' };
    await provider.start(numbered, { payment_method_nonce: fake.nonce('good') }, keep);
    const sale = [...fake.transactions.values()].at(-1);
    expect(sale?.orderId).toBe(`MC-2026-000204/${attempt.reference}`);
    // Its id may have been lost.
    expect(await provider.complete({ ...numbered, providerId: null })).toEqual({ state: 'succeeded' });
    const webhook = await fake.webhook('dispute_opened', sale?.id ?? '');
    expect(await provider.parseWebhook(webhook)).toMatchObject({ reference: attempt.reference });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it('a sale in a currency without a merchant account is not made', async () => {
    const { provider, fake, attempt, keep } = await begin('good');
    const outcome = await provider.start(
      { ...attempt, currency: 'EUR' },
      { payment_method_nonce: fake.nonce('good') },
      keep,
    );
    expect(outcome).toEqual({
      state: 'failed',
      failure: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' },
    });
    expect(sales(fake)).toBe(0);
  });

  it.each([
    ['declined', 'TRANSACTION_ERROR', 'payment.declined'],
    ['expired', 'VALIDATION_ERROR', 'rule.cardExpired'],
    ['code wrong', 'VALIDATION_ERROR', 'rule.cardCodeInvalid'],
    ['address wrong', 'VALIDATION_ERROR', 'payment.addressMismatch'],
    ['number wrong', 'VALIDATION_ERROR', 'rule.cardNumberInvalid'],
    ['fraud', 'TRANSACTION_ERROR', 'payment.declined'],
    ['not verified', 'TRANSACTION_ERROR', 'payment.notVerified'],
    ['network down', 'SYSTEM_ERROR', 'payment.unavailable'],
  ] as const)('a card that is %s fails with %s, %s', async (kind, errorType, errorKey) => {
    const { start } = await begin(kind);
    expect(await start()).toEqual({ state: 'failed', failure: { errorType, errorKey } });
  });

  it('a nonce that is used up, unknown or left out asks for the card again', async () => {
    const again = {
      state: 'failed',
      failure: { errorType: 'VALIDATION_ERROR', errorKey: 'payment.cardAgain' },
    };
    const { provider, fake, attempt, keep } = await begin('good');
    const used = fake.nonce('good');
    await provider.start({ ...attempt, reference: randomUUID() }, { payment_method_nonce: used }, keep);
    for (const payment_method_nonce of [used, 'unknown', ''])
      expect(
        await provider.start({ ...attempt, reference: randomUUID() }, { payment_method_nonce }, keep),
      ).toEqual(again);
  });

  it('a sale for one reference is sent once, from however many processes', async () => {
    const { fake, make, attempt, keep } = await begin('good');
    const starts = [make(), make(), make()].map((each) =>
      each.start(attempt, { payment_method_nonce: fake.nonce('good') }, keep).catch(() => undefined),
    );
    await Promise.all(starts);
    expect(sales(fake)).toBe(1);
    expect(await make().complete(attempt)).toEqual({ state: 'succeeded' });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it.each(['lost', 'errorAfter', 'slow'] as const)(
    'a sale whose answer never came (%s) is found in another process',
    async (kind) => {
      const { start, fake, make, attempt } = await begin('good', 1500);
      const lift = fake.fail(kind, /\/transactions$/, 1);
      expect(await start()).toEqual({ state: 'undecided' });
      lift();
      expect(attempt.providerId).toBeNull();
      expect(await make().complete(attempt)).toEqual({ state: 'succeeded' });
      expect(await make().cancel(attempt)).toEqual({ state: 'succeeded' });
    },
  );

  it('a sale that was never sent stays open until it can no longer be on its way', async () => {
    const { start, fake, provider, attempt, clock } = await begin('good');
    fake.fail('down', /\/transactions$/, 1);
    expect(await start()).toEqual({ state: 'undecided' });
    expect(await provider.cancel(attempt)).toEqual({ state: 'undecided' });
    clock.at += 11 * 60_000;
    expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
    expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
    expect(await start()).toMatchObject({ state: 'failed' });
    expect(fake.taken(attempt.reference)).toBe(0);
  });

  it('a sale fails for good if Braintree does not know the keys', async () => {
    const { fake, provider, attempt, keep } = await begin('good');
    await provider.start(
      { ...attempt, reference: randomUUID() },
      { payment_method_nonce: fake.nonce('good') },
      keep,
    );
    fake.revoke();
    const outcome = await provider.start(attempt, { payment_method_nonce: 'any' }, keep);
    expect(outcome).toMatchObject({ state: 'failed', failure: { errorType: 'SYSTEM_ERROR' } });
  });

  it('a sale that is not settled is voided, once, and only as a whole', async () => {
    const { start, fake, make, provider, attempt } = await begin('good');
    fake.settlesAtOnce = false;
    await start();
    const part = provider.refund(attempt, 1000, randomUUID());
    await expect(part).rejects.toThrow(RefundPending);
    const key = randomUUID();
    fake.fail('lost', /void$/, 1);
    await expect(provider.refund(attempt, 4972, key)).rejects.toThrow();
    await make().refund(attempt, 4972, key);
    await expect(provider.refund(attempt, 4972, randomUUID())).rejects.toThrow(RefundRefused);
    expect(fake.taken(attempt.reference)).toBe(0);
    // The order was paid, and then its payment was refunded.
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('a settled sale is refunded in part', async () => {
    const { start, fake, provider, attempt } = await begin('good');
    fake.settlesAtOnce = false;
    await start();
    const key = randomUUID();
    await expect(provider.refund(attempt, 1000, key)).rejects.toThrow();
    fake.settle();
    fake.fail('lost', /refund$/, 1);
    await expect(provider.refund(attempt, 1000, key)).rejects.toThrow();
    await provider.refund(attempt, 1000, key);
    expect(fake.taken(attempt.reference)).toBe(3972);
  });

  it('a refund that the bank declined does not count as given and can be repeated', async () => {
    const { start, fake, provider, attempt } = await begin('good');
    await start();
    fake.declinesRefunds = true;
    const [first, lost] = [randomUUID(), randomUUID()];
    await expect(provider.refund(attempt, 4972, first)).rejects.toThrow(RefundRefused);
    fake.fail('lost', /refund$/, 1);
    await expect(provider.refund(attempt, 4972, lost)).rejects.not.toThrow(RefundRefused);
    fake.declinesRefunds = false;
    for (const key of [first, lost])
      await expect(provider.refund(attempt, 4972, key)).rejects.toThrow(RefundRefused);
    expect(fake.taken(attempt.reference)).toBe(4972);
    await provider.refund(attempt, 4972, randomUUID());
    expect(fake.taken(attempt.reference)).toBe(0);
  });

  it('a sale that a clock ahead gave up as never sent is found', async () => {
    const { start, fake, make, attempt, clock } = await begin('good');
    const send = fake.fail('held', /\/transactions$/);
    const selling = start();
    await vi.waitFor(() => expect(sales(fake)).toBe(1), 10_000);
    clock.at += 11 * 60_000;
    expect(await make().cancel(attempt)).toMatchObject({ state: 'failed' });
    send();
    expect(await selling).toEqual({ state: 'succeeded' });
    expect(await make().complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('a signed webhook about something else is taken', async () => {
    const { fake, provider } = await begin('good');
    expect(await provider.parseWebhook(await fake.webhook('check', ''))).toEqual({ reference: '' });
  });

  it('the token for the browser says what the account can do', async () => {
    const { fake, make, provider } = await begin('good');
    for (const enabled of [false, true]) {
      fake.threeDSecure = enabled;
      const token = JSON.parse(Buffer.from(await make().clientToken('CAD'), 'base64').toString('utf8'));
      expect(token).toMatchObject({ version: 2, threeDSecureEnabled: enabled });
    }
    await expect(provider.clientToken('EUR')).rejects.toThrow('No active merchant account paid in EUR');
  });

  it('all shoppers get one token for ten minutes, and a failure to get one is not repeated for five seconds', async () => {
    const { fake, provider, clock } = await begin('good');
    const asked = () => fake.asked.filter((what) => what.endsWith('/client_token')).length;
    const twenty = () => Promise.allSettled(Array.from({ length: 20 }, () => provider.clientToken('CAD')));
    fake.fail('down', /client_token/, 1);
    expect(new Set((await twenty()).map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect((await twenty()).map(({ status }) => status)).toContain('rejected');
    expect(asked()).toBe(1);
    clock.at += 5000;
    expect(new Set((await twenty()).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    expect(asked()).toBe(2);
    clock.at += 10 * 60_000;
    await twenty();
    expect(asked()).toBe(3);
  });

  it('a sale of another account is unknown, which is an answer and not an outage of Braintree', async () => {
    const { start, provider, attempt } = await begin('good');
    await start();
    attempt.providerId = 'tx999999';
    await expect(provider.complete(attempt)).rejects.toThrow(AttemptUnknown);
  });

  describe('with 3-D Secure required', () => {
    const required = { BRAINTREE_THREE_D_SECURE: 'required' };

    it('a sale of a card that 3-D Secure has not verified is rejected at Braintree', async () => {
      const { start, fake, attempt } = await begin('good', undefined, required);
      expect(await start()).toMatchObject({ state: 'failed', failure: { errorKey: 'payment.notVerified' } });
      expect(fake.taken(attempt.reference)).toBe(0);
    });

    it('a verified card pays', async () => {
      const { start, fake, attempt } = await begin('verified', undefined, required);
      expect(await start()).toEqual({ state: 'succeeded' });
      expect(fake.taken(attempt.reference)).toBe(4972);
    });

    it('an account without 3-D Secure gets no form, and the reason names the setting', async () => {
      const { fake, make, provider } = await begin('good', undefined, required);
      await expect(provider.clientToken('CAD')).rejects.toThrow('BRAINTREE_THREE_D_SECURE');
      fake.threeDSecure = true;
      expect(await make().clientToken('CAD')).toEqual(expect.any(String));
    });
  });

  describe('with a merchant account configured', () => {
    const set = (BRAINTREE_MERCHANT_ACCOUNT_ID: string) =>
      begin('good', undefined, { BRAINTREE_MERCHANT_ACCOUNT_ID });

    it('the configured merchant account sells, rather than another of the same currency', async () => {
      const { start, fake, attempt } = await set('shop_cad_gifts');
      expect(await start()).toEqual({ state: 'succeeded' });
      expect(fake.transactions.get(attempt.providerId ?? '')?.merchantAccount).toBe('shop_cad_gifts');
    });

    it('a sale in a currency that the configured account does not have is not made', async () => {
      const { start, fake, provider } = await set('shop_usd');
      expect(await start()).toMatchObject({ state: 'failed', failure: { errorKey: 'payment.unavailable' } });
      expect(sales(fake)).toBe(0);
      await expect(provider.clientToken('CAD')).rejects.toThrow(
        'Merchant account shop_usd is not active, or not paid in CAD',
      );
    });
  });

  it('a sale that Braintree calls a duplicate has the outcome of the sale it repeats', async () => {
    const { start, fake, attempt, provider } = await begin('good');
    const before = await sellBeside(fake, attempt.reference);
    expect(await start()).toEqual({ state: 'succeeded' });
    const made = [...fake.transactions.values()].map(({ status, reason }) => [status, reason]);
    expect(made).toEqual([
      ['settled', null],
      ['gateway_rejected', 'duplicate'],
    ]);
    expect(attempt.providerId).toBe(before);
    expect(await provider.complete({ ...attempt, providerId: null })).toEqual({ state: 'succeeded' });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it('a used nonce pays where its first sale was for the same attempt', async () => {
    const { fake, provider, attempt, keep } = await begin('good');
    const nonce = fake.nonce('good');
    await sellBeside(fake, attempt.reference, nonce);
    expect(await provider.start(attempt, { payment_method_nonce: nonce }, keep)).toEqual({
      state: 'succeeded',
    });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it('two orders of the same amount by one card within seconds are no duplicates', async () => {
    const { fake, provider, attempt, keep } = await begin('good');
    for (const reference of [attempt.reference, randomUUID()]) {
      const input = { payment_method_nonce: fake.nonce('good') };
      expect(await provider.start({ ...attempt, reference }, input, keep)).toEqual({ state: 'succeeded' });
    }
  });

  it('a refund that Braintree cannot give before the sale is settled waits', async () => {
    const { start, fake, provider, attempt } = await begin('good');
    await start();
    const sale = fake.transactions.get(attempt.providerId ?? '');
    if (sale) sale.status = 'settling';
    await expect(provider.refund(attempt, 1000, randomUUID())).rejects.toThrow(RefundPending);
  });
});
