/** Delivery by a store itself: outside its zone, below its minimum, and a drink to the door. */
import { weekdays } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { createChangesService } from '#server/modules/changes/changes.service.ts';
import { storesIn } from '#server/modules/stores/store.ts';
import { createStoresEditor } from '#server/modules/stores/stores.service.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { cards, chooseMethod, expectConfirmed, fillCard, fillContact, goToPayment } from './checkout.ts';
import { test as base, expect } from './fixtures.ts';
import { type RunningShop, startDemoShop, startWithinMs } from './server.ts';
import type { Shop } from './shop.ts';

const latte = 'MC-DR-02-REG';
const always = { open: '00:00', close: '24:00' };

const test = base.extend<object, { openShop: RunningShop }>({
  openShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const shop = await startDemoShop();
      const db = await openDatabase({ dataDir: shop.dataDir, databaseUrl: null });
      // Open around the clock, so that the test passes at night.
      const openingHours = Object.fromEntries(weekdays.map((day) => [day, always])) as Record<
        (typeof weekdays)[number],
        typeof always
      >;
      const stores = (await storesIn(db.read)).map((store) => ({ ...store, openingHours, specialHours: [] }));
      const { run } = createChangesService({ db, now: Date.now });
      await run({ kind: 'terminal' }, 'test', (change) =>
        createStoresEditor({ db, now: Date.now }).upsert(change, stores),
      );
      await db.close();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: startWithinMs },
  ],
  baseURL: async ({ openShop }, use) => use(openShop.address),
});

async function fillStreet(shop: Shop, postCode: string): Promise<void> {
  await shop.field('checkout.address.street').fill('25 Niagara Street');
  await shop.field('checkout.address.city').fill('Toronto');
  await shop.field('checkout.address.postCode.CA').fill(postCode);
}

test('a drink is delivered by the store whose zone holds the address, once it is worth the way', async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await shop.call('addToCart', { params: { itemName: latte }, body: { quantity: 1 } });
  await shop.open('/checkout');
  await chooseMethod(shop, 'shipping');
  await expect(shop.main.getByText(t('checkout.delivery.needAddress'))).toBeVisible();

  await test.step('an address outside is told so and offered pickup', async () => {
    await fillContact(shop);
    await fillStreet(shop, 'M1B 2K9');
    await expect(shop.main.getByText(t('rule.deliveryOutsidePickup'))).toBeVisible();
    await expectNoSeriousAxe(page);
    await shop.button(t('checkout.delivery.pickup')).click();
    await expect(
      shop.main.getByRole('radio', { name: new RegExp(`^${t('checkout.method.pickup')}`) }),
    ).toBeChecked();
    await chooseMethod(shop, 'shipping');
  });

  await test.step('an order below the minimum is told what is missing', async () => {
    await fillStreet(shop, 'M6J 1K2');
    await expect(shop.main.getByText(shop.like('rule.deliveryMinimum'))).toBeVisible();
    await shop.call('addToCart', { params: { itemName: latte }, body: { quantity: 4 } });
    await page.reload();
  });

  const delivery = shop.main.getByRole('radio', {
    name: new RegExp(t('checkout.delivery.minutes', { minutes: 40 })),
  });
  await expect(delivery).toBeChecked();
  await expectNoSeriousAxe(page);
  await goToPayment(shop);
  await fillCard(shop, cards.approved);
  await shop.button(shop.like('payment.pay')).click();
  await expectConfirmed(shop);
  await expect(shop.main.getByText(shop.like('confirm.delivery.about'))).toBeVisible();
});
