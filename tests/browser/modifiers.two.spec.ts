/** Drinks as customers like them: the sheet of a table's menu, the page of a drink, the lines of the cart. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { inLocale, type Locale } from '#contract/locales.ts';
import groups from '#demo/data/modifier-groups.json' with { type: 'json' };
import { readMail } from '#tests/accounts.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { cards, expectConfirmed, fillCard } from './checkout.ts';
import { registered } from './customer.ts';
import { productName } from './demo.ts';
import { expect, once, test } from './fixtures.ts';
import { pay } from './paying.ts';
import type { Shop } from './shop.ts';

const drink = 'oolong-milk-tea';
const menu = '/table/tea-bar?store=toronto-queen-west&table=7';

/** The names of a group and of one of its modifiers. */
function named(group: string, modifier: string, lang: Locale): { group: string; modifier: string } {
  const found = groups.find(({ id }) => id === group);
  const choice = found?.modifiers.find(({ id }) => id === modifier);
  if (!found || !choice) throw new Error(`The demo shop has no ${modifier} in ${group}`);
  return { group: inLocale(found.name, lang), modifier: inLocale(choice.name, lang) };
}

const sheetOf = (page: Page) => page.getByRole('dialog');
const addButton = (shop: Shop) =>
  sheetOf(shop.page).getByRole('button', { name: shop.like('modifiers.add') });

/** A radio button whose name begins with that of the modifier; its price and marks follow. */
function radio(shop: Shop, group: string, modifier: string) {
  const names = named(group, modifier, shop.lang);
  return sheetOf(shop.page)
    .getByRole('radiogroup', { name: names.group })
    .getByRole('radio', { name: new RegExp(`^${names.modifier}`) });
}

async function openSheet(shop: Shop): Promise<void> {
  await shop.button(shop.t('table.add', { product: productName(drink, shop.lang) })).click();
  await expect(addButton(shop)).toBeVisible();
}

/** What the shop's mail to a store says of an order. */
async function storeMail(number: string): Promise<string> {
  const folder = join(process.env.SHOP_DATA ?? '', 'outbox');
  const find = () => {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.includes('newOrder')) : [];
    return files.map((file) => readMail(join(folder, file)).text).find((text) => text.includes(number)) ?? '';
  };
  await expect.poll(find, { timeout: 20_000 }).not.toBe('');
  return find();
}

test('a drink goes to the table twice with a difference, is paid, and stands so on the ticket and in the mail of the store', async ({
  shop,
  page,
  lang,
}) => {
  const { t } = shop;
  // English by day, Chinese by night.
  await page.emulateMedia({ colorScheme: lang === 'zh' ? 'dark' : 'light' });
  await shop.open(menu);
  const pearls = named('toppings', 'pearls', lang).modifier;
  const morePearls = sheetOf(page).getByRole('button', { name: `${t('ui.quantity.more')} (${pearls})` });
  const ordered = (count: number) => shop.main.getByRole('status').getByText(t('cart.items', { count }));
  for (const units of [1, 2]) {
    await openSheet(shop);
    if (units === 1) await expectNoSeriousAxe(page);
    const price = await addButton(shop).textContent();
    await expect(radio(shop, 'temperature', 'iced')).toBeChecked();
    const less = radio(shop, 'ice', 'less');
    await less.check();
    await expect(less).toBeFocused();
    await radio(shop, 'sugar', 'half').check();
    await radio(shop, 'milk', 'oat').check();
    for (let scoop = 0; scoop < units; scoop++) await morePearls.click();
    await expect(addButton(shop)).not.toHaveText(price ?? '');
    if (units === 2)
      await sheetOf(page)
        .getByRole('textbox', { name: t('modifiers.note') })
        .fill('no straw');
    // What was added makes room for itself, on a slow machine later than the browser takes for the answer to a press.
    if (units === 1)
      expect(
        await page.evaluate(() => (window.layoutShifts ?? []).reduce((sum, { value }) => sum + value, 0)),
      ).toBeLessThanOrEqual(0.01);
    await addButton(shop).click();
    await expect(ordered(units)).toBeVisible();
  }

  await shop.link(t('table.checkout')).click();
  await expect(shop.heading).toHaveText(t('checkout.title'));
  await expectNoSeriousAxe(page);
  await shop.button(t('table.payNow')).click();
  await expect(shop.heading).toHaveText(t('payment.title'));
  await fillCard(shop, cards.approved);
  await pay(shop);
  await expect(page).toHaveURL(/\/cart\/confirm/);
  const lines = page.getByRole('list', { name: t('bill.lines.title') }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  const chosen = [
    ['ice', 'less'],
    ['sugar', 'half'],
    ['milk', 'oat'],
    ['toppings', 'pearls'],
  ] as const;
  for (const [group, modifier] of chosen) {
    const { modifier: name } = named(group, modifier, lang);
    await expect(lines.first()).toContainText(name);
    await expect(lines.last()).toContainText(group === 'toppings' ? `2 × ${name}` : name);
  }
  await expect(lines.first()).not.toContainText('no straw');
  await expect(lines.last()).toContainText('no straw');
  const ticket = page.getByRole('complementary', { name: t('ticket.title') });
  await expect(ticket).toContainText(t('account.order.table', { table: '7' }));
  await expectNoSeriousAxe(page);

  const number = /MC-\d{4}-\d{6}/.exec((await ticket.textContent()) ?? '')?.[0] ?? '';
  const mail = await storeMail(number);
  const told = mail.split('\n').filter((line) => line.includes('Oat milk'));
  expect(told).toHaveLength(2);
  for (const word of ['Less ice', 'Half sugar', 'Pearls'])
    for (const line of told) expect(line).toContain(word);
  expect(told[1]).toContain('2 × Pearls');
  expect(mail).toContain('no straw');
});

test('a line of the cart is changed in the sheet, which begins as the line is', { tag: once }, async ({
  shop,
  page,
  lang,
}) => {
  const { t } = shop;
  const product = productName(drink, lang);
  await shop.open(menu);
  for (const sugar of ['half', 'none']) {
    await openSheet(shop);
    await radio(shop, 'sugar', sugar).check();
    await addButton(shop).click();
    await expect(sheetOf(page)).toBeHidden();
  }
  await shop.open('/cart');
  const line = shop.main.getByRole('listitem', { name: product });
  await expect(line).toHaveCount(2);
  const change = line.first().getByRole('button', { name: t('cart.line.changeNamed', { product }) });
  await change.click();
  await expect(radio(shop, 'sugar', 'half')).toBeChecked();
  await expectNoSeriousAxe(page);
  await radio(shop, 'temperature', 'hot').check();
  const [size] = await sheetOf(page).getByRole('radiogroup').first().getByRole('radio').all();
  await expect(size ?? change).toBeChecked();
  const large = sheetOf(page).getByRole('radiogroup').first().getByRole('radio').last();
  await large.check();
  const save = sheetOf(page).getByRole('button', { name: shop.like('modifiers.save') });
  const price = /\$[\d.]+/.exec((await save.textContent()) ?? '')?.[0] ?? '';
  await save.click();
  await expect(sheetOf(page)).toBeHidden();
  await expect(change).toBeFocused();
  const changed = line.filter({ hasText: named('temperature', 'hot', lang).modifier });
  await expect(changed).toHaveCount(1);
  // Another size keeps what was chosen.
  await expect(changed).toContainText(named('sugar', 'half', lang).modifier);
  await expect(changed).toContainText(price);
  expect(await shop.call('myCart')).toMatchObject({
    lineItems: [
      { optionPairs: expect.stringContaining('Large'), quantity: 1 },
      { optionPairs: expect.stringContaining('Regular') },
    ],
  });
  await line
    .last()
    .getByRole('button', { name: t('cart.line.removeNamed', { product }) })
    .click();
  await expect(line).toHaveCount(1);
});

test('a customer takes the drink of their last order with one tap', { tag: once }, async ({
  shop,
  page,
  lang,
}) => {
  const { t } = shop;
  await registered(shop);
  await shop.open(menu);
  await openSheet(shop);
  const again = sheetOf(page).getByRole('button', { name: t('modifiers.lastTime') });
  await expect(again).toHaveCount(0);
  await sheetOf(page).getByRole('radiogroup').first().getByRole('radio').last().check();
  await radio(shop, 'sugar', 'half').check();
  await radio(shop, 'milk', 'oat').check();
  const price = (await addButton(shop).textContent()) ?? '';
  await addButton(shop).click();
  await shop.link(t('table.checkout')).click();
  await shop.button(t('table.orderNow')).click();
  await expectConfirmed(shop);

  await shop.open(menu);
  await openSheet(shop);
  await expect(addButton(shop)).not.toHaveText(price);
  await expectNoSeriousAxe(page);
  await again.click();
  await expect(addButton(shop)).toHaveText(price);
  await expect(radio(shop, 'sugar', 'half')).toBeChecked();
  await addButton(shop).click();
  await expect(sheetOf(page)).toBeHidden();
  await expect(shop.main.getByText(named('milk', 'oat', lang).modifier).first()).toBeVisible();

  // And on its page.
  await shop.open(`/product/${drink}`);
  await shop.main.getByRole('button', { name: t('modifiers.lastTime') }).click();
  await expect(
    shop.main.getByRole('radio', { name: new RegExp(`^${named('milk', 'oat', lang).modifier}`) }),
  ).toBeChecked();
  await expect(shop.button(price)).toBeVisible();
});

test('a drink is ordered in the sheet by keyboard alone, and Escape leads back to its button', {
  tag: once,
}, async ({ shop, page }) => {
  const { keyboard } = page;
  await shop.open(menu);
  const plus = shop.button(shop.t('table.add', { product: productName(drink, shop.lang) }));
  await plus.focus();
  await keyboard.press('Enter');
  await expect(addButton(shop)).toBeVisible();
  await keyboard.press('Escape');
  await expect(sheetOf(page)).toBeHidden();
  await expect(plus).toBeFocused();
  await keyboard.press('Enter');
  const full = radio(shop, 'sugar', 'full');
  for (
    let presses = 0;
    presses < 20 && !(await full.evaluate((field) => field === document.activeElement));
    presses++
  )
    await keyboard.press('Tab');
  await expect(full).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(radio(shop, 'sugar', 'half')).toBeChecked();
  await keyboard.press('Enter');
  await expect(sheetOf(page)).toBeHidden();
  await expect(plus).toBeFocused();
  await expect(
    shop.main
      .getByRole('listitem')
      .filter({ hasText: named('sugar', 'half', shop.lang).modifier })
      .first(),
  ).toBeVisible();
});

/** The product's answer to the browser, changed. */
async function changeProduct(page: Page, change: (text: string) => string): Promise<void> {
  await page.route(`**/api/**/product/${drink}*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });
}

test('a group without its choice says so itself, and nothing is sent', { tag: once }, async ({
  shop,
  page,
  lang,
}) => {
  await changeProduct(page, (text) => text.replaceAll('"defaultQuantity":1', '"defaultQuantity":0'));
  await shop.open(menu);
  await openSheet(shop);
  await addButton(shop).click();
  const { group } = named('temperature', 'hot', lang);
  const asked = sheetOf(page).getByRole('radiogroup', { name: group });
  await expect(asked).toHaveAccessibleDescription(shop.t('rule.modifierMissing', { group }));
  await expect(asked.getByRole('radio').first()).toBeFocused();
  await expectNoSeriousAxe(page);
  await radio(shop, 'temperature', 'hot').check();
  await expect(asked).toHaveAccessibleDescription('');
  expect(await shop.call('myCart')).toMatchObject({ lineItems: [] });
});

test('a price that has changed since the sheet was opened is said, and the new one is shown', {
  tag: once,
}, async ({ shop, page }) => {
  shop.watch.allowStatus(400);
  shop.watch.allowStatus(409);
  await changeProduct(page, (text) => text.replaceAll('"price":80,', '"price":10,'));
  await shop.open(menu);
  await openSheet(shop);
  await radio(shop, 'milk', 'oat').check();
  const before = (await addButton(shop).textContent()) ?? '';
  await page.unrouteAll();
  await addButton(shop).click();
  await expect(sheetOf(page).getByRole('alert')).toHaveText(shop.t('rule.modifierPriceChanged'));
  await expect(addButton(shop)).not.toHaveText(before);
  expect(await shop.call('myCart')).toMatchObject({ lineItems: [] });
  await addButton(shop).click();
  await expect(sheetOf(page)).toBeHidden();
});

test('the page of a drink orders it as it was chosen, without scripts as well', async ({
  shop,
  page,
  browser,
  baseURL,
  lang,
}) => {
  await shop.open(`/product/${drink}`);
  await expectNoSeriousAxe(page);
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const plain = await context.newPage();
  await plain.goto(shop.url(`/product/${drink}`));
  const half = named('sugar', 'half', lang);
  await plain
    .getByRole('radiogroup', { name: half.group })
    .getByRole('radio', { name: half.modifier })
    .check();
  await plain.getByRole('button', { name: shop.like('modifiers.add') }).click();
  await expect(plain).toHaveURL(new RegExp(`${shop.url('/cart')}$`));
  await expect(plain.getByRole('listitem', { name: productName(drink, lang) })).toContainText(half.modifier);
  await context.close();

  await shop.button(shop.like('modifiers.add')).click();
  await expect(shop.addedPanel).toBeVisible();
});
