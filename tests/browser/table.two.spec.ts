/** Ordering from a phone by the code on a table. */
import { expectNoSeriousAxe } from './accessibility.ts';
import { productName, store } from './demo.ts';
import { expect, test } from './fixtures.ts';

test('a guest at a table orders from the menu that its code opens, on one more screen', async ({
  shop,
  page,
  lang,
}) => {
  const { t } = shop;
  const seat = t('table.at', { table: '7', store: store('toronto-queen-west', lang).name });
  await shop.open('/tea-bar?store=toronto-queen-west&table=7');
  await expect(page).toHaveURL(/\/table\/tea-bar\?store=toronto-queen-west&table=7$/);
  await expect(shop.main.getByText(seat)).toBeVisible();
  await expectNoSeriousAxe(page);

  // The shop's menu and search lead away from the table.
  await expect(page.getByRole('banner').getByRole('link')).toHaveCount(2);
  await expect(shop.main.getByRole('heading', { level: 2 })).toHaveCount(3);
  const tarts = productName('egg-tart', lang);
  await shop.button(t('table.add', { product: tarts })).click();
  const ordered = (count: number) => shop.main.getByRole('status').getByText(t('cart.items', { count }));
  await expect(ordered(1)).toBeVisible();
  await shop.button(`${t('ui.quantity.more')} (${tarts})`).click();
  await expect(ordered(2)).toBeVisible();
  await shop.button(`${t('ui.quantity.less')} (${tarts})`).click();
  await expect(ordered(1)).toBeVisible();
  // A drink with options asks for them in a sheet.
  await shop.button(t('table.add', { product: productName('matcha-latte', lang) })).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: shop.like('modifiers.add') })
    .click();
  await expect(ordered(2)).toBeVisible();
  await shop.link(t('table.checkout')).click();

  await expect(shop.heading).toHaveText(t('checkout.title'));
  await expect(shop.main.getByText(seat)).toBeVisible();
  await expect(shop.main.getByRole('radiogroup', { name: t('checkout.method.title') })).toBeHidden();
  await expectNoSeriousAxe(page);
  // Neither a name nor an email is asked for.
  await shop.button(t('table.orderNow')).click();
  await expect(shop.heading).toHaveText(t('confirm.title'));
  await expect(shop.main.getByText(t('account.order.table', { table: '7' })).first()).toBeVisible();
  await expect(shop.cartLink(0)).toBeVisible();
});
