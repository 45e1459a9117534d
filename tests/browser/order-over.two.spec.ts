/** An order that was called off, as its buyer finds it by the link in their mail. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expectNoSeriousAxe } from './accessibility.ts';
import { shopper } from './checkout.ts';
import { expect, test } from './fixtures.ts';
import { mug } from './paying.ts';

test('a confirmation sends nobody to the store for an order that was cancelled', async ({ shop, page }) => {
  const { t } = shop;
  await shop.call('addToCart', { params: { itemName: mug }, body: { quantity: 1 } });
  const contact = { firstName: shopper.firstName, lastName: shopper.lastName, email: shopper.email, phoneNumber: shopper.phone };
  await shop.call('orderContactInfo', {
    query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '5' },
    body: { contact },
  });
  const { orderID } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  const path = `/cart/confirm?oid=${orderID}`;
  await shop.open(path);
  await expect(shop.heading).toHaveText(shop.like('confirm.titleNamed'));
  const { orderNumber } = (await shop.call('order', { params: { id: orderID } })) as { orderNumber: string };

  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/index.ts', 'orders', 'cancel', orderNumber], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, DATA_DIR: process.env.SHOP_DATA },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);

  await page.reload();
  await expect(shop.heading).toHaveText(t('confirm.over.title'));
  await expect(shop.main.getByText(t('confirm.over.cancelled'))).toBeVisible();
  await expect(shop.main.getByText(t('confirm.instore.next', { table: '5' }))).toBeHidden();
  await expectNoSeriousAxe(page);
});
