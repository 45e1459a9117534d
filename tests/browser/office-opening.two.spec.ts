/** The room Today: pickup is paused and resumed, an item is sold out and back again, a day is closed and open again. */
import { addDays } from '#contract/rules/opening-hours.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('an assistant marks an item as sold out and closes a day, and takes both back', {
  tag: [once, quick],
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Noah Okafor', 'opening');
  await page.getByLabel(t('office.opening.find')).fill('MC-SW-01');
  const item = page.getByRole('listitem').filter({ hasText: 'MC-SW-01' });
  await item.getByRole('button').click();
  await expect(item.getByRole('button')).toHaveText(t('office.opening.back'));
  const days = addDays(new Date().toISOString().slice(0, 10), 200);
  await page.getByLabel(t('office.opening.closeOn')).fill(days);
  await page.getByRole('button', { name: t('office.opening.close'), exact: true }).click();
  const open = page.getByRole('button', { name: t('office.opening.open') });
  await expect(open).toHaveCount(1);
  await expectNoSeriousAxe(page);
  await open.click();
  await expect(open).toHaveCount(0);
  await item.getByRole('button').click();
  await expect(item).toHaveCount(0);
});

test('an assistant says that the store is busy and pauses pickup, and takes both back', {
  tag: once,
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Noah Okafor', 'opening');
  await page.getByRole('button', { name: t('office.opening.busy', { minutes: 15 }) }).click();
  const usual = page.getByRole('button', { name: t('office.opening.asUsual') });
  await expect(usual).toBeVisible();
  await page.getByRole('button', { name: t('office.opening.pause'), exact: true }).click();
  const resume = page.getByRole('button', { name: t('office.opening.resume') });
  await expect(resume).toBeVisible();
  await expectNoSeriousAxe(page);
  await page.reload();
  await resume.click();
  await expect(resume).toHaveCount(0);
  await usual.click();
  await expect(usual).toHaveCount(0);
});
