/** Buys a mug on a phone, from the list to the ticket, and shows the screens of the way side by side. */
import { type Browser, devices, type Page } from '@playwright/test';
import sharp from 'sharp';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import { requestOf } from '#contract/transport.ts';

/** px of the header that stays at the top of a page, with some space. */
const headerHeight = 84;
/** px of the strip. */
const shown = { width: 320, height: 660, gap: 24, radius: 14 };
const background = '#e6ded1';
const viewport = { width: 390, height: 804 };
const buyer = {
  firstName: 'Mei',
  lastName: 'Tremblay',
  email: 'mei.tremblay@example.com',
  phoneNumber: '416-555-0199',
};
const address = {
  streetNumberAndNameDetails: '18 Dundas Street West',
  city: 'Toronto',
  province: 'Ontario',
  postCode: 'M5G 1Z8',
  countryISOCode: 'CA',
};

/** A JPEG of five screens: list, product, added, payment, ticket. `settled` waits until a page has loaded. */
export async function takeStrip(
  origin: string,
  browser: Browser,
  settled: (page: Page) => Promise<void>,
): Promise<Buffer> {
  const context = await browser.newContext({
    ...devices['Pixel 7'],
    viewport,
    baseURL: origin,
    locale: 'en-CA',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const screens: Buffer[] = [];
  const take = async () => {
    await settled(page);
    screens.push(await page.screenshot());
  };
  await page.goto('/products/teaware');
  await take();
  await page.goto('/product/speckled-mug');
  await take();
  await page.locator('main').getByRole('button', { name: en['product.add'] }).first().click();
  await page.getByRole('region', { name: en['product.added'], exact: true }).waitFor();
  await take();
  await giveAddress(page);
  await page.goto('/payment');
  await fillCard(page);
  const pay = page.locator('main').getByRole('button', { name: / \$\d/ });
  await pay.evaluate((button) =>
    scrollTo(0, button.getBoundingClientRect().bottom + scrollY + 32 - innerHeight),
  );
  await take();
  await pay.click();
  await page.waitForURL(/\/cart\/confirm/);
  await page
    .locator('.ticket')
    .evaluate(
      (ticket, above) => scrollTo(0, ticket.getBoundingClientRect().top + scrollY - above),
      headerHeight,
    );
  await take();
  await context.close();
  return joinScreens(screens);
}

async function giveAddress(page: Page): Promise<void> {
  const { method, url } = requestOf('orderDeliverInfo', {}, 'en');
  const headers = { [clientTokenHeader]: clientToken };
  const answer = await page.request.fetch(url, { method, headers, data: { address, contact: buyer } });
  if (!answer.ok()) throw new Error(`The order could not be addressed: ${await answer.text()}`);
}

/** Fills in the test card that every demo shop takes. */
async function fillCard(page: Page): Promise<void> {
  const field = (name: string) => page.getByRole('textbox', { name });
  await field(en['payment.card.number']).fill('4242 4242 4242 4242');
  await field(en['payment.card.holder']).fill(`${buyer.firstName} ${buyer.lastName}`);
  await field(en['payment.card.expiry']).fill('12 / 31');
  await field(en['payment.card.code']).fill('123');
}

/** The screens in one row, with rounded corners. */
async function joinScreens(screens: readonly Buffer[]): Promise<Buffer> {
  const { width, height, gap, radius } = shown;
  const corners = `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}"/></svg>`;
  const rounded = await Promise.all(
    screens.map((screen) =>
      sharp(screen)
        .resize({ width, height, fit: 'cover', position: 'top' })
        .composite([{ input: Buffer.from(corners), blend: 'dest-in' }])
        .png()
        .toBuffer(),
    ),
  );
  const size = { width: gap + screens.length * (width + gap), height: height + 2 * gap };
  return sharp({ create: { ...size, channels: 3, background } })
    .composite(rounded.map((input, index) => ({ input, left: gap + index * (width + gap), top: gap })))
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer();
}
