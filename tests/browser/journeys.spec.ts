/** The three delivery methods, from the search to the confirmation. */
import {
  cards,
  chooseMethod,
  expectConfirmed,
  fillAddress,
  fillCard,
  fillContact,
  goToPayment,
} from './checkout.ts';
import { optionValue, productName, store } from './demo.ts';
import { expect, test } from './fixtures.ts';

test('a shopper buys a mug by shipping and pays by card', async ({ shop, page, lang }) => {
  const { t } = shop;
  const mug = productName('speckled-mug', lang);
  const { option, value } = optionValue('speckled-mug', 'Colour', 'Charcoal', lang);

  await test.step('the shopper finds it by typing the beginning of its name', async () => {
    await shop.open('/');
    await shop.search(mug.slice(0, -1));
    await page.getByRole('option', { name: mug }).first().click();
    await expect(shop.heading).toHaveText(mug);
  });

  await test.step('the shopper chooses a colour and adds it to the cart', async () => {
    await shop.choose(option, new RegExp(value));
    await expect(page).toHaveURL(/Charcoal/);
    await expect(shop.main.getByText(t('product.inStock'), { exact: true })).toBeVisible();
    await shop.addAndGoToCart();
    await expect(shop.cartLink(1)).toBeVisible();
    await expect(shop.main.getByRole('listitem').filter({ hasText: mug })).toContainText(value);
  });

  await test.step('the shopper gives an address in Ontario', async () => {
    await shop.link(t('cart.checkout')).click();
    await expect(shop.heading).toHaveText(t('checkout.title'));
    await chooseMethod(shop, 'shipping');
    await fillAddress(shop);
    await fillContact(shop);
    await goToPayment(shop);
  });

  await test.step('the shopper sees the total with shipping and tax, and pays', async () => {
    await fillCard(shop, cards.approved);
    // Where there is one way to pay, which is not asked.
    await expect(shop.main.getByRole('radiogroup', { name: t('payment.method.title') })).toHaveCount(0);
    await shop.button(shop.like('payment.pay')).click();
  });

  await test.step('the shopper is told what happens next', async () => {
    await expectConfirmed(shop);
    await expect(shop.main.getByText(shop.like('confirm.fact.arrives'))).toBeVisible();
    await expect(shop.main.getByText(shop.t('account.order.paid'))).toBeVisible();
    await expect(shop.cartLink(0)).toBeVisible();
  });
});

test('a shopper reserves a teapot for pickup at Queen West', async ({ shop, page, lang }) => {
  const { t } = shop;
  const teapot = productName('celadon-teapot', lang);
  const queenWest = store('toronto-queen-west', lang);

  await test.step('the shopper finds it among the teapots', async () => {
    await shop.open('/products/teapots');
    await shop.link(teapot).click();
    await expect(shop.heading).toHaveText(teapot);
    await shop.addAndGoToCart();
  });

  await test.step('the shopper chooses the store and the earliest time', async () => {
    await shop.link(t('cart.checkout')).click();
    await chooseMethod(shop, 'pickup');
    await shop.choose(t('checkout.store.title'), new RegExp(queenWest.name));
    const times = shop.main.getByRole('radiogroup', { name: t('checkout.time.title') }).getByRole('radio');
    await expect(times.first()).toBeChecked();
    await expect(times.last()).toHaveAccessibleName(t('checkout.time.another'));
    await fillContact(shop);
    await goToPayment(shop);
  });

  await test.step('the shopper chooses to pay in store', async () => {
    await shop.choose(t('payment.method.title'), new RegExp(t('payment.method.store')));
    await expect(shop.main.getByText(shop.like('payment.reserve.note.pickup'))).toBeVisible();
    await shop.button(t('payment.reserve')).click();
  });

  await test.step('the shopper is told where to come and when', async () => {
    await expectConfirmed(shop);
    await expect(page).toHaveURL(/pickUpAandPayAtStore=true/);
    await expect(shop.main.getByText(shop.t('confirm.pickup.number'))).toBeVisible();
    await expect(shop.main.getByText(queenWest.street).first()).toBeVisible();
    await expect(shop.main.getByText(shop.like('confirm.payStore.pickup'))).toBeVisible();
    await expect(shop.main.getByText(shop.like('confirm.keptUntil'))).toBeVisible();
    const calendar = shop.link(t('confirm.pickup.calendar')).or(shop.button(t('confirm.pickup.calendar')));
    const download = page.waitForEvent('download');
    await calendar.click();
    expect((await download).suggestedFilename()).toMatch(/\.ics$/);
  });
});

test('a shopper orders a matcha latte to table 7', async ({ shop, page, lang }) => {
  const { t } = shop;
  const latte = productName('matcha-latte', lang);
  const { option, value } = optionValue('matcha-latte', 'Size', 'Large', lang);
  const queenWest = store('toronto-queen-west', lang);

  await test.step('the shopper finds it on the drinks list', async () => {
    await shop.open('/products/drinks');
    await shop.link(latte).click();
    await expect(shop.heading).toHaveText(latte);
    await shop.choose(option, new RegExp(value));
    await shop.addAndGoToCart();
  });

  await test.step('the shopper gives the table number', async () => {
    await shop.link(t('cart.checkout')).click();
    await chooseMethod(shop, 'instore');
    await shop.choose(t('checkout.table.store'), new RegExp(queenWest.name));
    await shop.field('checkout.table.number').fill('7');
    await fillContact(shop);
    await goToPayment(shop);
  });

  await test.step('the shopper pays at the counter', async () => {
    await shop.choose(t('payment.method.title'), new RegExp(t('payment.method.store')));
    await shop.button(t('payment.reserve')).click();
    await expectConfirmed(shop);
    await expect(page).toHaveURL(/pickUpAandPayAtStore=true/);
    await expect(shop.main.getByText(t('confirm.instore.next', { table: '7' }))).toBeVisible();
  });
});
