/** The rooms Shop and More settings. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const en = staffTranslate('en');
const store = 'Waterloo – Uptown';

test.use({ locale: 'en-CA' });

test('an owner chooses who is told of a store’s new orders, and More settings has fields and drafts of its own', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'shop');
  const told = page.getByLabel(en('office.shop.newOrdersAt', { store }));
  const addresses = page.getByLabel(en('office.shop.newOrdersTo', { store }));
  const saved = async () => {
    await page.getByRole('button', { name: en('office.save'), exact: true }).click();
    await expect(page.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
    await page.reload();
  };
  await expect(told).toHaveValue('own');
  await told.selectOption('these');
  await addresses.fill('kitchen@shop.example, bar@shop.example');
  await saved();
  await expect(addresses).toHaveValue('kitchen@shop.example, bar@shop.example');
  await expectNoSeriousAxe(page);
  // The field stays while it is empty.
  await addresses.fill('');
  await addresses.fill('desk@shop.example');
  await page.goto('/office/settings');
  await expect(page.getByLabel(en('office.settings.tablesUnpaid'))).not.toHaveValue('');
  await expect(page.getByRole('button', { name: en('office.document.discard'), exact: true })).toBeHidden();
  await page.goBack();
  await expect(addresses).toHaveValue('desk@shop.example');
  await told.selectOption('own');
  await saved();
  await expect(told).toHaveValue('own');
});
