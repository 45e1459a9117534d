import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type PaymentOutcome,
  RefundPending,
  RefundRefused,
} from '#server/modules/payments/providers/provider.ts';
import { captureIssues, refundIssues } from '#tests/fakes/paypal/issues.ts';
import type { PayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { operations, readRequest } from '#tests/fakes/paypal/schema.ts';
import { beginAtPayPal as begin, newCharge as charge, shipTo } from '#tests/paypal-payments.ts';
import { testNow } from '#tests/test-app.ts';

const unitOf = (fake: PayPalFake) => [...fake.orders.values()].at(-1)?.request.purchase_units[0];
const contextOf = (fake: PayPalFake) =>
  [...fake.orders.values()].at(-1)?.request.payment_source?.paypal?.experience_context;
const amount = { currency_code: 'CAD', value: '49.72' };

describe('orders at PayPal', () => {
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

  it('an order that is picked up asks PayPal for no address, and every order requires immediate payment', async () => {
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
    const china = {
      ...shipTo,
      line2: '',
      city: '上海',
      province: '上海市',
      postCode: '200001',
      country: 'CN',
    };
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

describe('rejected captures at PayPal', () => {
  const waiting = [
    'INSTRUMENT_DECLINED',
    'ORDER_NOT_APPROVED',
    'PAYER_ACTION_REQUIRED',
    'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  ];
  const others = ['ORDER_ALREADY_CAPTURED', 'ORDER_COMPLETION_IN_PROGRESS'];
  const final = [
    ...captureIssues.filter((issue) => ![...waiting, ...others].includes(issue)),
    'AN_ISSUE_THAT_IS_NEW',
  ];

  it.each(final)('the issue %s ends the attempt at once, and nothing is captured', async (issue) => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id, issue);
    expect(await provider.complete(attempt)).toMatchObject({ state: 'failed' });
    expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
    expect(fake.taken(attempt.reference)).toBe(0);
  });

  it.each(waiting)(
    'the issue %s asks the shopper to choose again, and that choice is captured',
    async (issue) => {
      const { fake, make, provider, attempt, id, outcome } = await begin();
      fake.approve(id, issue);
      expect(await provider.complete(attempt)).toEqual(outcome);
      fake.approve(id);
      expect(await make().complete(attempt, true)).toEqual({ state: 'succeeded' });
      expect(fake.taken(attempt.reference)).toBe(4972);
    },
  );

  it('a capture succeeds if PayPal says that it was captured already', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id, 'ORDER_ALREADY_CAPTURED');
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('a payment stays open while PayPal is still capturing the order', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id, 'ORDER_COMPLETION_IN_PROGRESS');
    expect(await provider.complete(attempt)).toEqual({ state: 'undecided' });
    fake.captureThere(id);
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
  });

  it('a payment with an unknown issue stays open until the order can be read', async () => {
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

describe('a declined funding source at PayPal', () => {
  const captures = (fake: PayPalFake) => fake.asked.filter((what) => what.endsWith('/capture')).length;

  it('a declined approval is not charged by reconciliation', async () => {
    const { fake, provider, attempt, id, outcome } = await begin();
    fake.approve(id, 'INSTRUMENT_DECLINED');
    await provider.complete(attempt);
    expect(await provider.complete(attempt)).toEqual(outcome);
    expect(await provider.start(attempt, {}, async () => {})).toEqual(outcome);
    expect(captures(fake)).toBe(1);
  });

  it('a cancelled attempt is never charged, whatever the shopper chooses afterwards', async () => {
    const { fake, make, provider, attempt, id } = await begin();
    fake.approve(id, 'INSTRUMENT_DECLINED');
    await provider.complete(attempt);
    expect(await provider.cancel(attempt)).toMatchObject({ state: 'failed' });
    fake.approve(id);
    expect(await make().complete(attempt, true)).toMatchObject({ state: 'failed' });
    expect([captures(fake), fake.taken(attempt.reference)]).toEqual([1, 0]);
  });

  it('a second choice is charged once even if the answer to its capture was lost', async () => {
    const { fake, provider, attempt, id } = await begin();
    fake.approve(id, 'INSTRUMENT_DECLINED');
    await provider.complete(attempt);
    fake.approve(id);
    fake.fail('error', /capture$/, 1);
    expect(await provider.complete(attempt, true)).toEqual({ state: 'undecided' });
    expect(await provider.complete(attempt)).toEqual({ state: 'succeeded' });
    expect(fake.taken(attempt.reference)).toBe(4972);
  });

  it('a shopper may choose five times, then the attempt ends as declined', async () => {
    const { fake, provider, attempt, id } = await begin();
    const outcomes: PaymentOutcome[] = [];
    for (let time = 1; time <= 5; time++) {
      fake.approve(id, 'INSTRUMENT_DECLINED');
      outcomes.push(await provider.complete(attempt, true));
    }
    expect(outcomes.map(({ state }) => state)).toEqual(['action', 'action', 'action', 'action', 'failed']);
    expect(outcomes.at(-1)).toMatchObject({ failure: { errorKey: 'payment.paypal.declined' } });
  });

  it('a webhook asks for a declined attempt only if it reports an approval', async () => {
    const { fake, provider, attempt, id } = await begin();
    const { reference } = attempt;
    fake.approve(id);
    expect(await provider.parseWebhook(fake.webhook(id, 'CHECKOUT.ORDER.APPROVED'))).toEqual({
      reference,
      shopperActed: true,
    });
    await provider.complete(attempt);
    const captured = fake.webhook(id, 'PAYMENT.CAPTURE.COMPLETED');
    expect(await provider.parseWebhook(captured)).toEqual({
      reference,
      money: { amount: 4972, currency: 'CAD' },
    });
  });
});

describe('rejected refunds at PayPal', () => {
  // PayPal sends these once the merchant's balance, account or the payment allows it.
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

  it.each(refundIssues.filter((issue) => !wait.includes(issue)))(
    'the refund issue %s is final',
    async (issue) => {
      expect(await refused(issue)).toBeInstanceOf(RefundRefused);
    },
  );

  it.each(wait)('the refund issue %s is retried', async (issue) => {
    const error = await refused(issue);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(RefundRefused);
  });
});

describe("PayPal's published description", () => {
  it('every request that the shop sends fits PayPal’s published description', async () => {
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
    await expect(provider.refund(attempt, 1000, `late-${randomUUID()}`)).rejects.toThrow(RefundPending);
    await provider.parseWebhook(fake.webhook(id, 'CHECKOUT.ORDER.APPROVED'));
    Object.assign(fake.dispute(id), { status: 'RESOLVED', outcome: 'ACCEPTED' });
    await provider.activity?.(attempt);
    await provider.takenSince?.(testNow - 60_000);
    fake.refundThere(id, '1.00', false);
    await provider.parseWebhook(fake.webhook(id, 'PAYMENT.CAPTURE.REFUNDED'));
    const other = await begin();
    other.fake.patch(other.id, '0.01');
    other.fake.approve(other.id);
    other.fake.captureThere(other.id);
    await other.provider.complete(other.attempt);
    expect([...fake.violations, ...other.fake.violations]).toEqual([]);
    // Each operation has been called, and no other exists.
    expect(new Set([...fake.operations, ...other.fake.operations])).toEqual(
      new Set(operations.map(({ name }) => name)),
    );
  });

  it.each([
    ['a field that is not described', { intent: 'CAPTURE', purchase_units: [], reference: 'x' }],
    [
      'an invoice id of 128 characters',
      { intent: 'CAPTURE', purchase_units: [{ amount, invoice_id: 'x'.repeat(128) }] },
    ],
    [
      'an amount that is a number',
      { intent: 'CAPTURE', purchase_units: [{ amount: { ...amount, value: 49.72 } }] },
    ],
    ['an order without an intent', { purchase_units: [{ amount }] }],
    ['an order whose money a later call takes', { intent: 'AUTHORIZE', purchase_units: [{ amount }] }],
  ])('the description does not allow %s', (_what, body) => {
    const headers = { 'content-type': 'application/json', 'paypal-request-id': 'a' };
    const request = { method: 'POST', path: '/v2/checkout/orders', headers, body: JSON.stringify(body) };
    expect(readRequest(request).violations).not.toEqual([]);
    const good = JSON.stringify({ intent: 'CAPTURE', purchase_units: [{ amount }] });
    expect(readRequest({ ...request, body: good }).violations).toEqual([]);
    expect(
      readRequest({ ...request, body: good, headers: { ...headers, 'paypal-request-id': 'a'.repeat(109) } })
        .violations,
    ).not.toEqual([]);
  });
});
