/**
 * `npm run screenshots`: writes the README's screenshots to docs/screenshots, from a freshly started demo shop: home, list,
 * product, cart and checkout, in both languages, on a phone and on a desktop; and a strip that shows buying from list to ticket.
 * `npm run screenshots -- strip` takes the strip alone, `-- office` the office of a demo with its past.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { type Locale, localeCodes, locales, localizePath } from '#contract/locales.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import { type CallParts, requestOf } from '#contract/transport.ts';
import { openDatabase } from '#db/database.ts';
import { isPastWanted } from '#demo/past/progress.ts';
import { chromiumPaths, chromiumSwitches } from '#tests/browser/chromium.ts';
import { startShop } from '#tests/browser/server.ts';
import { takeStrip } from './purchase-strip.ts';

const folder = join(import.meta.dirname, '../docs/screenshots');
const quality = 78;

const sizes = {
  desktop: { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1 },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const;

const screens = {
  home: '/',
  list: '/products/teaware',
  product: '/product/speckled-mug',
  cart: '/cart',
  checkout: '/checkout',
} as const;

const inTheCart = ['MC-CM-01-OAT', 'MC-TP-01'];

async function takeAll(address: string, browser: Browser): Promise<void> {
  for (const lang of localeCodes) {
    for (const [size, shape] of Object.entries(sizes)) {
      const context = await browser.newContext({
        ...shape,
        baseURL: address,
        locale: locales[lang].tag,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await fillCart(page, lang);
      for (const [screen, path] of Object.entries(screens)) {
        await page.goto(localizePath(path, lang));
        await settled(page);
        await save(page, `${screen}-${size}-${lang}.webp`);
      }
      await context.close();
    }
  }
}

async function fillCart(page: Page, lang: Locale): Promise<void> {
  for (const sku of inTheCart)
    await send(page, 'addToCart', { params: { itemName: sku } }, { quantity: 1 }, lang);
}

async function send(
  page: Page,
  name: EndpointName,
  parts: CallParts,
  data: object,
  lang: Locale = 'en',
): Promise<void> {
  const { method, url } = requestOf(name, parts, lang);
  const answer = await page.request.fetch(url, {
    method,
    headers: { [clientTokenHeader]: clientToken },
    data,
  });
  if (!answer.ok()) throw new Error(`${name} was rejected: ${await answer.text()}`);
}

/** Rooms of the demo's owner, in a shop that has its past. */
const rooms = { office: '/office/desk', 'office-takings': '/office/takings' } as const;

async function takeOffice(browser: Browser): Promise<void> {
  const shop = await startShop({ DEMO_PAST: '1' });
  try {
    const db = await openDatabase({ dataDir: shop.dataDir });
    while (await isPastWanted(db)) await pause(500);
    await db.close();
    const shape = { ...sizes.desktop, baseURL: shop.address, timezoneId: 'America/Toronto' };
    const page = await browser.newPage({ ...shape, locale: locales.en.tag, reducedMotion: 'reduce' });
    await page.goto('/office');
    await page.getByRole('button').filter({ hasText: 'Mei Chen' }).click();
    await page.getByRole('navigation').waitFor();
    for (const [room, path] of Object.entries(rooms)) {
      await page.goto(path);
      await settled(page);
      await save(page, `${room}-desktop-en.webp`);
    }
  } finally {
    await shop.stop();
  }
}

async function save(page: Page, name: string): Promise<void> {
  await writeFile(
    join(folder, name),
    await sharp(await page.screenshot())
      .webp({ quality })
      .toBuffer(),
  );
  console.log(`docs/screenshots/${name}`);
}

/** Waits until everything in the viewport is loaded: no placeholders are left and every image is drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => {
    const inSight = (element: Element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return bottom > Math.max(top, 0) && top < innerHeight && right > Math.max(left, 0) && left < innerWidth;
    };
    const pictures = [...document.images].filter(inSight);
    const places = [...document.querySelectorAll('main .skeleton')].filter(inSight);
    return (
      places.length === 0 && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    );
  });
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

const shop = await startShop();
try {
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: chromiumPaths()[0], args: chromiumSwitches() });
  const only = process.argv[2];
  if (only === undefined) await takeAll(shop.address, browser);
  if (only !== 'office')
    await writeFile(join(folder, 'buying.jpg'), await takeStrip(shop.address, browser, settled));
  if (only !== 'strip') await takeOffice(browser);
  await browser.close();
} finally {
  await shop.stop();
}
