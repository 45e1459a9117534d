/** The look: a ready one, a colour that is mended, the shop beside it by day and night, and what shoppers see of it. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');

test.use({ locale: 'en-CA' });

test('an owner takes a ready look, mends a colour by one press, sees night and day beside it, and shoppers get it', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'look');
  await page.getByRole('button', { name: t('office.look.ready.tomato') }).click();
  const shown = page.frameLocator('[data-preview] iframe').locator('html');
  await expect(shown).toHaveCSS('background-color', 'rgb(255, 245, 242)');
  const action = page.getByRole('textbox', { name: t('office.look.action'), exact: true });
  await action.fill('#FFB000');
  await page.getByRole('button', { name: t('office.look.darker') }).click();
  await expect(action).not.toHaveValue('#ffb000');
  await expect(page.getByRole('button', { name: t('office.look.darker') })).toHaveCount(0);
  const mended = await action.inputValue();
  await page.getByLabel(t('office.look.previewTime'), { exact: true }).selectOption('night');
  await expect(shown).not.toHaveCSS('background-color', 'rgb(255, 245, 242)');
  await page.getByLabel(t('office.look.previewTime'), { exact: true }).selectOption('day');
  await expect(shown).toHaveCSS('background-color', 'rgb(255, 245, 242)');
  await expectNoSeriousAxe(page);
  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 245, 242)');
  expect(
    await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-action')),
  ).toBe(mended);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).not.toHaveCSS('background-color', 'rgb(255, 245, 242)');
});
