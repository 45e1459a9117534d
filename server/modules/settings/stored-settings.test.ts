import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { sellProduct } from '#tests/products.ts';
import { add, deliver, pay, visit } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { defaultSettings, ShopSettings, settingsProblems } from './index.ts';

/** Rows as the first version stored them. */
const firstVersion = {
  shopName: { en: 'River Cups' },
  contactEmail: 'hello@river-cups.example',
  orderNumberPrefix: 'RC',
  countries: [{ countryISOCode: 'CA', name: { en: 'Canada', zh: '加拿大' } }],
  tipPercentages: [0, 10],
  checkoutConfig: {
    enabledGuestOrders: true,
    enablePickup: true,
    domesticShippingEnabled: true,
    requireMobile: true,
    requireEmail: true,
    displayPickupLocations: true,
    displayPickupTime: true,
  },
  paymentConfig: {
    payAtStoreEnabled: true,
    paymentOnline: true,
    payPalEnabled: false,
    defaultGateWayProviderName: '{host}',
  },
  taxRates: [
    {
      provinceCode: 'ON',
      gstPercent: 0,
      pstPercent: 0,
      pstLabel: null,
      hstPercent: 13,
      totalPercent: 13,
      note: null,
    },
  ],
  shippingMethods: [
    {
      id: 'ca-standard',
      name: { en: 'Standard, Canada', zh: '加拿大标准配送' },
      description: { en: '3 to 7 working days.' },
      countries: ['CA'],
      provinceCodes: [],
      priceCents: 1200,
      freeOverCents: 9500,
      minBusinessDays: 3,
      maxBusinessDays: 7,
    },
  ],
  coupons: [
    { code: 'WELCOME10', type: 'percent', percent: 10, amountCents: 0, startsAt: '2026-01-01', endsAt: null },
  ],
  socialLinks: [{ network: 'instagram', label: { en: 'Photos' }, url: 'https://social.example/river-cups' }],
  footer: { notice: { en: '' }, shortNotice: { en: '' }, copyright: { en: '© River Cups' }, links: [] },
};

/** Rows as if each field inside a setting, but for those named, had been added since. */
const beforeAnyField = {
  checkoutConfig: { enablePickup: true, domesticShippingEnabled: true },
  paymentConfig: { payAtStoreEnabled: true, paymentOnline: true },
  tipMethods: { pickup: true },
  newOrderEmails: {},
  packing: { packingDays: 2 },
  listFilters: {},
  returnPolicy: { days: 30 },
  footer: { copyright: { en: '© River Cups' } },
};

/** Stores rows past the service, which validates them by today's schema. */
async function store({ db }: TestApp, rows: Readonly<Record<string, unknown>>): Promise<void> {
  await db.transaction(async (trx) => {
    for (const [key, value] of Object.entries(rows)) {
      await trx.deleteFrom('settings').where('key', '=', key).execute();
      await trx
        .insertInto('settings')
        .values({ key, value: JSON.stringify(value) })
        .execute();
    }
    // So that the services read the rows again.
    await recordCatalogueChange(trx, [topics.settings]);
  });
}

/** The paths of required fields inside settings. */
function nestedFields(schema: TSchema, path: readonly string[] = []): (readonly string[])[] {
  if (!Type.IsObject(schema)) return path.length > 1 ? [path] : [];
  return Object.entries(schema.properties).flatMap(([key, inner]) =>
    Type.IsOptional(inner) ? [] : nestedFields(inner, [...path, key]),
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

onBothEngines((engine) => {
  describe('settings that an older version stored', () => {
    it.each([
      ['the first version', firstVersion],
      ['a version with fewer fields', beforeAnyField],
    ])('the settings of %s are read as valid settings', async (_, rows) => {
      const testApp = await createTestApp({ engine });
      await store(testApp, rows);
      const all = await testApp.services.settings.all();
      expect(settingsProblems(all)).toEqual([]);
      expect(all.checkoutConfig.enablePickup).toBe(true);
      expect(all.footer.copyright).toEqual({ en: '© River Cups' });
    });

    it('each field that a stored setting lacks has its default', async () => {
      const testApp = await createTestApp({ engine });
      await store(testApp, Object.fromEntries(Object.keys(beforeAnyField).map((key) => [key, {}])));
      const all = await testApp.services.settings.all();
      const fields = nestedFields(ShopSettings);
      expect(fields.length).toBeGreaterThan(25);
      for (const path of fields)
        expect(valueAt(all, path), path.join('.')).toEqual(valueAt(defaultSettings, path));
    });

    it('fields that another version stored beside those of today are not read', async () => {
      const testApp = await createTestApp({ engine });
      const [method] = firstVersion.shippingMethods;
      await store(testApp, {
        shippingMethods: [{ ...method, type: 'flatRate' }],
        returnPolicy: { days: 30, restockingPercent: 10 },
        colours: { accent: 'green' },
      });
      const all = await testApp.services.settings.all();
      expect(all.shippingMethods).toEqual([method]);
      expect(all.returnPolicy).toEqual({ ...defaultSettings.returnPolicy, days: 30 });
      expect(all).not.toHaveProperty('colours');
    });

    it('a text that the merchant wrote in one language gets no translation from the defaults', async () => {
      const testApp = await createTestApp({ engine });
      await store(testApp, firstVersion);
      expect((await testApp.services.settings.all()).shopName).toEqual({ en: 'River Cups' });
    });

    it('a shop with the settings of an older version answers and takes orders', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      await sellProduct(testApp, 'MUG-OAT');
      await store(testApp, beforeAnyField);
      expect((await testApp.ask('appInfoInit')).status).toBe(200);
      expect(await testApp.call('checkoutConfig')).toMatchObject({
        requireEmail: true,
        displayPickupTime: true,
      });
      const session = testApp.shopper();
      await add(testApp, session, 'MUG-OAT');
      expect((await deliver(testApp, session)).status).toBe(200);
      expect((await pay(testApp, session)).body.orderID).toEqual(expect.any(String));
      const other = testApp.shopper();
      await add(testApp, other, 'MUG-OAT');
      expect((await visit(testApp, other)).status).toBe(200);
    });
  });
});
