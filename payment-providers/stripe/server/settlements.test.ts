import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RightMissing } from '#server/modules/payments/providers/provider.ts';
import type { SettlementEntry } from '#server/modules/payments/providers/settlement.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sampleCharge } from '#tests/sample-charge.ts';
import { readStripeConfig } from './config.ts';
import { createStripeProvider } from './index.ts';

let fake: StripeFake;
beforeEach(async () => {
  fake = await startStripeFake();
});
afterEach(() => fake.faults.clear());
afterAll(() => fake.close());

function connect() {
  const { config } = readStripeConfig(fake.env);
  if (!config) throw new Error('The fake has no keys');
  return createStripeProvider(config);
}

async function paid(amount: number, currency = 'CAD') {
  const charge = { ...sampleCharge({ amount, currency }), reference: randomUUID() };
  let providerId = '';
  await connect().start(charge, { confirmationToken: fake.token(testCards.approve.method) }, async (id) => {
    providerId = id;
  });
  return { ...charge, providerId };
}

async function read(isListed: (payout: string) => boolean = () => false) {
  const { settlements } = connect();
  if (!settlements) throw new Error('Stripe has no settlements');
  const pieces = settlements.read(Date.now() - dayMs, Date.now() + dayMs, isListed);
  const entries = new Map<string, SettlementEntry>();
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    if (next.done) return { until: next.value, entries: [...entries.values()] };
    for (const each of next.value.entries) entries.set(each.id, each);
  }
}

const byKind = (entries: readonly SettlementEntry[], kind: string) =>
  entries.filter((each) => each.kind === kind);
const sum = (entries: readonly SettlementEntry[]) =>
  entries.reduce((total, { gross, fee }) => total + gross - (fee ?? 0), 0);

describe('the balance at Stripe', () => {
  it('a payment, its refund and its dispute say which of the shop they belong to, and what they cost', async () => {
    const [first, second] = [await paid(10_000), await paid(5000)];
    await connect().refund({ ...first, orderId: 'o' }, 2500, 'refund-key');
    fake.account.dispute(second.providerId);
    const { entries } = await read();
    const [payment] = byKind(entries, 'payment').filter(({ about }) => about.reference === first.reference);
    expect(payment).toMatchObject({
      type: 'charge',
      state: 'settled',
      currency: 'CAD',
      gross: 10_000,
      fee: 320,
      payout: null,
      charged: { amount: 10_000, currency: 'CAD' },
      about: { dashboard: first.providerId, providerId: first.providerId },
    });
    expect(payment?.availableAt).toBeGreaterThan(payment?.at ?? 0);
    const about = { providerId: first.providerId, refundKey: 'refund-key' };
    expect(byKind(entries, 'refund')).toMatchObject([{ gross: -2500, fee: 0, about }]);
    expect(byKind(entries, 'dispute')).toMatchObject([
      { gross: -5000, fee: 1500, about: { providerId: second.providerId } },
    ]);
  });

  it('the entries of a payout sum to it, on however many pages Stripe lists them', async () => {
    const payment = await paid(20_000);
    for (let each = 0; each < 130; each++) fake.account.balance.billed(2, 'cad');
    const { id, amount } = fake.account.balance.payOut('cad', { status: 'paid' });
    const { entries } = await read();
    expect(entries).toHaveLength(132);
    expect(entries.every(({ payout }) => payout === id)).toBe(true);
    const [payout] = byKind(entries, 'payout');
    expect(payout).toMatchObject({ gross: -amount, state: 'arrived', complete: true });
    expect(sum(entries.filter(({ kind }) => kind !== 'payout'))).toBe(amount);
    expect(byKind(entries, 'payment')).toMatchObject([{ about: { reference: payment.reference } }]);
  });

  it('a payout is listed once, not before Stripe has worked out what it consists of, and never if somebody asked for it', async () => {
    await paid(5000);
    const lists = () =>
      fake.calls.filter(({ call, form }) => call === 'listBalance' && form.payout !== undefined).length;
    const payout = fake.account.balance.payOut('cad', { reconciliation_status: 'in_progress' });
    expect(byKind((await read()).entries, 'payout')).toMatchObject([{ state: 'sent', complete: false }]);
    expect(lists()).toBe(0);
    payout.reconciliation_status = 'completed';
    expect(byKind((await read()).entries, 'payment')).toMatchObject([{ payout: payout.id }]);
    await read((id) => id === payout.id);
    expect(lists()).toBe(1);
    fake.account.balance.payOut('cad', { automatic: false });
    await read((id) => id === payout.id);
    expect(lists()).toBe(1);
  });

  it('a payout that fails is told with what came back', async () => {
    await paid(5000);
    const payout = fake.account.balance.payOut('cad');
    fake.account.balance.failPayout(payout);
    const { entries } = await read();
    expect(byKind(entries, 'payout')).toMatchObject([{ state: 'failed', gross: -payout.amount }]);
    expect(byKind(entries, 'payoutReversed')).toMatchObject([{ gross: payout.amount, payout: payout.id }]);
  });

  it('amounts are in the smallest unit of their currency', async () => {
    await paid(3503, 'JPY');
    await paid(4970, 'KWD');
    const { entries } = await read();
    expect(entries.map(({ currency, gross }) => [currency, gross])).toEqual([
      ['KWD', 4970],
      ['JPY', 3503],
    ]);
  });

  it('the shop waits and asks again if Stripe is asked too often', async () => {
    await paid(5000);
    fake.faults.add({ call: 'listBalance', kind: 'rate limited', times: 2 });
    expect((await read()).entries).toHaveLength(1);
  });

  it('an error is no empty answer, and a missing permission is named', async () => {
    await paid(5000);
    fake.faults.add({ call: 'listBalance', kind: 'forbidden', times: 1 });
    await expect(read()).rejects.toThrow(RightMissing);
    fake.faults.add({ call: 'listBalance', kind: 'unauthorized', times: 1 });
    await expect(read()).rejects.toThrow('Invalid API Key');
  });
});
