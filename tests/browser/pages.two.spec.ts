/** Every page of the shop: status, accessibility, layout shift and console. */
import { localizePath } from '#contract/locales.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { address, cards, expectConfirmed, shopper } from './checkout.ts';
import { expect, once, quick, rest, test } from './fixtures.ts';
import { expectValidHtml } from './html.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import { messagesOf } from './messages.ts';
import type { Shop } from './shop.ts';

const publicPages = {
  'home, brands and offers': ['/', '/brands', '/brand/maple-and-clay', '/clearance', '/tag/handmade'],
  'lists and searches': ['/search?key=mug', '/search?key=qqxxzz', '/products/teaware', '/productlist'],
  products: ['/product/celadon-teapot', '/product/speckled-mug', '/product/moon-jar'],
  content: [
    '/tea-bar',
    '/care-guide',
    '/contact',
    '/about',
    '/wholesale',
    '/shipping-and-returns',
    '/privacy',
  ],
  // What is theirs alone hangs neither on the language nor on the size.
  'other states': [
    '/search?key=茶',
    '/search',
    '/products/teapots?sort=price',
    '/productlist?page=2',
    '/product/matcha-latte',
  ],
};

async function expectSound(shop: Shop): Promise<void> {
  await expect(shop.heading).toHaveCount(1);
  await expectNoLayoutShift(shop.page);
  await expectNoSeriousAxe(shop.page);
  await expectValidHtml(shop.page);
}

/** One of each view; all pages are in the rest. */
const oneOfEach = [
  '/',
  '/brands',
  '/brand/maple-and-clay',
  '/search?key=qqxxzz',
  '/products/teaware',
  '/product/celadon-teapot',
  '/contact',
  '/shipping-and-returns',
];

async function expectSoundPages(shop: Shop, paths: readonly string[]): Promise<void> {
  const { page } = shop;
  // Each is opened as by a new visitor; only what the browser has compiled is kept, which takes most of the time.
  const debugging = await page.context().newCDPSession(page);
  await debugging.send('Network.enable');
  await debugging.send('Network.setCacheDisabled', { cacheDisabled: true });
  for (const path of paths)
    await test.step(path, async () => {
      const response = await shop.open(path);
      expect(response?.status(), path).toBe(200);
      await expectSound(shop);
      await debugging.send('Storage.clearDataForOrigin', {
        origin: new URL(page.url()).origin,
        storageTypes: 'all',
      });
    });
}

test('a page of each view renders without layout shift or serious accessibility findings', {
  tag: [once, quick],
}, async ({ shop }) => {
  test.slow();
  await expectSoundPages(shop, oneOfEach);
});

for (const [kind, paths] of Object.entries(publicPages)) {
  test(`the pages of ${kind} render without layout shift or serious accessibility findings`, {
    tag: kind === 'other states' ? once : rest,
  }, async ({ shop }) => {
    test.slow();
    await expectSoundPages(shop, paths);
  });
}

test('the images of the home page have at least the size at which they are shown', { tag: once }, async ({
  shop,
  page,
}) => {
  await shop.open('/');
  for (const image of await shop.main.locator('li img').all()) await image.scrollIntoViewIfNeeded();
  const starved = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement>('main li img[srcset]')].flatMap((image) => {
        const { naturalWidth, naturalHeight, clientWidth, clientHeight, currentSrc, srcset } = image;
        if (clientWidth === 0 || !image.complete) return [];
        const needed = Math.max(clientWidth, (clientHeight * naturalWidth) / naturalHeight);
        const has = Number(/media\/(\d+)/.exec(currentSrc)?.[1]);
        const widest = Number(/(\d+)w$/.exec(srcset)?.[1]);
        return has < Math.min(needed * 0.95, widest) ? [`${currentSrc} for ${Math.round(needed)} px`] : [];
      }),
    );
  expect(await starved()).toEqual([]);
});

test('a missing page says so and answers 404', async ({ shop }) => {
  shop.watch.allowStatus(404);
  const response = await shop.open('/product/no-such-thing');
  expect(response?.status()).toBe(404);
  await expect(shop.heading).toHaveText(shop.t('shell.notFound.title'));
  await expectSound(shop);
});

test('a page without its order fits a narrow phone', { tag: once }, async ({ shop, page }) => {
  shop.watch.allowStatus(404);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${localizePath('/cart/confirm', 'zh')}?oid=nope`);
  await expect(shop.heading).toHaveText(messagesOf('zh')('confirm.missing.title'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('the empty cart offers a way on', async ({ shop }) => {
  await shop.open('/cart');
  await expect(shop.heading).toHaveText(shop.t('cart.empty.title'));
  await expect(shop.main.getByRole('heading', { name: shop.t('list.title.new') })).toBeVisible();
  await expectSound(shop);
});

test('the empty cart shows the products that the device viewed last', async ({ shop, page }) => {
  const viewed = ['moon-jar', 'matcha-latte', 'speckled-mug', 'celadon-teapot'];
  for (const id of viewed) {
    await shop.open(`/product/${id}`);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('viewed'))).toContain(id);
  }
  const { promise: asked, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/productManagement/product/**', (route) => asked.then(() => route.continue()));
  await shop.open('/cart');
  await expect(page.getByRole('heading', { name: shop.t('recent.products') })).toBeVisible();
  const list = page.locator('ul:has(> li .product-card, > .product-card)');
  const reserved = await list.boundingBox();
  release();
  await expect(page.locator('.product-card[data-item]')).toHaveCount(viewed.length);
  await expect(page.locator('.product-card').first()).toHaveAttribute('data-item', 'celadon-teapot');
  expect(Math.abs(((await list.boundingBox())?.height ?? 0) - (reserved?.height ?? 0))).toBeLessThan(8);
  await expectSound(shop);
});

test.describe('pages of a filled cart', () => {
  test.beforeEach(async ({ shop }) => {
    await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 2 } });
    await shop.call('addToCart', { params: { itemName: 'MC-TP-02' }, body: { quantity: 1 } });
  });

  test('the filled cart renders without layout shift or serious accessibility findings', async ({ shop }) => {
    await shop.open('/cart');
    await expect(shop.link(shop.t('cart.checkout'))).toBeVisible();
    await expectSound(shop);
  });

  test('the checkout renders without layout shift or serious accessibility findings, whatever the method', async ({
    shop,
  }) => {
    await shop.open('/checkout');
    for (const method of ['shipping', 'pickup'] as const) {
      await shop.choose(
        shop.t('checkout.method.title'),
        new RegExp(`^${shop.t(`checkout.method.${method}`)}`),
      );
      await expectNoSeriousAxe(shop.page);
    }
    await expectNoLayoutShift(shop.page);
    await shop.call('addToCart', { params: { itemName: 'MC-DR-02-REG' }, body: { quantity: 1 } });
    await shop.open('/checkout');
    await shop.choose(shop.t('checkout.method.title'), new RegExp(`^${shop.t('checkout.method.instore')}`));
    await expectNoSeriousAxe(shop.page);
    await expectNoLayoutShift(shop.page);
  });

  test('the payment and confirmation pages render without layout shift or serious accessibility findings', async ({
    shop,
  }) => {
    const contact = {
      firstName: shopper.firstName,
      lastName: shopper.lastName,
      email: shopper.email,
      phoneNumber: shopper.phone,
    };
    const destination = {
      streetNumberAndNameDetails: address.street,
      city: address.city,
      province: 'Ontario',
      postCode: address.postCode,
      countryISOCode: 'CA',
    };
    await shop.call('orderDeliverInfo', { body: { address: destination, contact } });
    await shop.open('/payment');
    await expect(shop.heading).toHaveText(shop.t('payment.title'));
    await expect(
      shop.field('payment.card.number').or(shop.main.getByRole('radiogroup').first()).first(),
    ).toBeVisible();
    await expectSound(shop);

    const { orderID } = (await shop.call('postBilling', {
      params: { gatewayName: 'house' },
      body: {
        paymentInstrucment: {
          cardHolderName: `${shopper.firstName} ${shopper.lastName}`,
          creditCardNumber: cards.approved,
          cardCode: '123',
          expirationMonth: '12',
          expirationYear: String(new Date().getFullYear() + 3),
        },
        billingAddress: destination,
      },
    })) as { orderID: string };
    await shop.open(`/cart/confirm?oid=${orderID}`);
    await expectConfirmed(shop);
    await expectSound(shop);
  });
});
