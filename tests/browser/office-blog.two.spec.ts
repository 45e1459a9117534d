/** Writing a post: its parts with the post itself beside them, publishing, another address, and categories of the blog. */
import type { Page } from '@playwright/test';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.use({ locale: 'en-CA' });

test('an owner writes a post in parts, sees it beside the form, publishes it, and its old address leads to the new one', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'blog');
  await expect(page.getByRole('listitem').filter({ hasText: 'Cold brew' }).first()).toContainText(
    t('office.publish.live'),
  );
  await expectNoSeriousAxe(page);
  await button(page, t('office.blog.add')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('office.page.title')).first().fill('Why we glaze twice');
  await expectNoSeriousAxe(page);
  await dialog.getByRole('button', { name: t('office.blog.add') }).click();
  await expect(page).toHaveURL(/\/office\/blog\/why-we-glaze-twice$/);
  await expect(page.getByText(t('office.publish.draft'))).toBeVisible();
  const preview = page.frameLocator('[data-preview] iframe');
  await page.locator('[data-block="text"] h3 button').click();
  const text = page.locator('[data-block="text"]').getByRole('textbox').first();
  await text.fill('The first glaze is thin.');
  await expect(preview.getByText('The first glaze is thin.')).toBeVisible();
  await button(page, t('office.page.addBlock')).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `${t('office.part.quote')} ${t('office.part.quote.about')}`, exact: true })
    .click();
  const quote = page.locator('[data-block]').nth(1);
  await quote.getByLabel(`${t('office.part.words')} (English)`).fill('Two coats, one winter.');
  await expect(preview.getByText('Two coats, one winter.')).toBeVisible();
  await expectNoSeriousAxe(page);
  await button(page, t('office.publish.now')).click();
  await expect(page.getByText(t('office.publish.live'), { exact: true })).toBeVisible();
  await page.getByLabel(t('office.post.link')).fill('glazing-twice');
  await button(page, t('office.publish.now')).click();
  await expect(page.getByRole('link', { name: t('office.post.open') })).toHaveAttribute(
    'href',
    '/blog/post/glazing-twice',
  );
  await page.goto('/blog/post/why-we-glaze-twice');
  await expect(page).toHaveURL(/\/blog\/post\/glazing-twice$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Why we glaze twice');
  await expect(page.getByText('Two coats, one winter.')).toBeVisible();
});

test('a new category of the blog is chosen for a post, and a fault is said at its part', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'blog');
  await page.getByRole('link', { name: t('office.blog.settings') }).click();
  await button(page, t('office.blog.addCategory')).click();
  const category = page.getByRole('group', { name: t('office.blog.category', { number: 5 }), exact: true });
  await category.getByLabel(`${t('office.goods.name')} (English)`).fill('Glazing');
  await expectNoSeriousAxe(page);
  await button(page, t('office.save')).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await page.goto('/office/blog/cold-brew-tea');
  await page.getByLabel(t('office.post.category')).selectOption({ label: 'Glazing' });
  await button(page, t('office.page.addBlock')).click();
  await page
    .getByRole('dialog')
    .getByRole('button', {
      name: `${t('office.part.product')} ${t('office.part.product.about')}`,
      exact: true,
    })
    .click();
  const added = page.locator('[data-block]').last();
  await added.getByLabel(t('office.menu.findProducts')).fill('mug');
  await added
    .getByRole('button', { name: `${t('office.add')}: `, exact: false })
    .first()
    .click();
  await expect(added.locator('p.font-semibold').first()).toBeVisible();
  await expectNoSeriousAxe(page);
  await button(page, t('office.publish.saveDraft')).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await expect(page.getByText(t('office.publish.changed'))).toBeVisible();
});
