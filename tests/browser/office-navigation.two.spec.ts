/** The header and the footer: an owner's links and groups by dragging and keys, what is left out, and what shoppers see of it. */
import type { Locator, Page } from '@playwright/test';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');

test.use({ locale: 'en-CA' });

const fieldOf = (card: Locator) => card.getByLabel(`${t('office.navigation.text')} (English)`);
const named = (page: Page, name: string) => page.locator(`[data-link="${name}"]`);

const still = (page: Page, screen: 'Phone' | 'Desktop') =>
  page.frameLocator(`iframe[title*="${t(`office.page.preview${screen}`)}"]`);

async function addLink(page: Page, name: string, to: string): Promise<Locator> {
  await page.getByRole('button', { name: t('office.navigation.addLink'), exact: true }).click();
  const card = named(page, t('office.navigation.unnamed'));
  await expect(fieldOf(card)).toBeFocused();
  await card.getByLabel(t('office.navigation.target')).fill(to);
  await fieldOf(card).fill(name);
  return named(page, name);
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
}

test('an owner adds a link to the footer, moves it by keys and hides Clearance, and a shopper sees that', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'navigation');
  await page
    .getByRole('main')
    .getByRole('link', { name: t('office.navigation.footer') })
    .click();
  const clearance = page.getByRole('checkbox', { name: t('office.navigation.clearance') });
  await expect(clearance).toBeChecked();
  await clearance.uncheck();
  const rows = page.locator('[data-link]');
  const count = await rows.count();
  const card = await addLink(page, 'Our kiln', '/about');
  await expect(rows).toHaveCount(count + 1);
  const preview = page.frameLocator('[data-preview] iframe');
  await expect(preview.getByRole('contentinfo').getByText('Our kiln')).toHaveCount(1);
  await card.getByLabel(t('office.navigation.target')).press('Alt+ArrowUp');
  await expect(rows.nth(count - 1)).toHaveAttribute('data-link', 'Our kiln');
  await expect(rows.nth(count - 1).getByLabel(t('office.navigation.target'))).toBeFocused();
  const first = (await rows.first().getAttribute('data-link')) ?? '';
  await rows.first().getByRole('button', { expanded: false }).click();
  await page.getByRole('button', { name: `${t('office.remove')}: ${first}`, exact: true }).click();
  await expect(rows).toHaveCount(count);
  await page.getByRole('button', { name: t('office.document.undo'), exact: true }).click();
  await expect(rows).toHaveCount(count + 1);
  await expectNoSeriousAxe(page);
  await save(page);
  await page.goto('/about');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Our kiln', includeHidden: true })).toHaveAttribute(
    'href',
    '/about',
  );
  await expect(footer.getByRole('link', { name: 'Brands', includeHidden: true })).toHaveCount(1);
  await expect(footer.getByRole('link', { name: 'Clearance', includeHidden: true })).toHaveCount(0);
  await expect(
    page.getByRole('banner').getByRole('link', { name: 'Clearance', includeHidden: true }),
  ).not.toHaveCount(0);
});

test('an owner drags links into a group of the header and sees it open on a desktop and a phone before shoppers do', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'navigation/header');
  await page.getByRole('checkbox', { name: t('office.navigation.account') }).uncheck();
  const studio = await addLink(page, 'The studio', '/about');
  const kiln = await addLink(page, 'The kiln', '/care-guide');
  const visit = await addLink(page, 'Visit us', '/contact');
  const grip = visit.locator('[data-grip]');
  await kiln
    .getByRole('button', { name: /The kiln/ })
    .first()
    .focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(
    page.getByText(t('office.navigation.movedInto', { name: 'The kiln', group: 'The studio' })),
  ).toBeAttached();
  await visit.getByRole('button', { expanded: true }).click();
  // Above the link that is in the group already, and so into it.
  await grip.scrollIntoViewIfNeeded();
  const from = await grip.boundingBox();
  const to = await kiln.boundingBox();
  if (!from || !to) throw new Error('The links are not drawn');
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, to.y + 30, { steps: 8 });
  await page.mouse.move(from.x + 20, to.y + 4, { steps: 4 });
  await page.mouse.up();
  await expect(
    page.getByText(t('office.navigation.movedInto', { name: 'Visit us', group: 'The studio' })),
  ).toBeAttached();
  await expect(page.locator('[data-link]')).toHaveText([/The studio/, /Visit us/, /The kiln/]);
  await studio.getByRole('button', { expanded: false }).click();
  await expect(studio.getByText(t('office.navigation.picture'))).toBeVisible();
  await expect(
    still(page, 'Desktop').locator('.menu-panel:not([hidden])').getByText('Visit us'),
  ).toBeVisible();
  await expect(still(page, 'Phone').locator('dialog[open]').getByText('Visit us')).toBeVisible();
  await expectNoSeriousAxe(page);
  await save(page);
  await page.goto('/about');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'The studio', includeHidden: true }).first()).toBeAttached();
  await expect(header.getByRole('link', { name: 'Visit us', includeHidden: true }).first()).toHaveAttribute(
    'href',
    '/contact',
  );
  await expect(header.getByRole('link', { name: /account|sign in/i, includeHidden: true })).toHaveCount(0);
});

test('an owner makes links of the categories, leaves one out, and undoing brings the categories back', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'navigation/header');
  const categories = page.getByRole('checkbox', { name: t('office.navigation.categories') });
  await expect(categories).toBeChecked();
  const links = page.locator('[data-link]');
  // Another test may have left some.
  const before = await links.count();
  await page.getByRole('button', { name: t('office.navigation.arrange') }).click();
  await expect(categories).not.toBeChecked();
  await expect(named(page, 'Teapots')).toBeVisible();
  const teapots = still(page, 'Desktop').locator('.menu-panel').getByText('Teapots');
  await expect(teapots).toHaveCount(1);
  await named(page, 'Teapots').getByRole('button', { expanded: false }).click();
  await page.getByRole('button', { name: `${t('office.remove')}: Teapots`, exact: true }).click();
  await expect(teapots).toHaveCount(0);
  await page.getByRole('button', { name: t('office.navigation.giveBack') }).click();
  await expect(categories).toBeChecked();
  await expect(links).toHaveCount(before);
  const undo = page.getByRole('button', { name: t('office.document.undo'), exact: true });
  while (await undo.isEnabled()) await undo.click();
  await expect(categories).toBeChecked();
  await expect(links).toHaveCount(before);
});
