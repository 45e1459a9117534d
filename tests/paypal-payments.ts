/** Starts PayPal payments at a fake of PayPal, for tests. */
import { randomUUID } from 'node:crypto';
import type { Database } from '#db/database.ts';
import { readPayPalConfig } from '#payment-providers/paypal/server/config.ts';
import { createPayPalProvider } from '#payment-providers/paypal/server/paypal.ts';
import type { Attempt, Charge, ShipTo } from '#server/modules/payments/providers/provider.ts';
import { startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { closeAtEnd } from '#tests/resources.ts';
import { createTestApp, testNow } from '#tests/test-app.ts';

/** The provider with a fake of its own. `make` makes another provider at the same fake. */
export async function openPayPal(db: Database, timeoutMs?: number) {
  const fake = await startPayPalFake();
  fake.now = () => testNow;
  closeAtEnd(() => fake.close());
  const { config } = readPayPalConfig(fake.env);
  if (!config) throw new Error('The fake is no configuration');
  const make = () => createPayPalProvider({ config, db, now: () => testNow, timeoutMs });
  return { fake, provider: make(), make };
}

/** A charge of $49.72 with random references. */
export function newCharge(): Charge {
  return { reference: randomUUID(), orderId: randomUUID(), amount: 4972, currency: 'CAD', locale: 'en' };
}

// One database for all of a file: references are random.
let shared: ReturnType<typeof createTestApp> | undefined;

function openShared(): ReturnType<typeof createTestApp> {
  closeAtEnd(() => {
    shared = undefined;
  });
  return createTestApp({ engine: 'sqlite' });
}

/** A payment that waits for the shopper at a new fake. `id` is PayPal's order. */
export async function beginAtPayPal(timeoutMs?: number) {
  shared ??= openShared();
  const { db } = await shared;
  const opened = await openPayPal(db, timeoutMs);
  const attempt: Attempt = { ...newCharge(), providerId: null };
  const keep = async (id: string) => {
    attempt.providerId = id;
  };
  const outcome = await opened.provider.start(attempt, {}, keep);
  return { ...opened, attempt, keep, outcome, id: attempt.providerId ?? '' };
}

/** An address in Canada that PayPal takes. */
export const shipTo: ShipTo = {
  name: 'Wei Zhang',
  phone: '416-555-0100',
  line1: '12 Queen Street West',
  line2: 'Unit 5',
  city: 'Toronto',
  province: 'ON',
  postCode: 'M5H 2N2',
  country: 'CA',
};
