/** The confirmation pages of cancelled orders and pickups, opened by the link in the email. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expectNoSeriousAxe } from './accessibility.ts';
import { shopper } from './checkout.ts';
import { expect, once, test } from './fixtures.ts';

/** A tea of which the store has plenty: other tests count on its few mugs. */
const tea = 'MC-GT-01-100';

test('the confirmation of a cancelled order sends nobody to the store', { tag: once }, async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await shop.call('addToCart', { params: { itemName: tea }, body: { quantity: 1 } });
  const contact = {
    firstName: shopper.firstName,
    lastName: shopper.lastName,
    email: shopper.email,
    phoneNumber: shopper.phone,
  };
  await shop.call('orderContactInfo', {
    query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '5' },
    body: { contact },
  });
  const { orderID } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  const path = `/cart/confirm?oid=${orderID}`;
  await shop.open(path);
  await expect(shop.heading).toHaveText(shop.like('confirm.titleNamed'));
  const { orderNumber } = (await shop.call('order', { params: { id: orderID } })) as { orderNumber: string };

  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['cli/index.ts', 'orders', 'cancel', orderNumber],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, DATA_DIR: process.env.SHOP_DATA },
      encoding: 'utf8',
    },
  );
  expect(status, stdout + stderr).toBe(0);

  await page.reload();
  await expect(shop.heading).toHaveText(t('confirm.over.title'));
  await expect(shop.main.getByText(t('confirm.over.cancelled'))).toBeVisible();
  await expect(shop.main.getByText(t('confirm.instore.next', { table: '5' }))).toBeHidden();
  await expectNoSeriousAxe(page);
});

test('the confirmation of a pickup has no serious accessibility findings and shows one clock', async ({
  shop,
  page,
}) => {
  await shop.call('addToCart', { params: { itemName: tea }, body: { quantity: 1 } });
  const contact = {
    firstName: shopper.firstName,
    lastName: shopper.lastName,
    email: shopper.email,
    phoneNumber: shopper.phone,
  };
  const localStoreName = 'toronto-queen-west';
  await shop.call('orderContactInfo', { query: { methodName: 'pickup', localStoreName }, body: { contact } });
  const dayMs = 86_400_000;
  let pickupDate: number | undefined;
  for (let days = 1; days < 7 && pickupDate === undefined; days += 1) {
    const date = new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
    const { slots } = (await shop.call('pickupSlots', { query: { localStoreName, date } })) as {
      slots: { at: number; available: boolean }[];
    };
    pickupDate = slots.find(({ available }) => available)?.at;
  }
  await shop.call('orderPickupDate', { body: { pickupDate } });
  const { orderID } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  await shop.open(`/cart/confirm?oid=${orderID}`);
  await expect(shop.main.getByText(shop.t('confirm.pickup.hours'), { exact: true })).toBeVisible();
  await expectNoSeriousAxe(page);
  expect(await shop.main.innerText()).not.toMatch(/\d\s*[ap]\.?m\b|[上下]午/i);
});
