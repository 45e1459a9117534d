/** Writing a page: its blocks with the page itself beside them, by pointer and keys, and what shoppers see after it is saved. */
import type { Page } from '@playwright/test';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const save = async (page: Page) => {
  await button(page, t('office.publish.saveDraft')).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
};
const heads = (page: Page) => page.locator('[data-block] h3');

test.use({ locale: 'en-CA' });

test('an owner begins a page of questions, adds a block of text, moves it by keys, and shoppers read it', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'pages');
  await page.getByRole('button', { name: t('office.page.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: t('office.page.begin.faq') }).check();
  await expect(dialog.getByLabel(t('office.page.title'))).toHaveValue(t('office.page.begin.faq'));
  await dialog.getByLabel(t('office.goods.address')).fill('questions');
  await expectNoSeriousAxe(page);
  await dialog.getByRole('button', { name: t('office.page.add') }).click();
  await expect(page).toHaveURL(/\/office\/pages\/questions$/);
  await expect(heads(page)).toHaveCount(3);
  await page.getByRole('button', { name: t('office.page.addBlock'), exact: true }).click();
  const words = `${t('office.block.text')} ${t('office.block.text.about')}`;
  await page.getByRole('dialog').getByRole('button', { name: words, exact: true }).click();
  const added = page.locator('[data-block]').nth(3);
  await expect(added.locator('h3 button')).toHaveAttribute('aria-expanded', 'true');
  await added.getByLabel(`${t('office.block.title')} (English)`).fill('Do you wrap gifts?');
  const preview = page.frameLocator('[data-preview] iframe');
  await expect(preview.getByText('Do you wrap gifts?')).toBeVisible();
  const head = added.locator('h3 button');
  await head.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(heads(page).nth(2)).toContainText('Do you wrap gifts?');
  await expectNoSeriousAxe(page);
  await save(page);
  await expect(page.getByText(t('office.publish.draft'))).toBeVisible();
  await button(page, t('office.publish.now')).click();
  await expect(page.getByText(t('office.publish.live'), { exact: true })).toBeVisible();
  await expect(button(page, t('office.publish.now'))).toBeDisabled();
  await page.goto('/questions');
  await expect(page.getByRole('heading', { level: 2 }).nth(2)).toHaveText('Do you wrap gifts?');
});

test('a removed block comes back with its words, and a wrong link is said at its field', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'pages/shipping-and-returns');
  await expect(heads(page).first()).toBeVisible();
  const names = await heads(page).allTextContents();
  await heads(page).first().getByRole('button').click();
  const first = page.locator('[data-block]').first();
  await first.getByRole('button', { name: `${t('office.remove')}: 1`, exact: false }).click();
  await expect(heads(page)).toHaveCount(names.length - 1);
  await page
    .getByRole('button', { name: t('office.page.undoRemove'), exact: true })
    .last()
    .click();
  await expect(heads(page)).toHaveText(names);
  const last = page.locator('[data-block]').last();
  await last.locator('h3 button').click();
  const link = last.getByLabel(t('office.block.link')).first();
  const before = await link.inputValue();
  await link.fill('javascript:alert(1)');
  watch.allowStatus(400);
  await button(page, t('office.publish.saveDraft')).click();
  await expect(link).toHaveAttribute('aria-invalid', 'true');
  await link.fill(before);
  await expect(button(page, t('office.publish.saveDraft'))).toBeDisabled();
});

test('a page is saved and scheduled in one step, and the schedule is cancelled', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'pages/privacy');
  const title = page.getByLabel(`${t('office.page.title')} (English)`);
  await title.fill('Your privacy');
  await button(page, t('office.publish.atTime')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('office.publish.when')).fill('2020-01-01T09:00');
  watch.allowStatus(400);
  await dialog.getByRole('button', { name: t('office.publish.schedule') }).click();
  await expect(dialog.getByText(t('office.publish.past'))).toBeVisible();
  await expectNoSeriousAxe(page);
  const next = new Date().getFullYear() + 1;
  await dialog.getByLabel(t('office.publish.when')).fill(`${next}-01-31T09:00`);
  await dialog.getByRole('button', { name: t('office.publish.schedule') }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`Jan 31, ${next}`)).toBeVisible();
  await expectNoSeriousAxe(page);
  await page.goto('/office/pages');
  await expect(page.getByRole('listitem').filter({ hasText: 'Your privacy' })).toContainText(
    `Jan 31, ${next}`,
  );
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Your privacy');
  await page.goto('/office/pages/privacy');
  await button(page, t('office.publish.unschedule')).click();
  await expect(button(page, t('office.publish.unschedule'))).toBeHidden();
  await button(page, t('office.publish.revert')).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('office.publish.revert') })
    .click();
  await expect(page.getByText(t('office.publish.live'), { exact: true })).toBeVisible();
  await expect(title).not.toHaveValue('Your privacy');
  await button(page, t('office.publish.withdraw')).click();
  await expectNoSeriousAxe(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('office.publish.withdraw') })
    .click();
  await expect(page.getByText(t('office.publish.draft'), { exact: true })).toBeVisible();
  await button(page, t('office.publish.now')).click();
  await expect(page.getByText(t('office.publish.live'), { exact: true })).toBeVisible();
});

test('a fault that keeps a page from being published is said at its block while it is written', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'pages/shipping-and-returns');
  const last = page.locator('[data-block]').last();
  await last.locator('h3 button').click();
  const link = last.getByLabel(t('office.block.link')).first();
  const before = await link.inputValue();
  await link.fill('/nowhere-at-all');
  await link.blur();
  const said = last.getByRole('list', { name: t('office.publish.blocked') });
  await expect(said).toContainText('/nowhere-at-all');
  await expectNoSeriousAxe(page);
  watch.allowStatus(400);
  await button(page, t('office.publish.now')).click();
  await expect(link).toHaveAttribute('aria-invalid', 'true');
  await link.fill(before);
  await expect(said).toBeHidden();
});

test('a press on a block in the preview opens its fields, and fields that open bring their block into view', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'pages/tea-bar');
  const preview = page.frameLocator('[data-preview] iframe');
  const head = (block: string) => page.locator(`ol > [data-block="${block}"] h3 button`);
  await expect(preview.locator('[data-block="tea-bar-1"]')).toBeVisible();
  await expect(head('tea-bar-1')).toHaveAttribute('aria-expanded', 'false');
  // Once it has loaded, it says that it can be pressed.
  await expect(preview.locator('html')).toHaveCSS('cursor', 'pointer');
  const [frame, picture] = [
    await page.locator('[data-preview] iframe').boundingBox(),
    preview.locator('[data-block="tea-bar-1"] img'),
  ];
  const shown = await picture.first().boundingBox();
  if (!frame || !shown) throw new Error('The preview shows no picture');
  await page.mouse.click(shown.x + 20, Math.max(frame.y, shown.y) + 20);
  await expect(head('tea-bar-1')).toHaveAttribute('aria-expanded', 'true');
  await expect(head('tea-bar-1')).toBeFocused();
  await expect(preview.locator('[data-block="tea-bar-10"]')).not.toBeInViewport();
  await head('tea-bar-10').click();
  await expect(preview.locator('[data-block="tea-bar-10"]')).toBeInViewport();
  await page
    .getByLabel(t('office.page.previewWidth'))
    .selectOption({ label: t('office.page.previewTablet') });
  await page.getByLabel(t('office.look.previewTime')).selectOption({ label: t('office.look.previewNight') });
  await expect(preview.locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectNoSeriousAxe(page);
  // On a phone the preview stands below the fields, which stay in view while it follows.
  await page.setViewportSize({ width: 390, height: 844 });
  const place = () => preview.locator('html').evaluate((html) => html.scrollTop);
  const before = await place();
  await head('tea-bar-2').click();
  await expect.poll(place).not.toBe(before);
  await expect(head('tea-bar-2')).toBeInViewport();
});

test('an owner compares two versions of a page side by side and goes back to the earlier one', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'pages/about');
  const title = page.getByLabel(`${t('office.page.title')} (English)`);
  const was = await title.inputValue();
  await title.fill(`${was} and our kiln`);
  await save(page);
  await heads(page).first().getByRole('button').click();
  const text = page
    .locator('[data-block]')
    .first()
    .locator('input[lang="en-CA"], textarea[lang="en-CA"]')
    .first();
  const words = await text.inputValue();
  await text.fill(`${words} Now.`);
  await save(page);
  await page.getByText(t('office.goods.revisions'), { exact: true }).click();
  await page
    .getByRole('button', { name: new RegExp(`^${t('office.compare')}:`) })
    .nth(1)
    .click();
  const dialog = page.getByRole('dialog', { name: t('office.compare.title') });
  await expect(dialog.getByRole('heading', { name: `${t('office.page.title')} (English)` })).toBeVisible();
  await expect(dialog.locator('ins')).toHaveText([' and our kiln', ' Now.']);
  await expect(dialog.locator('del')).toHaveCount(0);
  await expectNoSeriousAxe(page);
  // Between the last two, only the block.
  await dialog.getByLabel(t('office.compare.earlier')).selectOption({ index: 0 });
  await expect(dialog.locator('ins')).toHaveText([' Now.']);
  await dialog.getByLabel(t('office.compare.earlier')).selectOption({ index: 1 });
  await dialog.getByRole('button', { name: t('office.compare.restore') }).click();
  await expect(dialog).toBeHidden();
  await expect(title).toHaveValue(was);
});
