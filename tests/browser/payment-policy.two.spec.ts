/** Provider scripts: with Stripe and PayPal set up, each runs on the payment page once it is chosen, and nowhere else. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, once, quick } from './fixtures.ts';
import { fillCart } from './paying.ts';
import { testBeside } from './payment-shop.ts';
import type { Shop } from './shop.ts';

const providers = /^https:\/\/[^/]*(stripe|paypal)[^/]*\//;
/** Nothing listens there: what is tested here never gets so far. */
const nowhere = 'http://127.0.0.1:9';

const test = testBeside(async () => ({
  env: {
    STRIPE_PUBLISHABLE_KEY: 'pk_test_policy',
    STRIPE_SECRET_KEY: 'sk_test_policy',
    STRIPE_WEBHOOK_SECRET: 'whsec_policy',
    STRIPE_API_URL: nowhere,
    PAYPAL_CLIENT_ID: 'policy-client-id',
    PAYPAL_CLIENT_SECRET: 'policy-client-secret',
    PAYPAL_WEBHOOK_ID: 'POLICYWEBHOOK0001',
    PAYPAL_API_URL: nowhere,
  },
  intoPage: async (page: Page) => {
    // Scripts that do nothing: that they are asked for is what counts.
    await page.route(providers, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  },
  stop: async () => {},
}));

const policyOf = async (shop: Shop, path: string) =>
  (await shop.page.request.get(shop.url(path))).headers()['content-security-policy'] ?? '';

/** What this page asks of providers' hosts, from now on. */
function askedOfProviders(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (providers.test(request.url())) asked.push(new URL(request.url()).host);
  });
  return asked;
}

/** Marks the document, to see whether it is still the same later. */
async function mark(page: Page): Promise<string> {
  const name = randomUUID();
  await page.evaluate((value) => Object.assign(window, { mark: value }), name);
  return name;
}

/** Asked again where the document is just being left, when nothing can be asked of it. */
async function expectAnother(page: Page, than: string): Promise<void> {
  await expect(async () =>
    expect(await page.evaluate(() => (window as { mark?: string }).mark), 'the document’s mark').not.toBe(
      than,
    ),
  ).toPass();
}

const foreignScripts = (page: Page) =>
  page.evaluate(() =>
    [...document.scripts].map(({ src }) => src).filter((src) => src && !src.startsWith(location.origin)),
  );

const chooseWay = (shop: Shop, way: 'online' | 'payPal') =>
  shop.choose(shop.t('payment.method.title'), new RegExp(`^${shop.t(`payment.method.${way}`)}`));

test('the content security policy names payment providers on the payment page only', {
  tag: [once, quick],
}, async ({ shop }) => {
  await fillCart(shop);
  for (const path of ['/', '/cart', '/checkout', '/account/login', '/brands'])
    expect(await policyOf(shop, path), path).not.toMatch(/stripe|paypal/);
  const policy = await policyOf(shop, '/payment');
  for (const host of ['https://js.stripe.com', 'https://www.paypal.com']) expect(policy).toContain(host);
  expect(policy).not.toContain('braintree');
});

test('a provider’s script loads with its method and goes with the page', { tag: once }, async ({
  shop,
  page,
}) => {
  await fillCart(shop);
  const asked = askedOfProviders(page);
  await shop.open('/checkout');
  const checkout = await mark(page);

  await shop.button(shop.t('checkout.continue')).click();
  await expect(shop.heading).toHaveText(shop.t('payment.title'));
  await expectAnother(page, checkout);
  const ways = shop.main.getByRole('radiogroup', { name: shop.t('payment.method.title') });
  await expect(ways.getByRole('radio')).toHaveCount(2);
  // Where all payment is online, the card is chosen.
  await expect(ways.getByRole('radio', { checked: true })).toHaveCount(1);
  await expect.poll(() => asked).toContain('js.stripe.com');
  expect(asked.filter((host) => host.includes('paypal'))).toEqual([]);
  await expect(shop.main.getByText(shop.t('payment.script.title'))).toBeVisible();
  await chooseWay(shop, 'payPal');
  await expect.poll(() => asked).toContain('www.paypal.com');

  const payment = await mark(page);
  asked.length = 0;
  await shop.link(shop.t('payment.review.changeDelivery')).click();
  await expect(shop.heading).toHaveText(shop.t('checkout.title'));
  // The document of before is gone, and its scripts with it.
  await expectAnother(page, payment);
  expect(await foreignScripts(page)).toEqual([]);
  expect(asked).toEqual([]);

  await page.goBack();
  await expect(shop.heading).toHaveText(shop.t('payment.title'));
  await expect(ways).toBeVisible();
});

test('a blocked provider script is reported with another method and a retry', { tag: once }, async ({
  shop,
  page,
}) => {
  shop.watch.allow(/js\.stripe\.com|ERR_BLOCKED_BY_CLIENT/);
  await fillCart(shop);
  await page.route('https://js.stripe.com/**', (route) => route.abort('blockedbyclient'));
  await shop.open('/payment');
  await chooseWay(shop, 'online');
  await expect(shop.main.getByText(shop.t('payment.script.title'))).toBeVisible();
  await expect(shop.main.getByText(shop.t('payment.script.otherWay'))).toBeVisible();
  const asked = askedOfProviders(page);
  await shop.button(shop.t('payment.script.retry')).click();
  await expect.poll(() => asked).toContain('js.stripe.com');
  await expect(shop.main.getByText(shop.t('payment.script.title'))).toBeVisible();
});
