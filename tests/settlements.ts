/** What payment providers and the bank say, for tests. */
import type { TestApp } from '#tests/test-app.ts';

/** A payout, and a line of the bank with another amount. */
export async function keepPayout(
  { db, clock }: Pick<TestApp, 'db' | 'clock'>,
  payout: string,
  line: string,
): Promise<void> {
  const at = clock.now();
  await db.transaction(async (trx) => {
    await trx
      .insertInto('settlement_rows')
      .values({
        provider: 'Stripe',
        row_id: payout,
        revision: 0,
        kind: 'payout',
        type: 'payout',
        state: 'sent',
        at,
        available_at: at,
        currency: 'CAD',
        gross_cents: -500,
        fee_cents: 0,
        net_cents: -500,
        charged_cents: null,
        charged_currency: null,
        payout_id: payout,
        complete: 0,
        about: '{"dashboard":""}',
        payment_id: null,
        refund_id: null,
        dispute_id: null,
        order_id: null,
        kept_at: at,
      })
      .execute();
    const bank = {
      id: line,
      day: '2026-05-18',
      amount_cents: 480,
      currency: 'CAD',
      description: 'STRIPE',
      actor: 'terminal',
    };
    await trx
      .insertInto('bank_lines')
      .values({ ...bank, kept_at: at })
      .execute();
  });
}
