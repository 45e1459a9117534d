/** Refunds, voids and disputes in Braintree's Control Panel, and what the shop records. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Attempt } from '#server/modules/payments/providers/provider.ts';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import { createTestApp, testNow } from '#tests/test-app.ts';
import { readBraintreeConfig } from './config.ts';
import { type BraintreeProvider, createBraintreeProvider } from './index.ts';

let fake: BraintreeFake;
let provider: BraintreeProvider;
beforeAll(async () => {
  fake = await startBraintreeFake();
  const { config } = readBraintreeConfig(fake.env);
  if (!config) throw new Error('The fake is no configuration');
  const { db } = await createTestApp({ engine: 'sqlite' });
  provider = createBraintreeProvider({ config, db, now: () => testNow });
});
afterAll(() => fake.close());

/** A sale of $49.72. */
async function sold(settlesAtOnce = true): Promise<Attempt & { providerId: string }> {
  fake.settlesAtOnce = settlesAtOnce;
  const charge = {
    reference: randomUUID(),
    orderId: randomUUID(),
    amount: 4972,
    currency: 'CAD',
    locale: 'en' as const,
  };
  let providerId = '';
  await provider.start(charge, { payment_method_nonce: fake.nonce('good') }, async (id) => {
    providerId = id;
  });
  return { ...charge, providerId };
}

it('a refund in Braintree’s Control Panel is listed with the shop’s own', async () => {
  const sale = await sold();
  const key = randomUUID();
  await provider.refund(sale, 1000, key);
  const byHand = fake.refundThere(sale.providerId, '5.00');
  expect((await provider.activity?.(sale))?.refunds).toMatchObject([
    { key, amount: 1000, state: 'given' },
    { id: byHand, key: sale.reference, amount: 500, state: 'given', at: expect.any(Number) },
  ]);
});

it('a refund that a bank declined is listed as failed', async () => {
  const sale = await sold();
  fake.declinesRefunds = true;
  fake.refundThere(sale.providerId, '5.00');
  fake.declinesRefunds = false;
  expect((await provider.activity?.(sale))?.refunds).toMatchObject([{ amount: 500, state: 'failed' }]);
});

it('a sale voided in the Control Panel counts as refunded, and one voided by the shop is not counted again', async () => {
  const [there, here] = [await sold(false), await sold(false)];
  fake.voidThere(there.providerId);
  await provider.refund(here, 4972, randomUUID());
  expect((await provider.activity?.(there))?.refunds).toMatchObject([
    { id: `${there.providerId}-void`, key: null, amount: 4972, state: 'given' },
  ]);
  expect((await provider.activity?.(here))?.refunds).toEqual([]);
});

it('a dispute at Braintree is listed with its deadline, and its webhook names the attempt', async () => {
  const sale = await sold();
  const dispute = fake.dispute(sale.providerId);
  expect((await provider.activity?.(sale))?.disputes).toEqual([
    {
      id: dispute.id,
      amount: 4972,
      state: 'open',
      reason: 'fraud',
      at: Date.UTC(2026, 4, 20, 9),
      respondBy: Date.UTC(2026, 4, 31),
      refundable: false,
    },
  ]);
  const webhook = await fake.webhook('dispute_opened', sale.providerId);
  expect(await provider.parseWebhook(webhook)).toMatchObject({ reference: sale.reference });
  for (const [status, state] of [
    ['accepted', 'lost'],
    ['expired', 'lost'],
    ['disputed', 'open'],
    ['won', 'won'],
  ] as const) {
    dispute.status = status;
    expect((await provider.activity?.(sale))?.disputes).toMatchObject([{ state, respondBy: null }]);
  }
});
