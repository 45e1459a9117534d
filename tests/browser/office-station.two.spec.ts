/** A tablet at the counter: it is signed in as a station, shows the desk to everybody, and asks for a PIN before a change. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('a device is signed in as a station, asks for a PIN before a change, and is ended', {
  tag: [once, quick],
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Mei Chen', 'account');
  await page.getByLabel(t('office.pinLabel')).fill('4071');
  await page.getByRole('button', { name: t('office.pinSave') }).click();
  await expect(page.getByText(t('office.pinSaved'))).toBeVisible();
  await page.goto('/office/staff');
  await page.getByLabel(t('office.station.store')).selectOption('toronto-queen-west');
  await page.getByRole('button', { name: t('office.station.make') }).click();
  const enter = page.getByRole('button', { name: t('office.station.enter') });
  await expect(enter).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('office.desk'));
  const rooms = page.getByRole('navigation').getByRole('link');
  await expect(rooms).toHaveText([
    t('office.desk'),
    t('office.kitchen'),
    t('office.orders'),
    t('office.opening'),
    // With how many SKUs are low.
    new RegExp(`^${t('office.stock')}`),
  ]);
  await page.goto('/office/opening');
  // The first change says that it needs a PIN.
  watch.allowStatus(403);
  await page.getByRole('button', { name: t('office.opening.busy', { minutes: 30 }) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Mei Chen' }).click();
  await expectNoSeriousAxe(page);
  watch.allowStatus(400);
  const send = dialog.getByRole('button', { name: t('office.station.enter') });
  await dialog.getByLabel(t('office.pin')).fill('4072');
  await send.click();
  await expect(dialog.getByText(t('staff.pinWrong'))).toBeVisible();
  await dialog.getByLabel(t('office.pin')).fill('4071');
  await send.click();
  const usual = page.getByRole('button', { name: t('office.opening.asUsual') });
  await expect(usual).toBeVisible();
  await usual.click();
  await expect(usual).toHaveCount(0);
  await page.getByRole('button', { name: t('office.station.switch') }).click();
  await expect(enter).toBeVisible();
  await enter.click();
  await dialog.getByRole('button', { name: 'Mei Chen' }).click();
  await dialog.getByLabel(t('office.pin')).fill('4071');
  await send.click();
  await page.getByRole('button', { name: t('office.station.end') }).click();
  await expect(page.getByRole('heading', { name: t('office.signIn') })).toBeVisible();
});
