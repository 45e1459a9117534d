/** The header and the footer: an owner's links and what is left out, by pointer and keys, and what shoppers see of it. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');

test.use({ locale: 'en-CA' });

test('an owner adds a link to the footer, moves it by keys and hides Clearance, and a shopper sees that', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'navigation');
  await page
    .getByRole('main')
    .getByRole('link', { name: t('office.navigation.footer') })
    .click();
  const clearance = page.getByRole('checkbox', { name: t('office.navigation.clearance') });
  await expect(clearance).toBeChecked();
  await clearance.uncheck();
  const rows = page.getByRole('group', { name: /^Link \d+$/ });
  const count = await rows.count();
  await page.getByRole('button', { name: t('office.navigation.addLink'), exact: true }).click();
  await expect(rows).toHaveCount(count + 1);
  const added = rows.nth(count);
  await added.getByLabel(`${t('office.navigation.text')} (English)`).fill('Our kiln');
  const target = added.getByLabel(t('office.navigation.target'));
  await target.fill('/about');
  const preview = page.frameLocator('[data-preview] iframe');
  await expect(preview.getByRole('contentinfo').getByText('Our kiln')).toHaveCount(1);
  await target.press('Alt+ArrowUp');
  const above = rows.nth(count - 1);
  await expect(above.getByLabel(`${t('office.navigation.text')} (English)`)).toHaveValue('Our kiln');
  await expect(above.getByLabel(t('office.navigation.target'))).toBeFocused();
  await page.getByRole('button', { name: `${t('office.remove')}: Link 1`, exact: true }).click();
  await expect(rows).toHaveCount(count);
  await page
    .getByRole('button', { name: t('office.page.undoRemove'), exact: true })
    .last()
    .click();
  await expect(rows).toHaveCount(count + 1);
  await expectNoSeriousAxe(page);
  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await page.goto('/about');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Our kiln', includeHidden: true })).toHaveAttribute('href', '/about');
  await expect(footer.getByRole('link', { name: 'Brands', includeHidden: true })).toHaveCount(1);
  await expect(footer.getByRole('link', { name: 'Clearance', includeHidden: true })).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Clearance', includeHidden: true })).not.toHaveCount(0);
});
