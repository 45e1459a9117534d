/** A shop without guest orders. */
import { openDatabase } from '#db/database.ts';
import { createChangesService } from '#server/modules/changes/changes.service.ts';
import { defaultSettings } from '#server/modules/settings/settings.schema.ts';
import { createSettingsService } from '#server/modules/settings/settings.service.ts';
import { expectPath, fillLogin, password, registered } from './customer.ts';
import { test as base, expect } from './fixtures.ts';
import { type RunningShop, startDemoShop, startWithinMs } from './server.ts';

const test = base.extend<object, { closedShop: RunningShop }>({
  closedShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const shop = await startDemoShop();
      const db = await openDatabase({ dataDir: shop.dataDir, databaseUrl: null });
      const checkoutConfig = { ...defaultSettings.checkoutConfig, enabledGuestOrders: false };
      const { run } = createChangesService({ db, now: Date.now });
      await run({ kind: 'terminal' }, 'test', (change) =>
        createSettingsService({ db }).update(change, { checkoutConfig }),
      );
      await db.close();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: startWithinMs },
  ],
  baseURL: async ({ closedShop }, use) => use(closedShop.address),
});

test('guests sign in first and come back to the checkout', async ({ shop, page }) => {
  const { t } = shop;
  const email = await registered(shop);
  await shop.call('logout');
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  await shop.open('/checkout');
  await expectPath(page, shop, '/account/login');
  await expect(shop.main.getByText(t('account.login.guest'))).toHaveCount(0);
  await shop.open('/cart');
  await shop.link(t('cart.checkout')).click();
  await expectPath(page, shop, '/account/login');
  await fillLogin(shop, page, email, password);
  await expectPath(page, shop, '/checkout');
  await expect(shop.heading).toHaveText(t('checkout.title'));
});
