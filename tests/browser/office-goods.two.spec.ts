/** The room Products: finding, adding and editing a product, and changing several together. */
import { randomUUID } from 'node:crypto';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const [en, zh] = [staffTranslate('en'), staffTranslate('zh')];

test.use({ locale: 'en-CA' });

test('a product is added, keeps its draft over a closed tab, gets a picture and a price, and is found', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'goods');
  await page.getByRole('button', { name: en('office.goods.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en('office.goods.name')).fill('Sunday Jug');
  await dialog.getByRole('button', { name: en('office.goods.add') }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sunday Jug' })).toBeVisible();
  await expect(page).toHaveURL(/goods\/sunday-jug$/);
  await page.locator('[name="name.zh"]').fill('周日水罐');
  await page.locator('[name="priceCents"]').fill('48.50');
  await page.close({ runBeforeUnload: true });
  const again = await page.context().newPage();
  await again.goto('/office/goods/sunday-jug');
  await expect(again.locator('[name="name.zh"]')).toHaveValue('周日水罐');
  await again.locator('input[type="file"]').setInputFiles('demo/photos/acacia-salad-bowl-above.jpg');
  await expect(again.getByRole('button', { name: en('office.goods.removePicture') })).toBeVisible();
  await expectNoSeriousAxe(again);
  await again.getByRole('button', { name: en('office.save'), exact: true }).click();
  await expect(again.getByText(en('office.document.saved'))).toBeVisible();
  await again.goto('/office/goods?text=sunday-jug');
  await expect(again.getByRole('row').filter({ hasText: 'Sunday Jug' })).toContainText('$48.50');
  await expectNoSeriousAxe(again);
});

test('all products that a filter finds are changed together, and taken back', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'goods');
  // Its own products: other tests sell those of the demo at the same time.
  for (const name of ['First Bulk Bowl', 'Second Bulk Bowl']) {
    const added = await page.request.post(`${staffBase}products?lang=en`, {
      headers: { [clientTokenHeader]: staffToken, [requestKeyHeader]: randomUUID() },
      data: { id: name.toLowerCase().replaceAll(' ', '-'), name: { en: name }, like: 'rice-bowl' },
    });
    expect(added.ok()).toBe(true);
  }
  await page.goto('/office/goods?status=draft&text=Bulk+Bowl');
  const row = page.getByRole('row').filter({ hasText: 'Second Bulk Bowl' });
  const price = async () => Number(/\$(\d+\.\d\d)/.exec((await row.textContent()) ?? '')?.[1]);
  await expect(row).toContainText('$');
  const before = await price();
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: en('office.goods.bulk'), exact: true }).click();
  await page.getByLabel(en('office.goods.bulk.by')).fill('100');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Change/ })
    .click();
  await expect.poll(price).toBe(before * 2);
  await page
    .getByRole('button', { name: en('office.goods.bulk.takeBack') })
    .first()
    .click();
  await expect.poll(price).toBe(before);
});

test('a draft of a product outlives the language and the network, is undone, and an earlier version is restored', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'goods');
  watch.allow(/ERR_INTERNET_DISCONNECTED/);
  const headers = { [clientTokenHeader]: staffToken, [requestKeyHeader]: randomUUID() };
  const data = { id: 'restored-bowl', name: { en: 'Restored Bowl', zh: '还原碗' }, like: null };
  expect((await page.request.post(`${staffBase}products?lang=en`, { headers, data })).ok()).toBe(true);
  await page.goto('/office/goods/restored-bowl');
  const [name, short] = [page.locator('[name="name.en"]'), page.locator('[name="shortDescription.en"]')];
  await name.fill('Second Bowl');
  await short.fill('Round.');
  await short.press('Control+z');
  await expect(short).toHaveValue('');
  await expect(name).toHaveValue('Second Bowl');
  await page.getByRole('button', { name: '简体中文' }).click();
  await expect(page.getByRole('button', { name: zh('office.save'), exact: true })).toBeVisible();
  await expect(name).toHaveValue('Second Bowl');
  await page.getByRole('button', { name: 'English' }).click();
  const save = page.getByRole('button', { name: en('office.save'), exact: true });
  await page.context().setOffline(true);
  await save.click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.context().setOffline(false);
  await save.click();
  await expect(page.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
  await expect(page.getByText(en('office.goods.outdatedWas', { text: 'Restored Bowl' }))).toBeVisible();
  await page.getByText(en('office.goods.revisions')).click();
  await expect(page.locator('del', { hasText: 'Restored Bowl' })).toBeVisible();
  await expectNoSeriousAxe(page);
  await page.getByRole('button', { name: new RegExp(`^${en('office.goods.restore')}`) }).click();
  await expect(name).toHaveValue('Restored Bowl');
});
