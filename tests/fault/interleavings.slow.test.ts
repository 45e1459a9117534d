/**
 * Random interleavings of everything that touches a payment, a thousand of them. After each the books
 * are audited, twice: when the last request has been answered, and when all that was left open is settled. A failure prints the
 * seed and the smallest schedule that shows it; `INTERLEAVINGS_SEED=… npx vitest run --project server
 * tests/fault/interleavings.slow.test.ts` repeats it, `INTERLEAVINGS_RUNS=…` makes it more or fewer.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodPassword, register } from '#tests/accounts.ts';
import { issueCoupon } from '#tests/coupons.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { type Ledger, openLedgerAudit } from '#tests/ledger-audit.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits } from '#tests/shop-actions.ts';
import { createTestApp } from '#tests/test-app.ts';
import { createStage, schedules } from './interleaving.ts';

const seed = Number(process.env.INTERLEAVINGS_SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.INTERLEAVINGS_RUNS ?? 1000);
/** A shop is given up after so many, before its tables are long. There are ten at least. */
const runsOfAShop = Math.min(100, Math.ceil(runs / 10));
const skus = ['MUG-OAT', 'TEAPOT'] as const;

/** One in ten on PostgreSQL, where two requests really are under way at once. */
const parts = Array.from({ length: Math.ceil(runs / runsOfAShop) }, (_, index) => ({
  engine: index % 10 === 9 ? ('postgres' as const) : ('sqlite' as const),
  seed: (seed + index) % 2 ** 31,
  count: Math.min(runsOfAShop, runs - index * runsOfAShop),
}));

/** How often an order changed for a reason, over all runs. */
const happened = new Map<string, number>();
const note = (what: string) => void happened.set(what, (happened.get(what) ?? 0) + 1);
const expected = [
  'paid by Stripe',
  'paid by PayPal',
  'paid late by Stripe',
  'payment failed',
  'hold ran out',
  'called off',
  'refund: paid too late',
  'refund: broken',
  'refund: called off',
  'coupon used',
];

describe(`interleaved requests, webhooks, expiries and refunds (INTERLEAVINGS_SEED=${seed})`, () => {
  it.each(parts)(
    'the books of money, stock and coupons balance: $count on $engine',
    { timeout: 300_000 },
    async (part) => {
      const fakes = { stripe: new FakeProvider('Stripe'), payPal: new FakeProvider('PayPal') };
      const testApp = await createTestApp({
        engine: part.engine,
        connections: 10,
        demo: true,
        providers: { stripe: fakes.stripe, paypal: fakes.payPal },
      });
      for (const each of skus) await sellProduct(testApp, each);
      const { session: phone, email } = await register(testApp);
      const laptop = testApp.shopper();
      await testApp.call('signon', { session: laptop, body: { userID: email, password: goodPassword } });
      const stage = createStage({ testApp, fakes, phone, laptop, email, skus });
      const ledgers = { Stripe: ledgerOf(fakes.stripe), PayPal: ledgerOf(fakes.payPal) };

      const property = fc.asyncProperty(schedules, async (schedule) => {
        for (const fake of Object.values(fakes)) fake.charges.clear();
        fakes.payPal.answer = 'ask';
        await stage.settle();
        for (const sku of skus) await setUnits(testApp, sku, schedule.units);
        const { couponLimit: totalLimit, oncePerCustomer, withCoupon } = schedule;
        await stage.set(
          await issueCoupon(testApp, { totalLimit, customerLimit: oncePerCustomer ? 1 : null }),
          withCoupon,
        );
        const ledger = await openLedgerAudit(testApp, ledgers, skus);
        expect(await stage.play(schedule)).toEqual([]);
        expect(await ledger.complaints(false)).toEqual([]);
        await stage.settle();
        expect(await ledger.complaints()).toEqual([]);
      });
      await fc.assert(property, { seed: part.seed, numRuns: part.count });
      for (const { reason } of await testApp.db.read.selectFrom('order_events').select('reason').execute())
        note(reason ?? '');
      for (const { reason } of await testApp.db.read.selectFrom('refunds').select('reason').execute())
        note(`refund: ${reason}`);
      for (const { state } of await testApp.db.read.selectFrom('coupon_uses').select('state').execute())
        note(`coupon ${state}`);
      await testApp.close();
    },
  );

  it('the schedules reach every event that they are about', () => {
    console.info(`interleavings: seed ${seed}, ${runs} runs`, Object.fromEntries(happened));
    for (const each of expected) expect(happened.has(each) || runs < 1000, each).toBe(true);
  });
});

function ledgerOf(fake: FakeProvider): Ledger {
  return () => {
    const taken = [...fake.charges].filter(([, { state }]) => state === 'taken');
    return new Map(taken.map(([reference, { amount, refunded }]) => [reference, { amount, refunded }]));
  };
}
