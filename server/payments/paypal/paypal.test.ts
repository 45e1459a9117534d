import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '#db/database.ts';
import type { Funding } from '#tests/fakes/paypal/forms.ts';
import { captureIssues, refundIssues } from '#tests/fakes/paypal/issues.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { operations, readRequest } from '#tests/fakes/paypal/schema.ts';
import { createWorld, forEachEngine, testNow } from '#tests/world.ts';
import { conformsAsProvider, type Way } from '../conformance.ts';
import { type Attempt, type PaymentOutcome, RefundNotYet, RefundRefused, type ShipTo } from '../provider.ts';
import { readPayPalConfig } from './config.ts';
import { createPayPalProvider } from './paypal.ts';

const fakes: PayPalFake[] = [];
afterAll(() => Promise.all(fakes.map((fake) => fake.close())));

async function open(db: Database, timeoutMs?: number) {
  const fake = await startPayPalFake();
  fakes.push(fake);
  const { config } = readPayPalConfig(fake.env);
  if (!config) throw new Error('The fake is no configuration');
  const make = () => createPayPalProvider({ config, db, now: () => testNow, timeoutMs });
  return { fake, provider: make(), make };
}

forEachEngine((engine) => {
  conformsAsProvider(async () => {
    const { db } = await createWorld({ engine });
    const { fake, provider } = await open(db);
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
      taken: async (reference) => fake.taken(reference),
      webhookAbout: async (attempt) => fake.webhookAbout(attempt),
      async loseAnswers(work) {
        const lift = fake.fail('lost', /capture$/);
        // The shopper has agreed once; they cannot a second time.
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
  const charge = () => ({ reference: randomUUID(), orderId: randomUUID(), amount: 4972, currency: 'CAD', locale: 'en' as const });

  // One database for all: references are random.
  let shared: ReturnType<typeof createWorld> | undefined;

  async function begin(timeoutMs?: number) {
    shared ??= createWorld({ engine: 'sqlite' });
    const { db } = await shared;
    const opened = await open(db, timeoutMs);
    const attempt: Attempt = { ...charge(), providerId: null };
    const keep = async (id: string) => {
      attempt.providerId = id;
    };
    const outcome = await opened.provider.start(attempt, {}, keep);
    return { ...opened, attempt, keep, outcome, id: attempt.providerId ?? '' };
  }

  it('makes an order by which webhooks and merchants find the way back, of the exact amount', async () => {
    const { fake, id, attempt, outcome } = await begin();
    expect(outcome).toEqual({ state: 'action', action: { type: 'paypal', token: id } });
    expect(fake.orders.get(id)).toMatchObject({
      amount: { currency_code: 'CAD', value: '49.72' },
      customId: attempt.reference,
      referenceId: attempt.orderId,
    });
  });

  it('writes yen without a point, and refuses what PayPal cannot be asked for', async () => {
    const { provider, fake, keep } = await begin();
    expect(await provider.start({ ...charge(), amount: 49700, currency: 'JPY' }, {}, keep)).toMatchObject({ state: 'action' });
    expect([...fake.orders.values()].at(-1)?.amount).toEqual({ currency_code: 'JPY', value: '497' });
    const odd = { ...charge(), amount: 49750, currency: 'HUF' };
    expect(await provider.start(odd, {}, keep)).toMatchObject({
      state: 'failed',
      failure: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.paypal.invalid' },
    });
  });

  it('says that its settings are wrong where PayPal does not know them', async () => {
    const { fake, make, keep } = await begin();
    fake.revoke();
    const attempt = charge();
    const failed = { state: 'failed', failure: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.paypal.invalid' } };
    expect(await make().start(attempt, {}, keep)).toEqual(failed);
  });

  it('captures what was agreed to in another process, or before a restart', async () => {
    const { fake, make, attempt, id } = await begin();
    fake.approve(id);
    expect(await make().complete(attempt)).toEqual({ state: 'succeeded' });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it('never captures what was agreed to after it was cancelled, in any process', async () => {
    const { fake, make, provider, attempt, id } = await begin();
    expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
    fake.approve(id);
    const outcomes = await Promise.all([provider.complete(attempt), make().complete(attempt), make().cancel(attempt)]);
    expect(outcomes.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(fake.asked.filter((what) => what.endsWith('/capture'))).toEqual([]);
    expect(fake.taken(attempt.reference)).toBe(0);
  });

  it('waits for a payment that PayPal reviews, and takes its word in the end', async () => {
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
    'finds out what became of a capture (%s) by asking again',
    async (kind) => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id);
      fake.fail(kind, /capture$/, 1);
      expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
      // Even where the shop has given up by then: that capture may have been on its way.
      expect(await provider.cancel(attempt)).toEqual({ state: 'succeeded' });
      expect(fake.taken(attempt.reference)).toBe(4972);
    },
  );

  it('gives up on an answer that does not come', async () => {
    const { fake, provider, attempt, id } = await begin(1500);
    fake.approve(id);
    const lift = fake.fail('slow', /capture$/, 1);
    expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
    lift();
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('gives up on an order that has expired at PayPal', async () => {
    const { fake, provider, attempt } = await begin();
    fake.pass(4 * 60 * 60_000);
    expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' } satisfies Partial<PaymentOutcome>);
  });

  it('captures nothing of an order whose amount was changed', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.patch(id, '0.01');
    fake.approve(id);
    expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
    expect(fake.asked.filter((what) => what.endsWith('/capture'))).toEqual([]);
  });

  it('gives back what was captured of another amount, and takes nothing for it', async () => {
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

  it('finds money that PayPal’s page took after the attempt was cancelled', async () => {
    const { fake, provider, attempt, id } = await begin();
    await provider.cancel(attempt);
    fake.approve(id);
    expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
    fake.captureThere(id);
    // By whatever question comes first, also where no webhook does.
    expect(await provider.cancel(attempt)).toEqual({ state: 'succeeded' });
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('takes a refund for given only once it is', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id);
    await provider.complete(attempt);
    fake.refundsAre('PENDING');
    const [first, second] = [randomUUID(), randomUUID()];
    await expect(provider.refund(attempt, 1000, first)).rejects.toThrow(RefundNotYet);
    await expect(provider.refund(attempt, 1000, first)).rejects.toThrow(RefundNotYet);
    fake.refundsAre('COMPLETED');
    await provider.refund(attempt, 1000, first);
    expect(fake.taken(attempt.reference)).toBe(3972);
    fake.refundsAre('PENDING');
    await expect(provider.refund(attempt, 500, second)).rejects.toThrow(RefundNotYet);
    fake.refundsAre('FAILED');
    await expect(provider.refund(attempt, 500, second)).rejects.toThrow(RefundRefused);
    expect(fake.taken(attempt.reference)).toBe(3972);
  });

  it('repeats a refund whose answer was lost without giving twice', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id);
    await provider.complete(attempt);
    fake.fail('lost', /refund$/, 1);
    const key = randomUUID();
    await expect(provider.refund(attempt, 1000, key)).rejects.toThrow();
    await provider.refund(attempt, 1000, key);
    expect(fake.taken(attempt.reference)).toBe(3972);
  });

  it('takes signed webhooks about something else, and has the rest sent again where PayPal cannot check them', async () => {
    const { fake, provider, id } = await begin();
    expect(await provider.parseWebhook(fake.webhook(id, 'CUSTOMER.DISPUTE.CREATED'))).toEqual({ reference: '' });
    for (const kind of ['down', 'error'] as const) {
      fake.fail(kind, /verify/, 1);
      const error = await provider.parseWebhook(fake.webhook(id, 'CHECKOUT.ORDER.APPROVED')).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      // It is logged, and nothing that is secret with it.
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/Bearer|A21AA|authorization|secret/i);
    }
  });

  const shipTo: ShipTo = {
    name: 'Wei Zhang',
    phone: '416-555-0100',
    line1: '12 Queen Street West',
    line2: 'Unit 5',
    city: 'Toronto',
    province: 'ON',
    postCode: 'M5H 2N2',
    country: 'CA',
  };
  const unitOf = (fake: PayPalFake) => [...fake.orders.values()].at(-1)?.request.purchase_units[0];
  const contextOf = (fake: PayPalFake) => [...fake.orders.values()].at(-1)?.request.payment_source?.paypal?.experience_context;

  describe('the order at PayPal', () => {
    it('an order that is shipped carries its address, which PayPal must not change, and its number', async () => {
      const { fake, provider, keep } = await begin();
      await provider.start({ ...charge(), orderNumber: 'MC-2026-000204', shipTo }, {}, keep);
      expect(unitOf(fake)).toMatchObject({
        invoice_id: 'MC-2026-000204',
        shipping: {
          name: { full_name: 'Wei Zhang' },
          address: {
            address_line_1: '12 Queen Street West',
            address_line_2: 'Unit 5',
            admin_area_2: 'Toronto',
            admin_area_1: 'ON',
            postal_code: 'M5H 2N2',
            country_code: 'CA',
          },
        },
      });
      expect(contextOf(fake)).toMatchObject({ shipping_preference: 'SET_PROVIDED_ADDRESS' });
    });

    it('an order that is picked up asks PayPal for no address, and every order for money at once', async () => {
      const { fake } = await begin();
      expect(unitOf(fake)?.shipping).toBeUndefined();
      expect(contextOf(fake)).toMatchObject({
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
      });
    });

    it('an address in China goes to PayPal under its own code C2', async () => {
      const { fake, provider, keep } = await begin();
      const china = { ...shipTo, line2: '', city: '上海', province: '上海市', postCode: '200001', country: 'CN' };
      expect(await provider.start({ ...charge(), shipTo: china }, {}, keep)).toMatchObject({ state: 'action' });
      expect(unitOf(fake)?.shipping?.address?.country_code).toBe('C2');
    });

    it('a shopper is told when PayPal does not accept the delivery address', async () => {
      const { provider, keep } = await begin();
      const failure = { errorType: 'VALIDATION_ERROR', errorKey: 'payment.paypal.address' };
      const wrong = { ...charge(), shipTo: { ...shipTo, province: 'Ontario' } };
      expect(await provider.start(wrong, {}, keep)).toEqual({ state: 'failed', failure });
    });
  });

  describe('a capture that PayPal refuses', () => {
    const waiting = [
      'INSTRUMENT_DECLINED',
      'ORDER_NOT_APPROVED',
      'PAYER_ACTION_REQUIRED',
      'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
    ];
    const others = ['ORDER_ALREADY_CAPTURED', 'ORDER_COMPLETION_IN_PROGRESS'];
    const final = [...captureIssues.filter((issue) => ![...waiting, ...others].includes(issue)), 'AN_ISSUE_THAT_IS_NEW'];

    it.each(final)('ends the attempt at once for %s, and nothing is captured', async (issue) => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id, issue);
      expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
      expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
      expect(fake.taken(attempt.reference)).toBe(0);
    });

    it.each(waiting)('has the shopper choose again for %s, and captures what they choose then', async (issue) => {
      const { fake, make, provider, attempt, id, outcome } = await begin();
      fake.approve(id, issue);
      expect(await provider.complete(attempt)).toEqual(outcome);
      fake.approve(id);
      expect(await make().complete(attempt, true)).toEqual({ state: 'succeeded' });
      expect(fake.taken(attempt.reference)).toBe(4972);
    });

    it('succeeds where PayPal says that it was captured already', async () => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id, 'ORDER_ALREADY_CAPTURED');
      expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
    });

    it('stays open while PayPal is still capturing the order', async () => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id, 'ORDER_COMPLETION_IN_PROGRESS');
      expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
      fake.captureThere(id);
      expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
    });

    it('stays open for an unknown issue as long as the order cannot be looked at', async () => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id, 'AN_ISSUE_THAT_IS_NEW');
      const lift = fake.fail('held', /capture$/, 1);
      const first = provider.complete(attempt);
      await expect.poll(() => fake.asked.at(-1)).toMatch(/capture$/);
      const cut = fake.fail('down', /^GET/);
      lift();
      expect(await first).toEqual({ state: 'undecided' });
      cut();
      expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
    });
  });

  describe('a shopper whose funding was declined', () => {
    const captures = (fake: PayPalFake) => fake.asked.filter((what) => what.endsWith('/capture')).length;

    it('is not charged by reconciliation on the approval that was declined', async () => {
      const { fake, provider, attempt, id, outcome } = await begin();
      fake.approve(id, 'INSTRUMENT_DECLINED');
      await provider.complete(attempt);
      expect(await provider.complete(attempt)).toEqual(outcome);
      expect(await provider.start(attempt, {}, async () => {})).toEqual(outcome);
      expect(captures(fake)).toBe(1);
    });

    it('pays nothing once the attempt is cancelled, whatever they choose then', async () => {
      const { fake, make, provider, attempt, id } = await begin();
      fake.approve(id, 'INSTRUMENT_DECLINED');
      await provider.complete(attempt);
      expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
      fake.approve(id);
      expect(await make().complete(attempt, true)).toMatchObject({ state: 'failed' });
      expect([captures(fake), fake.taken(attempt.reference)]).toEqual([1, 0]);
    });

    it('is charged once where the answer to the second capture was lost', async () => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id, 'INSTRUMENT_DECLINED');
      await provider.complete(attempt);
      fake.approve(id);
      fake.fail('error', /capture$/, 1);
      expect(await provider.complete(attempt, true)).toEqual({ state: 'undecided' });
      expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
      expect(fake.taken(attempt.reference)).toBe(4972);
    });

    it('may choose five times, then the attempt ends as declined', async () => {
      const { fake, provider, attempt, id } = await begin();
      const outcomes: PaymentOutcome[] = [];
      for (let time = 1; time <= 5; time++) {
        fake.approve(id, 'INSTRUMENT_DECLINED');
        outcomes.push(await provider.complete(attempt, true));
      }
      expect(outcomes.map(({ state }) => state)).toEqual(['action', 'action', 'action', 'action', 'failed']);
      expect(outcomes.at(-1)).toMatchObject({ failure: { errorKey: 'payment.paypal.declined' } });
    });

    it('is asked for in a webhook only by the order being approved', async () => {
      const { fake, provider, attempt, id } = await begin();
      const { reference } = attempt;
      fake.approve(id);
      expect(await provider.parseWebhook(fake.webhook(id, 'CHECKOUT.ORDER.APPROVED'))).toEqual({ reference, shopperActed: true });
      await provider.complete(attempt);
      const captured = fake.webhook(id, 'PAYMENT.CAPTURE.COMPLETED');
      expect(await provider.parseWebhook(captured)).toEqual({ reference });
    });
  });

  describe('a refund that PayPal refuses', () => {
    // PayPal gives these once the merchant's balance, account or the payment allows it.
    const passing = [
      'PAYEE_ACCOUNT_LOCKED_OR_CLOSED',
      'PAYEE_ACCOUNT_RESTRICTED',
      'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
      'PENDING_CAPTURE',
      'REFUND_FAILED_INSUFFICIENT_FUNDS',
    ];
    const wait = [...passing, 'AN_ISSUE_THAT_IS_NEW'];
    const refused = async (issue: string): Promise<unknown> => {
      const { fake, provider, attempt, id } = await begin();
      fake.approve(id);
      await provider.complete(attempt);
      fake.refuseRefunds(issue);
      return provider.refund(attempt, 1000, randomUUID()).catch((reason: unknown) => reason);
    };

    it.each(refundIssues.filter((issue) => !wait.includes(issue)))('is final for %s', async (issue) => {
      expect(await refused(issue)).toBeInstanceOf(RefundRefused);
    });

    it.each(wait)('is tried again for %s', async (issue) => {
      const error = await refused(issue);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(RefundRefused);
    });
  });

  describe("PayPal's published description", () => {
    it('allows every request that the shop sends', async () => {
      const { fake, provider, attempt, id } = await begin();
      const keep = async () => {};
      const long = '长'.repeat(400);
      await provider.start({ ...charge(), locale: 'zh', orderNumber: 'MC-2026-000204', shipTo }, {}, keep);
      await provider.start(
        { ...charge(), amount: 49700, currency: 'JPY', shipTo: { ...shipTo, name: long, line1: long } },
        {},
        keep,
      );
      fake.approve(id);
      await provider.complete(attempt);
      fake.refundsAre('PENDING');
      await expect(provider.refund(attempt, 1000, `late-${randomUUID()}`)).rejects.toThrow(RefundNotYet);
      await provider.parseWebhook(fake.webhook(id, 'CHECKOUT.ORDER.APPROVED'));
      const other = await begin();
      other.fake.patch(other.id, '0.01');
      other.fake.approve(other.id);
      other.fake.captureThere(other.id);
      await other.provider.complete(other.attempt);
      expect([...fake.violations, ...other.fake.violations]).toEqual([]);
      // Each operation has been asked for, and there is no other.
      expect(new Set([...fake.operations, ...other.fake.operations])).toEqual(new Set(operations.map(({ name }) => name)));
    });

    it.each([
      ['a field that is not described', { intent: 'CAPTURE', purchase_units: [], reference: 'x' }],
      ['an invoice id of 128 characters', { intent: 'CAPTURE', purchase_units: [{ amount, invoice_id: 'x'.repeat(128) }] }],
      ['an amount that is a number', { intent: 'CAPTURE', purchase_units: [{ amount: { ...amount, value: 49.72 } }] }],
      ['an order without an intent', { purchase_units: [{ amount }] }],
    ])('does not allow %s', (_what, body) => {
      const headers = { 'content-type': 'application/json', 'paypal-request-id': 'a' };
      const request = { method: 'POST', path: '/v2/checkout/orders', headers, body: JSON.stringify(body) };
      expect(readRequest(request).violations).not.toEqual([]);
      const good = JSON.stringify({ intent: 'CAPTURE', purchase_units: [{ amount }] });
      expect(readRequest({ ...request, body: good }).violations).toEqual([]);
      expect(
        readRequest({ ...request, body: good, headers: { ...headers, 'paypal-request-id': 'a'.repeat(109) } }).violations,
      ).not.toEqual([]);
    });
  });
});

const amount = { currency_code: 'CAD', value: '49.72' };
