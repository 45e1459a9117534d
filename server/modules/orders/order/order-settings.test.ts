import { expect, it } from 'vitest';
import { createSettingsService } from '#server/modules/settings/index.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { createOrderSettings } from './order-settings.ts';

forEachEngine((engine) => {
  it('taxes and shipping of a bill are those of the primary while a replica is behind', async () => {
    const primary = await createTestApp({ engine, demo: true });
    const replica = await createTestApp({ engine, demo: true });
    const { stores, webhookEvents } = primary.services;
    const db = { ...primary.db, catalogue: replica.db.read, changes: replica.db.changes };
    const settings = createSettingsService({ db });
    const read = createOrderSettings({ db, settings, stores, webhookEvents });
    expect((await read()).shippingMethods.length).toBeGreaterThan(1);
    const first = await read();
    expect(await read()).toBe(first);
    const [rate] = (await primary.services.settings.all()).shippingMethods;
    await primary.services.settings.update({ taxRates: [], shippingMethods: rate ? [{ ...rate, priceCents: 4321 }] : [] });
    expect((await settings.all()).taxRates.length).toBeGreaterThan(0);
    const { shippingMethods, taxes } = await read();
    expect(shippingMethods.map(({ priceCents }) => priceCents)).toEqual([4321]);
    expect(taxes).not.toEqual(first.taxes);
  });
});
