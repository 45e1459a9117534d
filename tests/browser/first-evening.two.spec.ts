/** An empty shop's first evening, from the link that the server prints to the first order, without a command or a file. */
import { generateSync } from 'otplib';
import sharp from 'sharp';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { shopper } from './checkout.ts';
import { test as base, expect, once, type Page, quick } from './fixtures.ts';
import { staffPassword as password } from './office.ts';
import { type RunningShop, startShop, startWithinMs } from './server.ts';
import type { Shop } from './shop.ts';

const t = staffTranslate('en');

const test = base.extend<object, { emptyShop: RunningShop }>({
  emptyShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const shop = await startShop({ DEMO: '0' });
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: startWithinMs },
  ],
  baseURL: async ({ emptyShop }, use) => use(emptyShop.address),
});

test.use({ locale: 'en-CA' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
/** Leads to the screen of a step of the page that says what the shop lacks. */
async function follow(page: Page, step: Parameters<typeof t>[0]): Promise<void> {
  await page.goto('/office/setup');
  await page
    .getByRole('main')
    .getByRole('link', { name: t(step) })
    .click();
}
async function save(page: Page): Promise<void> {
  await button(page, t('office.save')).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
}

/** Of 12 megapixels, which the phone took upright and stored lying down. */
const photograph = () =>
  sharp({ create: { width: 4032, height: 3024, channels: 3, background: '#7a8f6a' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();

async function joinAsOwner(page: Page, printed: string): Promise<void> {
  const [, path = ''] = /(\/office\/join#\S+)/.exec(printed) ?? [];
  await page.goto(path);
  await page.getByLabel(t('office.email')).fill('mei@shop.example');
  await page.getByLabel(t('office.name'), { exact: true }).fill('Mei');
  await page.getByLabel(t('office.newPassword')).fill(password);
  await button(page, t('office.join')).click();
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.goto('/office');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('office.setup'));
  await expectNoSeriousAxe(page);
  await follow(page, 'office.setup.code');
  await button(page, t('office.secondFactorSetUp')).click();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByRole('textbox', { name: t('office.code') }).fill(generateSync({ secret }));
  await button(page, t('office.secondFactorConfirm')).click();
  await expect(page.getByText(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/).first()).toBeVisible();
}

async function openStore(page: Page): Promise<void> {
  await follow(page, 'office.setup.store');
  await button(page, t('office.store.add')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('office.store.name')).fill('Dundas');
  await dialog.getByLabel(t('office.store.id'), { exact: false }).last().fill('dundas');
  await dialog.getByLabel(t('office.store.phone')).fill('+1 416-555-0123');
  await dialog.getByLabel(t('office.email')).fill('dundas@shop.example');
  await button(page, t('office.store.add')).last().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dundas' })).toBeVisible();
  const address = {
    street: '18 Dundas Street West',
    city: 'Toronto',
    postCode: 'M5G 1Z8',
    province: 'Ontario',
    provinceCode: 'ON',
  };
  for (const [name, text] of Object.entries({ ...address, country: 'Canada', countryISOCode: 'CA' }))
    await field(page, `address.${name}`).fill(text);
  for (const [name, text] of Object.entries({ timeZone: 'America/Toronto', lat: '43.6561', lng: '-79.3838' }))
    await field(page, name).fill(text);
  await page.getByRole('checkbox', { name: 'Monday' }).check();
  await button(page, t('office.store.likeMonday')).click();
  await page.getByRole('checkbox', { name: t('office.store.display') }).check();
  await page.getByRole('checkbox', { name: t('office.store.allowPickup') }).check();
  await save(page);
}

async function setShopAndMoney(page: Page): Promise<void> {
  await follow(page, 'office.setup.shop');
  await field(page, 'shopName.en').fill('Maple Cups');
  await field(page, 'contactEmail').fill('hello@cups.example');
  await save(page);
  await follow(page, 'office.setup.money');
  await page.getByLabel(t('office.money.addProvince')).selectOption('ON');
  await page.getByRole('checkbox', { name: t('office.money.payInStore') }).check();
  await page.getByRole('checkbox', { name: t('office.money.enablePickup') }).check();
  await save(page);
}

async function addProduct(page: Page): Promise<void> {
  for (const kind of ['category', 'brand'] as const) {
    await page.goto(`/office/taxonomy?kind=${kind}`);
    await button(page, t(`office.taxon.add.${kind}`)).click();
    await page.getByRole('dialog').getByLabel(t('office.goods.name')).fill(`First ${kind}`);
    await button(page, t(`office.taxon.add.${kind}`))
      .last()
      .click();
    await expect(page).toHaveURL(new RegExp(`${kind}/first-${kind}$`));
  }
  await follow(page, 'office.setup.product');
  await button(page, t('office.goods.add')).click();
  await page.getByRole('dialog').getByLabel(t('office.goods.name')).fill('River Cup');
  await button(page, t('office.goods.add')).last().click();
  await expect(page.getByRole('heading', { level: 1, name: 'River Cup' })).toBeVisible();
  await field(page, 'priceCents').fill('24');
  await field(page, 'status').selectOption('active');
  const picture = { name: 'IMG_2034.JPG', mimeType: 'image/jpeg', buffer: await photograph() };
  await page.locator('input[type="file"]').first().setInputFiles(picture);
  await expect(page.getByRole('button', { name: t('office.goods.removePicture') })).toBeVisible();
  await save(page);
  await follow(page, 'office.setup.stock');
  await page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'River Cup' })
    .getByRole('button')
    .click();
  await page.getByRole('dialog').getByLabel(t('office.stock.units')).fill('5');
  await button(page, t('office.stock.book')).click();
  await expect(page.getByText(t('office.stock.for', { units: 5 }))).toBeVisible();
}

async function order(shop: Shop): Promise<void> {
  await shop.open('/product/river-cup');
  await expect(shop.heading).toHaveText('River Cup');
  // Upright, as it was taken.
  const picture = shop.main.locator('img[src*="img-2034"]').first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight > image.naturalWidth))
    .toBe(true);
  await shop.call('addToCart', { params: { itemName: 'river-cup' }, body: { quantity: 1 } });
  const { firstName, lastName, email, phone: phoneNumber } = shopper;
  const contact = { firstName, lastName, email, phoneNumber };
  await shop.call('orderContactInfo', {
    query: { methodName: 'pickup', localStoreName: 'dundas' },
    body: { contact },
  });
  const date = new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 10);
  const { slots } = (await shop.call('pickupSlots', { query: { localStoreName: 'dundas', date } })) as {
    slots: { at: number; available: boolean }[];
  };
  await shop.call('orderPickupDate', { body: { pickupDate: slots.find(({ available }) => available)?.at } });
  await shop.call('reserve', { body: {} });
}

test('an empty shop is led from the link of its owner to its first order', { tag: [once, quick] }, async ({
  page,
  shop,
  watch,
  emptyShop,
}) => {
  // Nobody is signed in before.
  watch.allowStatus(401);
  await joinAsOwner(page, emptyShop.printed());
  await setShopAndMoney(page);
  await openStore(page);
  await addProduct(page);
  await order(shop);
  await page.goto('/office/setup');
  await expect(page.getByRole('heading', { level: 2, name: t('office.setup.found') })).toBeVisible();
  // All is done but the mail server, which no test has.
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: `${t('office.setup.done')} ${t('office.setup.order')}` }),
  ).toBeVisible();
  await expect(page.locator('li[aria-current=step]')).toContainText(t('office.setup.mail'));
  await expectNoSeriousAxe(page);
  await page.goto('/office/orders');
  await expect(page.getByText(shopper.lastName).first()).toBeVisible();
});
