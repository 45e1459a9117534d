import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettlementEntry } from '#server/modules/payments/providers/settlement.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import { createBraintreeClient } from './client.ts';
import { readBraintreeConfig } from './config.ts';
import { readSettlements } from './settlements.ts';

const now = Date.now();
const day = (back: number) => new Date(now - back * dayMs).toISOString().slice(0, 10);
let fake: BraintreeFake;
let client: ReturnType<typeof createBraintreeClient>;
beforeEach(async () => {
  fake = await startBraintreeFake();
  const { config } = readBraintreeConfig(fake.env);
  if (!config) throw new Error('The fake has no keys');
  client = createBraintreeClient(config, 10_000);
});
afterAll(() => fake.close());

async function sold(
  amount: string,
  days: { batchDay: string; payoutDay: string | null },
  merchantAccountId = 'shop_cad',
) {
  const reference = randomUUID();
  const paymentMethodNonce = fake.nonce('good');
  const threeDSecureRequired = false;
  const sale = {
    amount,
    paymentMethodNonce,
    merchantAccountId,
    orderId: `MC-1/${reference}`,
    deviceData: '',
    threeDSecureRequired,
  };
  const { transaction } = await client.sale(sale);
  const made = fake.transactions.get(transaction?.id ?? '');
  if (!made) throw new Error('Nothing was sold');
  return { made: Object.assign(made, days), reference };
}

async function read() {
  const pieces = readSettlements(client, now - 20 * dayMs, now);
  const entries: SettlementEntry[] = [];
  const problems: string[] = [];
  for await (const piece of pieces) {
    entries.push(...piece.entries);
    if (piece.problem) problems.push(piece.problem);
  }
  return { entries, problems };
}

describe('the settlements of Braintree', () => {
  it('sales and refunds of a day and merchant account are one payout, and fees are not said', async () => {
    const days = { batchDay: day(3), payoutDay: day(2) };
    const [first, second] = [await sold('40.00', days), await sold('10.00', days)];
    await client.refund(first.made.id, '15.00', 'refund-key');
    Object.assign(fake.transactions.get(first.made.refundIds[0] ?? '') ?? {}, days);
    const { entries, problems } = await read();
    expect(problems).toEqual([]);
    const payout = `shop_cad/${day(2)}`;
    const about = { providerId: first.made.id, reference: first.reference };
    expect(entries.find(({ id }) => id === first.made.id)).toMatchObject({
      kind: 'payment',
      gross: 4000,
      fee: null,
      payout,
      about,
    });
    expect(entries.find(({ id }) => id === second.made.id)).toMatchObject({ gross: 1000, payout });
    expect(entries.find(({ kind }) => kind === 'refund')).toMatchObject({
      gross: -1500,
      payout,
      about: { providerId: first.made.id, refundKey: 'refund-key' },
    });
    expect(entries.filter(({ kind }) => kind === 'payout')).toMatchObject([
      { id: payout, gross: -3500, currency: 'CAD', complete: true, state: 'sent' },
    ]);
  });

  it('a transaction that is not paid out yet, or held back, is in no payout', async () => {
    await sold('40.00', { batchDay: day(2), payoutDay: null });
    const { made } = await sold('10.00', { batchDay: day(2), payoutDay: day(1) });
    made.held = true;
    const { entries } = await read();
    expect(entries.map(({ kind, payout }) => [kind, payout])).toEqual([
      ['payment', null],
      ['payment', null],
    ]);
  });

  it('a chargeback takes its amount, and gives it back once it is won; an inquiry takes nothing', async () => {
    const { made } = await sold('40.00', { batchDay: day(3), payoutDay: null });
    const dispute = fake.dispute(made.id);
    dispute.createdAt = `${day(1)}T09:00:00Z`;
    const disputes = async () => (await read()).entries.filter(({ kind }) => kind.startsWith('dispute'));
    const about = { providerId: made.id, disputeId: dispute.id };
    expect(await disputes()).toMatchObject([{ kind: 'dispute', gross: -4000, about }]);
    dispute.status = 'won';
    expect(await disputes()).toMatchObject([
      { gross: -4000 },
      { kind: 'disputeReversed', gross: 4000, about },
    ]);
    dispute.kind = 'retrieval';
    expect(await disputes()).toEqual([]);
  });

  it('amounts are in the smallest unit of their currency', async () => {
    await sold('3503', { batchDay: day(2), payoutDay: day(1) }, 'shop_jpy');
    const { entries } = await read();
    expect(entries.map(({ currency, gross }) => [currency, gross])).toEqual([
      ['JPY', 3503],
      ['JPY', -3503],
    ]);
  });

  it('batches that count another number of transactions than were listed are said', async () => {
    await sold('40.00', { batchDay: day(2), payoutDay: null });
    expect((await read()).problems).toEqual([]);
    fake.countsTooMany = 1;
    expect((await read()).problems).toEqual([
      `The batches of ${day(2)} at shop_cad count sales: 2 of 40.00, and Braintree lists 1 of 40.00`,
    ]);
  });

  it('the shop waits and asks again if Braintree is asked too often, and an error is no empty answer', async () => {
    await sold('40.00', { batchDay: day(2), payoutDay: null });
    fake.busy = 1;
    expect((await read()).entries).toHaveLength(1);
    fake.revoke();
    await expect(read()).rejects.toMatchObject({ name: 'authenticationError' });
    expect(fake.problems).toEqual([]);
  });
});
