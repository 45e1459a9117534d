/**
 * Two processes with different clocks serve one shop. One process has the right time, the other is the test’s own,
 * whose clock the test sets.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { startShop } from '#tests/processes.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { buy, byStripe, environment } from './buying.ts';
import { chargesOf, confirmationsOf, holdUp, openStripeBooks } from './stripe-ledger.ts';

const sku = 'TEAPOT';
const units = 10;
const minute = 60_000;

forEachEngine((engine) => {
  let fake: StripeFake;
  beforeEach(async () => {
    fake = await startStripeFake();
  });
  afterEach(() => fake.close());

  it('a clock ahead of the others expires payments early, and none of them wrongly', async () => {
    const testApp = await createTestApp({ engine, demo: true, env: fake.env });
    await sellProduct(testApp, sku);
    await setUnits(testApp, sku, units);
    const ledger = await openStripeBooks(testApp, fake, [sku]);
    const shop = await startShop({ ...environment(testApp), ...fake.env });
    const pay = () => buy(shop.url, sku, byStripe(fake.token(testCards.approve.method)));
    const before = confirmationsOf(fake);

    const answerTaken = holdUp(fake, 'slow after');
    const taken = pay();
    await expect.poll(() => chargesOf(fake)).toBe(1);
    const confirm = holdUp(fake, 'slow');
    const late = pay();
    await expect.poll(() => confirmationsOf(fake)).toBe(before + 2);
    expect(await unitsOf(testApp.db.read, sku)).toMatchObject({ held: 2, sold: 0 });

    // By this clock both holds ran out long ago.
    testApp.clock.set(Date.now() + 20 * minute);
    expect(await testApp.services.payments.reconcile()).toMatchObject({ placed: 1, ended: 1, open: 0 });
    expect(await unitsOf(testApp.db.read, sku)).toMatchObject({ stock: units - 1, held: 0, sold: 1 });
    answerTaken();
    confirm();
    // Who had paid gets the order that the other process placed; who had not is not charged any more.
    expect(await taken).not.toBeNull();
    expect(await late).toBeNull();
    expect(chargesOf(fake)).toBe(1);
    expect(await pay()).not.toBeNull();
    expect(await ledger.complaints()).toEqual([]);
    await shop.end('SIGTERM');
  });

  it('a clock behind the others promises no hold for less time than it takes to pay', async () => {
    const testApp = await createTestApp({ engine, demo: true, env: fake.env });
    await sellProduct(testApp, sku);
    await setUnits(testApp, sku, 1);
    const ledger = await openStripeBooks(testApp, fake, [sku]);
    testApp.clock.set(Date.now() - 10 * minute);
    const session = await shopperWithCart(testApp, sku);
    const ask = (confirmationToken: string) =>
      testApp.ask('payByStripe', { session, body: { confirmationToken } });
    expect((await ask(fake.token(testCards.asksHolder.method))).body.action).not.toBeNull();

    // Starting, it looks into everything that is open, by the right time.
    const shop = await startShop({ ...environment(testApp), ...fake.env });
    const retrieved = () => fake.calls.filter(({ call }) => call === 'retrieve').length;
    await expect.poll(retrieved).toBeGreaterThan(0);
    expect(await buy(shop.url, sku)).toBeNull();
    expect(await unitsOf(testApp.db.read, sku)).toEqual({ stock: 0, held: 1, sold: 0, all: 1 });
    const intent = [...fake.account.intents.keys()].at(-1) ?? '';
    await fake.answer(intent, true);
    const { status } = await testApp.ask('resumePayment', { session, body: { provider: 'Stripe' } });
    expect(status).toBe(200);
    expect(await ledger.complaints()).toEqual([]);
    await shop.end('SIGTERM');
  });
});
