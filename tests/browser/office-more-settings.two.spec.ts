/** The room More settings: opening soon, and what visitors and the owner see then. */
import type { Page } from '@playwright/test';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');
const save = async (page: Page) => {
  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
};

test.use({ locale: 'en-CA' });

test('an owner closes the shop until it opens: visitors see one page and its password, the owner sees the shop', {
  tag: once,
}, async ({ page, watch, browser, baseURL }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'settings');
  const soon = page.getByLabel(t('office.settings.soon'));
  await soon.check();
  await page.getByLabel(t('office.settings.soonPassword')).fill('kettle');
  await page.getByLabel(t('office.settings.priceLimits')).fill('30, 60');
  await expectNoSeriousAxe(page);
  await save(page);
  try {
    await page.goto('/productlist');
    await expect(page.getByRole('link', { name: /^Cart/ }).first()).toBeVisible();
    const visitor = await browser.newContext({ locale: 'en-CA', ...(baseURL ? { baseURL } : {}) });
    const other = await visitor.newPage();
    await other.goto('/productlist');
    await expect(other.getByText('We’re opening soon. Please come back.')).toBeVisible();
    await expectNoSeriousAxe(other);
    await other.getByLabel('Password').fill('kettle');
    await other.getByRole('button', { name: 'Enter the shop' }).click();
    await expect(other.getByRole('link', { name: /^Cart/ }).first()).toBeVisible();
    await visitor.close();
  } finally {
    await page.goto('/office/settings');
    await soon.uncheck();
    await save(page);
  }
});

test('an owner adds an old address, and whoever opens it is led on', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'redirects');
  await page.getByRole('button', { name: t('office.redirect.add'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('office.redirect.from')).fill('/catalogue/cups');
  await dialog.getByLabel(t('office.redirect.to')).fill('/about');
  await expectNoSeriousAxe(page);
  await dialog.getByRole('button', { name: t('office.redirect.add') }).click();
  await page.getByRole('link', { name: /^\/catalogue\/cups/ }).click();
  await expect(page).toHaveURL(/\/office\/redirects\/%2Fcatalogue%2Fcups$/);
  await page.getByLabel(t('office.redirect.to')).fill('/terms');
  await expectNoSeriousAxe(page);
  await save(page);
  await page.goto('/catalogue/cups');
  await expect(page).toHaveURL(/\/terms$/);
});
