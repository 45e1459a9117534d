/** Kills the shop between a charge and its order. The provider’s ledger is in another process and survives. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { startShop } from '#tests/processes.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { buy, byStripe, environment } from './buying.ts';
import { chargesOf, confirmationsOf, holdUp, openStripeBooks } from './stripe-ledger.ts';

const sku = 'TEAPOT';
const units = 20;
const charged = 6;
const uncharged = 3;

forEachEngine((engine) => {
  let fake: StripeFake;
  beforeAll(async () => {
    fake = await startStripeFake();
  });
  afterAll(() => fake.close());

  it('payments charged at SIGKILL are placed once at the next start, and uncharged ones are released', {
    timeout: 120_000,
  }, async () => {
    const testApp = await createTestApp({ engine, demo: true, env: fake.env });
    await sellProduct(testApp, sku);
    const env = { ...environment(testApp), ...fake.env };
    await setUnits(testApp, sku, units);
    const ledger = await openStripeBooks(testApp, fake, [sku]);
    const shop = await startShop(env);
    const pay = () => buy(shop.url, sku, byStripe(fake.token(testCards.approve.method))).catch(() => null);
    const letGo = [holdUp(fake, 'slow', uncharged), holdUp(fake, 'slow after', charged)];

    const answers = Array.from({ length: uncharged + charged }, pay);
    await expect.poll(() => [confirmationsOf(fake), chargesOf(fake)]).toEqual([uncharged + charged, charged]);
    await shop.end('SIGKILL');
    expect(await Promise.all(answers)).toEqual(Array(uncharged + charged).fill(null));
    expect(await unitsOf(testApp.db.read, sku)).toMatchObject({ held: uncharged + charged, sold: 0 });

    const again = await startShop(env);
    const sold = async () => (await unitsOf(testApp.db.read, sku)).sold;
    await expect.poll(sold).toBe(charged);
    expect(await ledger.complaints(false)).toEqual([]);
    // The webhooks that were lost with the process come again: nothing is placed, charged or mailed twice.
    for (const { metadata } of fake.account.charges.values()) {
      const { headers, body } = fake.webhooks.lastAbout(metadata.reference ?? '');
      expect(
        (await fetch(`${again.url}/api/webhooks/stripe`, { method: 'POST', headers: { ...headers }, body }))
          .status,
      ).toBe(200);
    }
    expect(await again.end('SIGTERM')).toBe(0);

    // An hour on, what was never charged has been cancelled at Stripe as well.
    testApp.clock.set(Date.now() + 3_600_000);
    expect(await testApp.services.payments.reconcile()).toMatchObject({ placed: 0, ended: uncharged });
    // The process that died had asked for them to be confirmed; this is when Stripe gets round to it.
    for (const each of letGo) each();
    await fake.webhooks.settled();
    expect(chargesOf(fake)).toBe(charged);
    expect(await unitsOf(testApp.db.read, sku)).toMatchObject({
      stock: units - charged,
      held: 0,
      sold: charged,
    });
    expect(await ledger.complaints()).toEqual([]);
  });
});
