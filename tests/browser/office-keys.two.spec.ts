/** Keys for programs: one is made, shown once, makes a call, and is ended. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('a key is made for what is ticked, shown once, opens that much, and is ended', {
  tag: [once, quick],
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Mei Chen', 'keys');
  await page.getByRole('button', { name: t('office.keys.new') }).click();
  const dialog = page.getByRole('dialog');
  await expectNoSeriousAxe(page);
  // Without a name and without anything that it may do, it is refused at its fields.
  watch.allowStatus(400);
  await dialog.getByRole('button', { name: t('office.keys.make') }).click();
  await expect(dialog.locator('[data-invalid], [aria-invalid=true]').first()).toBeVisible();
  await dialog.getByLabel(t('office.keys.name')).fill('Till');
  await dialog.getByRole('checkbox', { name: t('office.permission.orders.read') }).check();
  await dialog.getByRole('button', { name: t('office.keys.make') }).click();
  const shown = dialog.getByLabel(t('office.keys.key'), { exact: true });
  await expect(shown).toHaveValue(/^swk_[\w-]{43}$/);
  const key = await shown.inputValue();
  const status = (path: string) =>
    page.evaluate(
      async ([at = '', authorization = '']) =>
        (await fetch(`/api/staff/${at}`, { headers: { authorization }, credentials: 'omit' })).status,
      [path, `Bearer ${key}`],
    );
  watch.allowStatus(403);
  expect([await status('orders'), await status('goods')]).toEqual([200, 403]);
  await page.keyboard.press('Escape');
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Till' }) });
  await expect(row).toContainText(t('office.permission.orders.read'));
  await expectNoSeriousAxe(page);
  await row.getByRole('button', { name: t('office.keys.end') }).click();
  await expect(page.getByText(t('office.keys.none'))).toBeVisible();
  watch.allowStatus(401);
  expect(await status('orders')).toBe(401);
});
