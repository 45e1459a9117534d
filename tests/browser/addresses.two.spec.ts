/** Addresses of other countries at the checkout: what is asked, what browsers fill in, and what contradicts itself. */
import { countryName } from '#contract/countries.ts';
import { openDatabase } from '#db/database.ts';
import { createChangesService } from '#server/modules/changes/changes.service.ts';
import { createSettingsService } from '#server/modules/settings/settings.service.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { address, cards, expectConfirmed, fillCard, fillContact, goToPayment } from './checkout.ts';
import { test as base, expect } from './fixtures.ts';
import { type RunningShop, startDemoShop, startWithinMs } from './server.ts';

const served = ['CA', 'US', 'HK', 'JP', 'DE', 'AE'];

const test = base.extend<object, { worldShop: RunningShop }>({
  worldShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const shop = await startDemoShop();
      const db = await openDatabase({ dataDir: shop.dataDir, databaseUrl: null });
      const settings = createSettingsService({ db });
      const { run } = createChangesService({ db, now: Date.now });
      const { shippingMethods } = await settings.all();
      const countries = served.map((code) => ({
        countryISOCode: code,
        name: { en: countryName(code, 'en'), zh: countryName(code, 'zh') },
      }));
      const parcel = shippingMethods
        .slice(-1)
        .map((method) => ({ ...method, countries: served, provinceCodes: [] }));
      await run({ kind: 'terminal' }, 'test', (change) =>
        settings.update(change, { countries, shippingMethods: parcel }),
      );
      await db.close();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: startWithinMs },
  ],
  baseURL: async ({ worldShop }, use) => use(worldShop.address),
});

test('each country is asked for its own fields, which browsers know, and an order goes to Hong Kong', async ({
  shop,
  page,
  lang,
}) => {
  const { t } = shop;
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  await shop.open('/checkout');
  await fillContact(shop);
  const country = shop.field('checkout.address.country');
  /** The fields after the country, as browsers fill them in. */
  const asked = () =>
    shop.main
      .locator('[name^="address."]:not([name="address.countryISOCode"])')
      .evaluateAll((all) => all.map((field) => field.getAttribute('autocomplete')?.replace('shipping ', '')));

  await country.selectOption('DE');
  await expect.poll(asked).toEqual(['address-line1', 'address-line2', 'postal-code', 'address-level2']);
  await country.selectOption('AE');
  await expect.poll(asked).toEqual(['address-line1', 'address-line2', 'address-level1']);
  await country.selectOption('JP');
  const japanese = ['address-line1', 'address-line2', 'address-level2', 'address-level1', 'postal-code'];
  const largestFirst = ['postal-code', 'address-level1', 'address-level2', 'address-line1', 'address-line2'];
  await expect.poll(asked).toEqual(lang === 'zh' ? largestFirst : japanese);
  await country.selectOption('US');
  await shop.field('checkout.address.postCode.US').fill('20500');
  await expect(shop.field('checkout.address.province.US')).toHaveValue('District of Columbia');

  await country.selectOption('CA');
  await shop.field('checkout.address.street').fill(address.street);
  await shop.field('checkout.address.city').fill(address.city);
  await shop.field('checkout.address.postCode.CA').fill('V6B 1A1');
  await shop.field('checkout.address.province.CA').selectOption('Ontario');
  await shop.button(t('checkout.continue')).click();
  await expect(shop.main.getByText(t('rule.zipcodeElsewhere', { place: 'BC' }))).toBeVisible();
  await expectNoSeriousAxe(page);

  await country.selectOption('HK');
  await shop.button(t('checkout.continue')).click();
  await expect(shop.main.getByText(t('rule.provinceMissing'))).toBeVisible();
  await expect(shop.main.getByText(t('rule.zipcodeMissing'))).toHaveCount(0);
  await shop.field('checkout.address.province.area').selectOption('Kowloon');
  await shop.field('checkout.address.city.district').fill('Mong Kok');
  await goToPayment(shop);
  await fillCard(shop, cards.approved);
  await shop.button(shop.like('payment.pay')).click();
  await expectConfirmed(shop);
  await expect(shop.main.getByText(/Mong Kok/).first()).toBeVisible();
});
