/** The books in the office: a report whose figures open their orders, returns that leave open what nobody knows, and what is owed. */
import { generateSync } from 'otplib';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs, invitationFor, staffPassword } from './office.ts';

/** Of the demo's orders. */
const days = 'from=2026-01-01&to=2026-12-31';

test('a bookkeeper opens what a figure sums by keyboard, and reads sales by product', {
  tag: [once, quick],
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Jonas Weber', `books?${days}`);
  const sales = page.getByRole('region', { name: t('office.books.sales'), exact: true });
  await expect(sales.getByRole('row')).not.toHaveCount(0);
  await expectNoSeriousAxe(page);
  const total = sales.getByRole('row').filter({ hasText: t('office.books.netSales') });
  const figure = total.getByRole('button').first();
  const amount = await figure.textContent();
  await figure.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toHaveText(
    t('office.books.named', { name: t('office.books.events'), value: amount ?? '' }),
  );
  await expect(dialog.getByRole('link', { name: 'MC-2026-000118' })).toBeVisible();
  await expectNoSeriousAxe(page);
  await dialog.getByRole('link', { name: 'MC-2026-000118' }).click();
  await expect(
    page.getByRole('heading', { name: t('office.books.order', { number: 'MC-2026-000118' }) }),
  ).toBeVisible();
  await expect(
    page.getByRole('region', { name: t('office.books.order.entries') }).getByRole('row'),
  ).not.toHaveCount(0);
  await expect(page.getByText('@')).toHaveCount(0);
  await expectNoSeriousAxe(page);
  // The list is where it was.
  await page.goBack();
  await expect(dialog.getByRole('link', { name: 'MC-2026-000118' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByLabel(t('office.books.by'), { exact: true }).selectOption('product');
  await expect(page.getByRole('columnheader', { name: t('office.books.units') })).toBeVisible();
  await expect(page).toHaveURL(/by=product/);
});

test('a return leaves its result open until what the shop cannot know is entered', {
  tag: [once, quick],
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Jonas Weber', `books/returns?${days}`);
  const result = page.getByRole('row').filter({ hasText: t('office.returns.netTax') });
  await expect(result).toContainText(t('office.returns.notYet'));
  await expectNoSeriousAxe(page);
  await page.getByLabel(t('office.returns.inputCredits'), { exact: true }).fill('x');
  await expect(page.getByRole('alert')).toHaveText(t('office.returns.noAmount'));
  await page.getByLabel(t('office.returns.inputCredits'), { exact: true }).fill('1.25');
  await expect(result).toContainText(t('office.returns.notYet'));
  await page.getByRole('button', { name: t('office.returns.zero') }).click();
  const collected = page
    .getByRole('row')
    .filter({ hasText: t('office.returns.collected') })
    .first();
  const cents = async (row: typeof result) =>
    Math.round(Number(/\d+\.\d\d/.exec((await row.textContent()) ?? '')?.[0]) * 100);
  await expect(result).not.toContainText(t('office.returns.notYet'));
  expect(await cents(result)).toBe((await cents(collected)) - 125);
  // Whoever follows a figure to its order, and back, or comes later, finds what was entered.
  await collected.getByRole('button').click();
  await page.getByRole('dialog').getByRole('link').first().click();
  await expect(page.getByRole('region', { name: t('office.books.order.entries') })).toBeVisible();
  await page.goBack();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel(t('office.returns.inputCredits'), { exact: true })).toHaveValue('1.25');
  await page.reload();
  await expect(page.getByLabel(t('office.returns.inputCredits'), { exact: true })).toHaveValue('1.25');
  expect(await cents(result)).toBe((await cents(collected)) - 125);
  await page.getByRole('link', { name: t('office.books.owed'), exact: true }).click();
  await expect(page.getByLabel(t('office.owed.day'), { exact: true })).toBeVisible();
  await expectNoSeriousAxe(page);
});

test('amounts of a month stay on one line, and the picture beside its days has the height of a screen', {
  tag: [once],
}, async ({ page, lang, watch }) => {
  // Sales of a year in each day of a month.
  await page.route('**/takings?*', async (route) => {
    const response = await route.fetch();
    const takings = (await response.json()) as { steps: number[]; cells: Record<string, unknown>[] };
    const [cell = {}] = takings.cells;
    const money = [
      {
        way: 'cash',
        received: 123_456_789,
        tips: 0,
        rounding: 0,
        refunded: 0,
        refundedTips: 0,
        refundedRounding: 0,
      },
    ];
    const cells = takings.steps.map((at) => ({ ...cell, at, total: 123_456_789, money }));
    await route.fulfill({ response, json: { ...takings, cells } });
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  await enterAs({ page, watch }, 'Jonas Weber', 'takings?from=2026-09-01&to=2026-09-30');
  await expect(page.getByRole('row')).not.toHaveCount(0);
  expect(
    await page.locator('dd, figure + div tbody th').evaluateAll(
      (all) =>
        all.filter((each) => {
          const range = document.createRange();
          range.selectNodeContents(each);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
        }).length,
    ),
    staffTranslate(lang)('office.takings'),
  ).toBe(0);
  expect((await page.locator('figure').boundingBox())?.height).toBeLessThan(500);
});

test('handing over asks about the days first, and says what the table of accounts lacks', {
  tag: [once],
}, async ({ page, lang, watch }) => {
  const t = staffTranslate(lang);
  // Nobody is signed in before, and the accounts are not filled in.
  for (const status of [401, 409]) watch.allowStatus(status);
  await page.goto(invitationFor(`books.${lang}@shop.example`));
  await page.getByLabel(t('office.name'), { exact: true }).fill('Mei');
  await page.getByLabel(t('office.newPassword')).fill(staffPassword);
  await page.getByRole('button', { name: t('office.join') }).click();
  await page.getByRole('button', { name: t('office.secondFactorSetUp') }).click();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByRole('textbox', { name: t('office.code') }).fill(generateSync({ secret }));
  await page.getByRole('button', { name: t('office.secondFactorConfirm') }).click();
  await page.goto('/office/books/files?program=sage');
  const press = page.getByRole('button', { name: t('office.files.handOver'), exact: true });
  await press.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toHaveText(t('office.files.ask', { program: 'Sage 50' }));
  await expect(dialog).toContainText('2026');
  await expectNoSeriousAxe(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await press.click();
  await dialog.getByRole('button', { name: t('office.files.handOver'), exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Sage 50');
});
