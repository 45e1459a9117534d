/** The stores page: contact details, opening hours, and a map that loads on request. */
import sharp from 'sharp';
import stores from '#demo/data/stores.json' with { type: 'json' };
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, type Page, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import type { Shop } from './shop.ts';

const [queenWest, markham] = stores;
const named = (id: string) => stores.find((store) => store.id === id) ?? stores[0];
const card = (shop: Shop, store = queenWest) =>
  shop.main.getByRole('article', { name: store?.name[shop.lang] ?? '' });
const showMap = (shop: Shop) => shop.button(shop.t('contact.map.show'));
const mapOf = (shop: Shop) => shop.main.getByRole('region', { name: shop.t('contact.map') });
const pin = (shop: Shop, store = queenWest) =>
  mapOf(shop).getByRole('button', { name: store?.name[shop.lang] ?? '', exact: true });

/** Answers for the tiles' server, and notes what it was asked. */
async function tileServer(page: Page, { broken = false } = {}): Promise<string[]> {
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#dddddd' } })
    .png()
    .toBuffer();
  const asked: string[] = [];
  await page.route('https://tile.openstreetmap.org/**', async (route) => {
    asked.push(new URL(route.request().url()).pathname);
    await (broken ? route.abort('failed') : route.fulfill({ contentType: 'image/png', body: tile }));
  });
  return asked;
}

/** Every host that the page asked for anything. */
function hostsAsked(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  return hosts;
}

test('every store shows its address, its hours and its contact details', async ({ shop, page }) => {
  // 12:00 on a Monday in Toronto.
  await page.clock.setFixedTime(new Date('2026-05-18T16:00:00Z'));
  await shop.open('/contact');
  await expect(shop.heading).toHaveText(shop.lang === 'zh' ? '门店与联系' : 'Stores & contact');
  for (const store of stores) {
    await expect(card(shop, store)).toContainText(store.address.street);
    await expect(card(shop, store).getByRole('link', { name: store.phone })).toHaveAttribute(
      'href',
      `tel:${store.phone.replace(/[^+\d]/g, '')}`,
    );
    await expect(card(shop, store).getByRole('link', { name: store.email })).toHaveAttribute(
      'href',
      `mailto:${store.email}`,
    );
    const directions = shop.t('contact.directions.label', { store: store.name[shop.lang] });
    const expected = shop.phone ? /^geo:/ : /^https:\/\/www\.google\.com\/maps\/dir\//;
    await expect(card(shop, store).getByRole('link', { name: directions })).toHaveAttribute('href', expected);
  }
  await expect(card(shop)).toContainText(shop.t('contact.openUntil', { time: '19:00' }));
  const tuesday = shop.lang === 'zh' ? '周二' : 'Tuesday';
  await expect(card(shop, markham)).toContainText(
    shop.t('contact.opensDay', { day: tuesday, time: '11:00' }),
  );
  await expectNoLayoutShift(page);
  await expectNoSeriousAxe(page);
});

test('the week of a store is one tap away on a phone and visible on a desktop', async ({ shop }) => {
  await shop.open('/contact');
  const name = queenWest?.name[shop.lang] ?? '';
  const hours = card(shop).getByRole('table', { name: `${shop.t('contact.hours')}: ${name}` });
  if (shop.phone) {
    await expect(hours).toBeHidden();
    await card(shop).getByText(shop.t('contact.hours'), { exact: true }).click();
  }
  await expect(hours).toBeVisible();
  // Days with the same hours are one row.
  await expect(hours.getByRole('row').first()).toHaveText(/^(?:Mon–Wed|周一–周三)10:00–19:00$/);
  await expect(hours.getByRole('row').last()).toHaveText(/^(?:Sun|周日)11:00–18:00$/);
});

test.describe('a shopper in another time zone', () => {
  test.use({ timezoneId: 'Asia/Shanghai' });

  test('the shown time is that of the store and moves on while one looks', { tag: once }, async ({
    shop,
    page,
  }) => {
    // 18:58 in Toronto.
    await page.clock.install({ time: new Date('2026-05-18T22:58:30Z') });
    await shop.open('/contact');
    await expect(card(shop)).toContainText(shop.t('contact.openUntil', { time: '19:00' }));
    await page.clock.runFor(120_000);
    const tuesday = shop.lang === 'zh' ? '周二' : 'Tuesday';
    await expect(card(shop)).toContainText(shop.t('contact.opensDay', { day: tuesday, time: '10:00' }));
  });
});

test('no other site is contacted before the map is requested', { tag: once }, async ({ shop, page }) => {
  const hosts = hostsAsked(page);
  const asked = await tileServer(page);
  await shop.open('/contact');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(shop.main.getByRole('article').last()).toBeVisible();
  expect([...hosts]).toEqual([new URL(page.url()).host]);

  await showMap(shop).click();
  await expect(pin(shop)).toBeVisible();
  await expect(mapOf(shop)).toContainText('OpenStreetMap');
  // SPEC §2: zoom 15.
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked.every((path) => path.startsWith('/15/'))).toBe(true);
  expect([...hosts].filter((host) => host !== new URL(page.url()).host)).toEqual(['tile.openstreetmap.org']);
  await expectNoLayoutShift(page);
  await expectNoSeriousAxe(page);
});

test('any store can be shown on the map, from the list, from its own card, or by keyboard', async ({
  shop,
  page,
}) => {
  await tileServer(page);
  await shop.open('/contact');
  const ottawa = named('ottawa-byward');
  const label = shop.t('contact.showOnMap.label', { store: ottawa?.name[shop.lang] ?? '' });
  await card(shop, ottawa).getByRole('button', { name: label }).click();
  await expect(mapOf(shop)).toBeInViewport();
  await expect(mapOf(shop).getByText(ottawa?.address.street ?? '')).toBeVisible();

  const list = shop.main.getByRole('combobox', { name: shop.t('contact.map.stores') });
  await expect(list).toHaveValue('ottawa-byward');
  await list.selectOption('waterloo-uptown');
  const waterloo = named('waterloo-uptown');
  await expect(mapOf(shop).getByText(waterloo?.address.street ?? '')).toBeVisible();

  await pin(shop, ottawa).focus();
  await page.keyboard.press('Enter');
  await expect(list).toHaveValue('ottawa-byward');
  await expect(mapOf(shop).getByText(ottawa?.address.street ?? '')).toBeVisible();
  await mapOf(shop)
    .getByRole('button', { name: shop.t('contact.map.zoomIn') })
    .click();
});

test('the map works when the page was reached by a link within the shop', { tag: once }, async ({
  shop,
  page,
}) => {
  await tileServer(page);
  await shop.open('/brands');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: shop.lang === 'zh' ? '门店与联系' : 'Stores & contact' })
    .click();
  await expect(showMap(shop)).toBeVisible();
  await showMap(shop).click();
  await expect(pin(shop)).toBeVisible();
  await page.reload();
  await expect(showMap(shop)).toBeVisible();
});

test('a map without tiles says so and keeps the list', { tag: once }, async ({ shop, page }) => {
  shop.watch.allow(/tile\.openstreetmap\.org/);
  shop.watch.allow(/^console error: Failed to load resource/);
  await tileServer(page, { broken: true });
  await shop.open('/contact');
  await showMap(shop).click();
  await expect(mapOf(shop).getByRole('alert')).toContainText(shop.t('contact.map.failed'));
  await expect(card(shop)).toBeVisible();
});
