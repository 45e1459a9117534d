import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RightMissing } from '#server/modules/payments/providers/provider.ts';
import type { SettlementEntry } from '#server/modules/payments/providers/settlement.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import type { ListedTransaction } from '#tests/fakes/paypal/paypal.ts';
import { beginAtPayPal } from '#tests/paypal-payments.ts';
import { testNow } from '#tests/test-app.ts';

type Opened = Awaited<ReturnType<typeof beginAtPayPal>>;
let opened: Opened;
beforeEach(async () => {
  opened = await beginAtPayPal();
  opened.fake.approve(opened.id);
  await opened.provider.complete(opened.attempt, true);
});
afterEach(() => expect(opened.fake.violations).toEqual([]));

async function read(from = testNow - dayMs, to = testNow + dayMs) {
  const { settlements } = opened.provider;
  if (!settlements) throw new Error('PayPal has no settlements');
  const pieces = settlements.read(from, to, () => false);
  const entries: SettlementEntry[] = [];
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    if (next.done) return { until: next.value, entries };
    entries.push(...next.value.entries);
  }
}

function listed(id: string, code: string, value: string, more: Partial<ListedTransaction> = {}): void {
  const at = new Date(testNow).toISOString().replace('.000', '');
  opened.fake.listed.push({
    transaction_id: id,
    transaction_event_code: code,
    transaction_initiation_date: at,
    transaction_updated_date: at,
    transaction_amount: { currency_code: 'CAD', value },
    transaction_status: 'S',
    ...more,
  });
}

describe('the books of a PayPal account', () => {
  it('a payment and its refund say which of the shop they belong to, and what PayPal took', async () => {
    await opened.provider.refund(opened.attempt, 1000, 'refund-key');
    const { entries } = await read();
    const { reference } = opened.attempt;
    expect(entries).toMatchObject([
      {
        kind: 'payment',
        type: 'T0006',
        state: 'settled',
        gross: 4972,
        fee: 174,
        payout: null,
        about: { reference },
      },
      { kind: 'refund', type: 'T1107', gross: -1000, fee: 0 },
    ]);
    const [payment, refund] = entries;
    expect(refund?.about).toMatchObject({ entry: payment?.id, refundId: refund?.id });
  });

  it.each([
    ['T0400', '-40.00', 'payout', 'arrived'],
    ['T1101', '40.00', 'payoutReversed', 'settled'],
    ['T0106', '-20.00', 'fee', 'settled'],
    ['T1110', '-49.72', 'dispute', 'settled'],
    ['T1111', '49.72', 'disputeReversed', 'settled'],
    ['T1201', '-49.72', 'dispute', 'settled'],
    ['T2101', '-10.00', 'hold', 'settled'],
    ['T0200', '-10.00', 'other', 'settled'],
    ['T0001', '-10.00', 'other', 'settled'],
    ['T9999', '-10.00', 'other', 'settled'],
  ])('a transaction with the code %s of %s is a %s', async (code, value, kind, state) => {
    listed('TX1', code, value);
    expect((await read()).entries.find(({ id }) => id === 'TX1')).toMatchObject({ kind, state, type: code });
  });

  it('a transaction that is pending or denied says so, and an unknown status is an error', async () => {
    listed('TX1', 'T0006', '5.00', { transaction_status: 'P' });
    listed('TX2', 'T0006', '5.00', { transaction_status: 'D' });
    expect((await read()).entries.slice(1).map(({ state }) => state)).toEqual(['pending', 'denied']);
    listed('TX3', 'T0006', '5.00', { transaction_status: 'X' as 'S' });
    await expect(read()).rejects.toThrow('a status of TX3 that the shop does not know: X');
  });

  it('the last hours are not said to be complete, since PayPal lists them later', async () => {
    opened.fake.refreshedAt = testNow - 3 * hourMs;
    expect((await read()).until).toBe(testNow - 3 * hourMs);
  });

  it('every page is read', async () => {
    for (let each = 0; each < 600; each++) listed(`TX${each}`, 'T0006', '5.00');
    expect((await read()).entries).toHaveLength(601);
  });

  it('a time with more transactions than PayPal lists is read in halves', async () => {
    opened.fake.mostTransactions = 1;
    const at = new Date(testNow + 20 * hourMs).toISOString().replace('.000', '');
    listed('TX1', 'T0006', '5.00', { transaction_initiation_date: at });
    const { entries, until } = await read();
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
    expect(until).toBe(testNow + dayMs);
  });

  it('the shop waits and asks again if PayPal is asked too often', async () => {
    opened.fake.busy = 2;
    expect((await read()).entries).toHaveLength(1);
  });

  it('an error is no empty answer, and a missing permission is named', async () => {
    opened.fake.transactionsAllowed = false;
    await expect(read()).rejects.toThrow(RightMissing);
    opened.fake.transactionsAllowed = true;
    opened.fake.fail('down');
    await expect(read()).rejects.toThrow('PayPal gave no answer');
  });
});
