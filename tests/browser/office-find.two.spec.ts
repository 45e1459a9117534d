/** The office's palette and keys, the customers room, and the journal. */
import { readFileSync } from 'node:fs';
import { expectNoSeriousAxe } from './accessibility.ts';
import { registered } from './customer.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('Ctrl-K finds an order, a customer, a SKU and a room, and shows nothing that a role may not see', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'takings');
  await expect(page.getByRole('heading', { level: 1, name: 'Takings' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const find = page.getByRole('combobox', { name: 'Find' });
  await expect(find).toBeFocused();
  const options = page.getByRole('dialog').getByRole('option');
  await find.fill('MC-2026-000203');
  await expect(options.filter({ hasText: 'MC-2026-000203' })).toHaveAttribute('data-highlighted');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 result');
  await expectNoSeriousAxe(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/office\/orders\/MC-2026-000203$/);
  await expect(page).toHaveTitle('MC-2026-000203 · Orders · Office');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Control+k');
  await find.fill('jordan');
  await options.filter({ hasText: 'demo@maple-and-clay.example' }).click();
  await expect(page).toHaveURL(/\/office\/customers\/demo-customer$/);
  await page.keyboard.press('Control+k');
  await find.fill('MC-SW-01');
  await expect(options.filter({ hasText: 'MC-SW-01' }).first()).toBeVisible();
  await find.fill('matcha latte');
  await expect(options.first()).toContainText('Matcha Latte');
  await expect(options.first()).toHaveAttribute('data-highlighted');
  const named = {
    'about the studio': 'About the studio /about',
    'home page': 'Maple & Clay Home page',
    'cups & mugs': 'Cups & mugs category',
    firstcup: 'FIRSTCUP',
    'mid-autumn table': 'A Mid-Autumn table',
    'order confirmation': 'Order confirmation',
    'mail server': 'Email',
    footer: 'Footer',
    tax: 'Taxes and shipping',
  };
  for (const [typed, found] of Object.entries(named)) {
    await find.fill(typed);
    await expect(options.first()).toContainText(found);
    await expect(options.first()).toHaveAttribute('data-highlighted');
  }
  await find.fill('currency');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Currency', { exact: true })).toBeFocused();
  await page.keyboard.press('Control+k');
  await find.fill('the shop ships');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'The shop ships orders' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await find.fill('new coupon');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add a coupon' })).toBeVisible();
  await expect(page).toHaveURL(/\/office\/coupons$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await find.fill('journ');
  await expect(options).toHaveText(['Journal g j']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Journal' })).toBeVisible();
});

test('an assistant’s palette has their rooms only, and no customers', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Noah Okafor', 'orders');
  await page.getByRole('button', { name: 'Find' }).click();
  const options = page.getByRole('dialog').getByRole('option');
  await expect(options.filter({ hasText: 'Kitchen' })).toBeVisible();
  await expect(options.filter({ hasText: 'Staff' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Find' }).fill('jordan');
  await expect(options.filter({ hasText: 'MC-2026-000164' })).toBeVisible();
  await expect(options.filter({ hasText: 'MC-2026-000203' })).toHaveCount(0);
  await expect(options.filter({ hasText: 'demo@maple-and-clay.example' })).toHaveCount(0);
});

test('keys lead to rooms, never while somebody types or once they are switched off', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'orders');
  const search = page.getByRole('searchbox');
  await search.pressSequentially('gc?');
  await expect(search).toHaveValue('gc?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.type('gc');
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
  await page.keyboard.type('?');
  await page.getByRole('checkbox', { name: /Shortcuts/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).click();
  await page.keyboard.type('go?');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused();
  await expect(page).toHaveURL(/\/office\/customers$/);
});

test('a customer is found, noted, exported to a file, and erased once their email is typed', {
  tag: once,
}, async ({ page, watch, shop }) => {
  const email = await registered(shop);
  await enterAs({ page, watch }, 'Mei Chen', 'customers');
  await page.getByRole('searchbox').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: /in orders|Search orders/ })).toHaveAttribute(
    'href',
    /\/office\/orders\?text=/,
  );
  await page.getByRole('listitem').filter({ hasText: email }).getByRole('link').click();
  await page.getByLabel('New note').fill('Calls before noon');
  await page.getByRole('button', { name: 'Save the note' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Calls before noon' })).toContainText('Mei Chen');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(file).toMatchObject({ email, account: { staffNotes: [{ text: 'Calls before noon' }] } });
  await page.getByRole('button', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('other@people.example');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await expect(dialog.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  watch.allowStatus(400);
  // The live feed tells that the customer changed, before or after the answer does.
  watch.allowStatus(404);
  await dialog.getByRole('textbox').fill(email);
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await expect(page.getByText('The customer’s data has been erased.')).toBeVisible();
});

test('the journal is narrowed to a person and a kind, says what happened in words, and is saved as CSV', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'orders/MC-2026-000203');
  await page.getByLabel('New note').fill('Seen by the journal');
  await page.getByRole('button', { name: 'Save the note' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Note written' })).toContainText('Mei Chen');
  await page.goto('/office/journal');
  await page.getByLabel('By', { exact: true }).selectOption('Mei Chen');
  await page.getByLabel('Show').selectOption('order');
  await expect(page).toHaveURL(/by=demo-mei&kind=order|kind=order&by=demo-mei/);
  const entry = page.getByRole('listitem').filter({ hasText: 'MC-2026-000203' }).first();
  await expect(entry).toContainText('Note written');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text).toContain('Mei Chen,Note written,order,MC-2026-000203');
  expect(text).not.toContain('by the shop');
  await entry.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'MC-2026-000203' })).toBeVisible();
});
