/** A shop without a payment provider: payment in store, and free orders. */
import { openDatabase } from '#db/database.ts';
import { createChangesService } from '#server/modules/changes/changes.service.ts';
import { createCouponsService } from '#server/modules/orders/coupons/coupons.service.ts';
import { plainCoupon } from '../coupons.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expectConfirmed, shopper } from './checkout.ts';
import { test as base, expect, once, quick } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import { type RunningShop, startShop, startWithinMs } from './server.ts';
import type { Shop } from './shop.ts';

const latte = 'MC-DR-02-REG';
const onTheHouse = 'ONTHEHOUSE';

const test = base.extend<object, { counterShop: RunningShop }>({
  counterShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      // As a merchant runs it who has set up no keys: the simulator of a gateway is refused then.
      const shop = await startShop({ NODE_ENV: 'production' });
      const db = await openDatabase({ dataDir: shop.dataDir, databaseUrl: null });
      // Adding one asks for no categories.
      const catalogue = { names: () => Promise.reject(new Error('The catalogue is not there')) };
      const deps = { db, now: Date.now, catalogue };
      const coupon = {
        ...plainCoupon,
        code: onTheHouse,
        name: { en: 'On the house', zh: '本店请客' },
        percent: 100_000,
      };
      const { run } = createChangesService(deps);
      await run({ kind: 'terminal' }, 'test', (change) => createCouponsService(deps).add(change, coupon));
      await db.close();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: startWithinMs },
  ],
  baseURL: async ({ counterShop }, use) => use(counterShop.address),
});

// One worker, and so one shop, for them all.
test.describe.configure({ mode: 'default' });

// Requests that pass a service worker cannot be answered here.
test.use({ serviceWorkers: 'block' });

test.beforeEach(({ shop }) => shop.watch.allow(/Service Worker registration blocked/));

/** A latte at table 4, up to the payment page. */
async function openPayment(shop: Shop): Promise<void> {
  const { firstName, lastName, email, phone: phoneNumber } = shopper;
  await shop.call('addToCart', { params: { itemName: latte }, body: { quantity: 1 } });
  await shop.call('orderContactInfo', {
    query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
    body: { contact: { firstName, lastName, email, phoneNumber } },
  });
  await shop.open('/payment');
}

test('a shop without online payment takes orders to be paid at the store', { tag: [once, quick] }, async ({
  shop,
}) => {
  await openPayment(shop);
  await expect(shop.main.getByRole('heading', { name: shop.t('payment.method.store') })).toBeVisible();
  await expectNoSeriousAxe(shop.page);
  await shop.button(shop.t('payment.reserve')).click();
  await expectConfirmed(shop);
  await expect(shop.main.getByText(shop.like('confirm.payStore.instore'))).toBeVisible();
});

test('a free order is placed without a payment method', { tag: once }, async ({ shop }) => {
  await openPayment(shop);
  await shop.call('couponVerification', { params: { code: onTheHouse } });
  await shop.open('/payment');
  await expect(shop.main.getByRole('heading', { name: shop.t('payment.free') })).toBeVisible();
  await expect(shop.button(shop.t('payment.reserve'))).toBeHidden();
  await expectNoSeriousAxe(shop.page);
  await expectNoLayoutShift(shop.page);
  await shop.button(shop.t('payment.place')).click();
  await expectConfirmed(shop);
  await expect(shop.main.getByText(shop.t('confirm.free'))).toBeVisible();
});

test('an order whose answer was lost is found when the checkout is opened again', { tag: once }, async ({
  shop,
  page,
}) => {
  shop.watch.allow(/shoppingManagement4\/reserve|ERR_FAILED/);
  await openPayment(shop);
  const isLost = '**/shoppingManagement4/reserve*';
  await page.route(isLost, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/reserve'));
  await shop.button(shop.t('payment.reserve')).click();
  await lost;
  await page.unroute(isLost);
  await shop.open('/checkout');
  await expectConfirmed(shop);
});

test('an order rejected for its checkout data says why and leads back to checkout', { tag: once }, async ({
  shop,
  page,
}) => {
  shop.watch.allowStatus(400);
  await openPayment(shop);
  const words = shop.t('rule.slotFull');
  await page.route('**/shoppingManagement4/reserve*', (route) =>
    route.fulfill({
      status: 400,
      json: { errorType: 'REQUEST_VALIDATION_ERROR', errors: { pickupDate: words } },
    }),
  );
  await shop.button(shop.t('payment.reserve')).click();
  await expect(shop.main.getByRole('alert')).toContainText(words);
  await expectNoSeriousAxe(page);
  await shop.link(shop.t('payment.toCheckout')).click();
  await expect(shop.heading).toHaveText(shop.t('checkout.title'));
});
