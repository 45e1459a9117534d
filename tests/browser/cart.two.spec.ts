/** The cart while changes overlap, fail, and are undone. */
import { productName } from './demo.ts';
import { expect, once, test } from './fixtures.ts';

const sku = 'MC-TP-01';

// Requests that pass a service worker cannot be held back here.
test.use({ serviceWorkers: 'block' });

test.beforeEach(async ({ shop }) => {
  shop.watch.allow(/Service Worker registration blocked/);
  await shop.call('addToCart', { params: { itemName: sku }, body: { quantity: 1 } });
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
});

test('a removed line stays away when the answer to its last change is late, and comes back on undo', { tag: once }, async ({
  shop,
  page,
  lang,
}) => {
  const product = productName('celadon-teapot', lang);
  const row = shop.main.getByRole('listitem', { name: product, exact: true });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/myCart/${sku}**`, async (route) => {
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
    const removal = page.waitForResponse(/myCart\/delete/);
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

test('a quantity that could not be changed goes back and says so', async ({ shop, page, lang }) => {
  const row = shop.main.getByRole('listitem', { name: productName('celadon-teapot', lang), exact: true });
  shop.watch.allowStatus(503);
  await shop.open('/cart');
  await page.route(`**/myCart/${sku}**`, (route) => route.fulfill({ status: 503, json: { errorType: 'SYSTEM_ERROR' } }));
  await row.getByRole('button', { name: shop.t('ui.quantity.more') }).click();
  await expect(row.getByRole('alert')).toContainText(shop.t('cart.changeFailed', { reason: shop.t('error.crash') }));
  await expect(row.getByRole('spinbutton')).toHaveValue('1');
});

test('the order note is stored', async ({ shop, page }) => {
  await shop.open('/cart');
  const note = shop.main.getByRole('textbox', { name: shop.t('cart.comment.label') });
  await note.fill('A gift, please');
  await note.blur();
  await expect(shop.main.getByText(shop.t('cart.comment.saved'), { exact: true })).toBeVisible();
  await page.reload();
  await expect(note).toHaveValue('A gift, please');
});
