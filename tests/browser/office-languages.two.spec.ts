/** Content in another language: a translator's work, and a shop of one language, which shows nothing of a second. */
import { readFile, writeFile } from 'node:fs/promises';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, type Page } from './fixtures.ts';
import { enterAs } from './office.ts';
import { test } from './own-shop.ts';

const t = staffTranslate('en');

test.use({ locale: 'en-CA' });
// One shop is enough for all of them.
test.describe.configure({ mode: 'default' });

const chinese = '简体中文';
const headers = { [clientTokenHeader]: staffToken };

/** Changes a document over its call, as its own room does. */
async function edit(page: Page, route: string, path: readonly string[], to: unknown): Promise<void> {
  const address = `${staffBase}${route}?lang=en`;
  const { revision } = await (await page.request.get(address, { headers })).json();
  const answer = await page.request.post(address, { headers, data: { revision, edits: [{ path, to }] } });
  expect(answer.ok()).toBe(true);
}

test(
  'a translator finds what went stale, writes it, says what is still right, and sends a file out and back',
  {
    tag: once,
  },
  async ({ page, watch }, info) => {
    await enterAs({ page, watch }, 'Mei Chen', 'languages');
    await expect(page.getByText(t('office.languages.allDone'))).toBeVisible();
    await edit(page, 'categories/teapots', ['name', 'en'], 'Pots');
    await edit(page, 'tags/gift', ['name', 'en'], 'Presents');
    await page.reload();

    const pots = page.getByRole('form', { name: 'Pots: Name' });
    await expect(pots.getByText(t('office.languages.state.stale'))).toBeVisible();
    await expect(pots.getByText('Teapots', { exact: true })).toBeVisible();
    await expectNoSeriousAxe(page);
    await pots.getByLabel(chinese).fill('壶具');
    // What is typed is still there.
    await page.reload();
    await expect(pots.getByLabel(chinese)).toHaveValue('壶具');
    await pots.getByLabel(chinese).press('Enter');
    await expect(pots.getByRole('status')).toHaveText(t('office.languages.saved'));
    const presents = page.getByRole('form', { name: 'Presents: Name' });
    await expect(presents.getByLabel(chinese)).toBeFocused();
    await presents.getByRole('button', { name: /^Still right/ }).click();
    await expect(presents.getByRole('status')).toHaveText(t('office.languages.saved'));
    await page.reload();
    await expect(page.getByText(t('office.languages.allDone'))).toBeVisible();

    await page.getByLabel(t('office.languages.state')).selectOption('all');
    await page.getByLabel(t('office.languages.kind')).selectOption('tag');
    await page.getByText(t('office.languages.files')).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: t('office.languages.saveCsv') }).click();
    const file = info.outputPath('translated.csv');
    const text = await readFile(await (await downloading).path(), 'utf8');
    expect(text).toContain('Presents');
    await writeFile(file, text.replace(/(tag,gift,name,[^\n]*,zh,Presents,)[^,]*/, '$1送礼'));
    await page.getByRole('link', { name: t('office.languages.upload') }).click();
    await page.getByLabel(t('office.imports.choose')).setInputFiles(file);
    await expect(page.getByText(`${t('office.imports.kind.translations')} ·`)).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: /Presents.*送礼/ })).toBeVisible();
    await page.getByRole('button', { name: /^Import 1/ }).click();
    await expect(page.getByRole('button', { name: t('office.imports.takeBack') })).toBeVisible();
    await page.goto('/zh/tag/gift');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('送礼');
  },
);

test('a shop of one language shows nothing of a second one, in the office either', { tag: once }, async ({
  page,
  watch,
}) => {
  test.setTimeout(400_000);
  await enterAs({ page, watch }, 'Mei Chen', 'shop');
  await expect(page.getByRole('checkbox', { name: chinese })).toBeChecked();
  await edit(page, 'settings/shop', ['languages'], ['en']);
  await page.goto('/office/setup');
  const menu = page.getByRole('navigation').getByRole('link');
  await expect(menu.first()).toBeAttached();
  const rooms = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(rooms.length).toBeGreaterThan(15);
  expect(rooms).not.toContain('/office/languages');
  const second = page.locator('[lang|="zh"], [hreflang|="zh"]');
  const named = page.getByText(/简体中文|\(English\)/);
  const expectNone = async (address: string) => {
    await page.waitForLoadState('networkidle');
    await expect(second, address).toHaveCount(0);
    await expect(named, address).toHaveCount(0);
  };
  const heading = page.getByRole('main').getByRole('heading').first();
  for (const room of rooms) {
    await page.goto(room);
    await expect(heading).toBeVisible();
    // Where another language is added.
    if (room !== '/office/shop') await expectNone(room);
    const inner = page.getByRole('main').locator(`a[href^="${room}/"]`);
    if ((await inner.count()) === 0) continue;
    await inner.first().click();
    await expect(heading).toBeVisible();
    await expectNone(page.url());
  }
  for (const address of [
    '/',
    '/products/teapots',
    '/product/rice-bowl',
    '/cart',
    '/blog',
    '/contact',
    '/account',
  ]) {
    await page.goto(address);
    await expectNone(address);
  }
});
