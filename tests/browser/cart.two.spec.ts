/** The cart while changes overlap, fail, and are undone. */
import { apiBase } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { productName } from './demo.ts';
import { expect, once, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';

const sku = 'MC-TP-01';

// Requests that pass a service worker cannot be held back here.
test.use({ serviceWorkers: 'block' });

test.beforeEach(async ({ shop }) => {
  shop.watch.allow(/Service Worker registration blocked/);
  await shop.call('addToCart', { params: { itemName: sku }, body: { quantity: 1 } });
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
});

test('a removed line stays away when the answer to its last change is late, and comes back on undo', {
  tag: once,
}, async ({ shop, page, lang }) => {
  const product = productName('celadon-teapot', lang);
  const row = shop.main.getByRole('listitem', { name: product, exact: true });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/myCartLine/**', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  await shop.open('/cart');

  await test.step('the shopper changes the quantity and removes the line before the shop has answered', async () => {
    const change = page.waitForRequest((request) => request.method() === 'PUT');
    await row.getByRole('button', { name: shop.t('ui.quantity.more') }).click();
    await expect(row.getByRole('spinbutton')).toHaveValue('2');
    await change;
    await shop.button(shop.t('cart.line.removeNamed', { product })).click();
    await expect(row).toBeHidden();
    const removal = page.waitForResponse(/myCartLine\/delete/);
    release();
    await removal;
    await expect(row).toBeHidden();
    await expect(shop.cartLink(1)).toBeVisible();
  });

  await test.step('the shopper puts the line back', async () => {
    const undo = shop.button(shop.t('cart.undo'));
    await expect(undo).toBeFocused();
    await undo.click();
    await expect(row).toBeVisible();
    await expect(row).toBeFocused();
    await expect(row.getByRole('spinbutton')).toHaveValue('2');
  });

  await test.step('the line is the same after a reload', async () => {
    await page.reload();
    await expect(row.getByRole('spinbutton')).toHaveValue('2');
  });
});

test('the cart is shown without scripts, and the scripts do not request it again', { tag: once }, async ({
  shop,
  page,
  browser,
  baseURL,
  lang,
}) => {
  const product = productName('celadon-teapot', lang);

  await test.step('a browser without scripts shows the lines, their number and the link to checkout', async () => {
    const storageState = await page.context().storageState();
    const context = await browser.newContext({
      javaScriptEnabled: false,
      storageState,
      ...(baseURL ? { baseURL } : {}),
    });
    const plain = await context.newPage();
    await plain.goto(shop.url('/cart'));
    const main = plain.getByRole('main');
    await expect(main.getByRole('listitem', { name: product, exact: true })).toBeVisible();
    await expect(main.getByText('HST 13%')).toBeVisible();
    const checkout = main.getByRole('link', { name: shop.t('cart.checkout'), exact: true });
    await expect(checkout).toHaveAttribute('href', shop.url('/checkout'));
    await expect(
      plain.getByRole('banner').getByRole('link', { name: shop.t('shell.cart.count', { count: 2 }) }),
    ).toBeVisible();
    await context.close();
  });

  await test.step('the first call is that of a change', async () => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith(apiBase)) calls.push(request.method());
    });
    await shop.open('/cart');
    const row = shop.main.getByRole('listitem', { name: product, exact: true });
    const change = page.waitForRequest((request) => request.method() === 'PUT');
    await row.getByRole('button', { name: shop.t('ui.quantity.more') }).click();
    await expect(row.getByRole('spinbutton')).toHaveValue('2');
    await change;
    expect(calls[0]).toBe('PUT');
    await expect(shop.cartLink(3)).toBeVisible();
  });
  await expectNoLayoutShift(page);
});

test('a quantity that could not be changed goes back and says so', { tag: once }, async ({
  shop,
  page,
  lang,
}) => {
  const row = shop.main.getByRole('listitem', { name: productName('celadon-teapot', lang), exact: true });
  shop.watch.allowStatus(503);
  await shop.open('/cart');
  await page.route('**/myCartLine/**', (route) =>
    route.fulfill({ status: 503, json: { errorType: 'SYSTEM_ERROR' } }),
  );
  await row.getByRole('button', { name: shop.t('ui.quantity.more') }).click();
  await expect(row.getByRole('alert')).toContainText(
    shop.t('cart.changeFailed', { reason: shop.t('error.crash') }),
  );
  await expect(row.getByRole('spinbutton')).toHaveValue('1');
});

test('the order note is stored', { tag: once }, async ({ shop, page }) => {
  await shop.open('/cart');
  const note = shop.main.getByRole('textbox', { name: shop.t('cart.comment.label') });
  await shop.main.getByText(shop.t('cart.comment.add')).click();
  await note.fill('A gift, please');
  await note.blur();
  await expect(shop.main.getByText(shop.t('cart.comment.saved'), { exact: true })).toBeVisible();
  await page.reload();
  await expect(note).toHaveValue('A gift, please');
});

test('a note is kept when the page is left by its address while it is typed', { tag: once }, async ({
  shop,
  page,
}) => {
  await shop.open('/cart');
  const note = shop.main.getByRole('textbox', { name: shop.t('cart.comment.label') });
  await shop.main.getByText(shop.t('cart.comment.add')).click();
  await note.fill('Left at the door');
  await page.goto('about:blank');
  const kept = async () => ((await shop.call('myCart')) as Order).customerComment;
  await expect.poll(kept).toBe('Left at the door');
  await shop.open('/cart');
  await note.fill('Left at the back door');
  await page.goBack();
  await expect.poll(kept).toBe('Left at the back door');
});

test('the cart names shipping, tax and what is missing for free shipping before checkout', async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await shop.open('/cart');
  const summary = shop.main.getByRole('complementary');
  await expect(summary.getByText('HST 13%')).toBeVisible();
  await expect(
    summary.getByText(t('bill.taxFor', { place: shop.lang === 'zh' ? '安大略省' : 'Ontario' })),
  ).toBeVisible();
  await expect(summary.getByText(t('bill.pickupFree'))).toBeVisible();
  await expect(summary.getByText(t('bill.estimatedTotal'))).toBeVisible();
  await expect(
    shop.main
      .getByText(shop.like('cart.freeShipping.missing'))
      .or(shop.main.getByText(t('cart.freeShipping.reached'))),
  ).toBeVisible();
  await expectNoSeriousAxe(page);
});

test('a cart that no delivery method can serve says so, and offers neither checkout nor a price of shipping', {
  tag: once,
}, async ({ shop }) => {
  // A planter that no tea bar has, and a drink of theirs.
  for (const itemName of ['MC-PT-02', 'MC-DR-01'])
    await shop.call('addToCart', { params: { itemName }, body: { quantity: 1 } });
  await shop.open('/cart');
  await expect(shop.main.getByText(shop.t('cart.checkout.noMethod'))).toBeVisible();
  await expect(shop.main.getByRole('link', { name: shop.t('cart.checkout') })).toHaveCount(0);
  const shipping = shop.main.locator('dl > div').filter({ hasText: shop.t('bill.shipping') });
  await expect(shipping).toContainText(shop.t('bill.unknown'));
  await expectNoSeriousAxe(shop.page);
});

test('on a phone the way to checkout stays at the bottom until the summary is in view', async ({ shop }) => {
  test.skip(!shop.phone, 'on a desktop the summary stays in view');
  await shop.call('addToCart', { params: { itemName: 'MC-GT-01-100' }, body: { quantity: 1 } });
  await shop.open('/cart');
  const bar = shop.main.getByRole('link', { name: shop.like('cart.checkoutFor') });
  await expect(bar).toBeVisible();
  await shop.link(shop.t('cart.checkout')).scrollIntoViewIfNeeded();
  await expect(bar).toBeHidden();
});

test('a removal can be undone for eight seconds', { tag: once }, async ({ shop, page, lang }) => {
  const product = productName('celadon-teapot', lang);
  await page.clock.install();
  await shop.open('/cart');
  await shop.button(shop.t('cart.line.removeNamed', { product })).click();
  const removed = shop.main.getByText(shop.t('cart.removed', { product }));
  await expect(removed).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.fastForward(7000);
  await expect(removed).toBeVisible();
  await page.clock.fastForward(2000);
  await expect(removed).toBeHidden();
});
