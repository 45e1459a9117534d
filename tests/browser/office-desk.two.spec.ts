/** The desk and the kitchen of the office: live, with undo, and without a network. */
import type { Page } from '@playwright/test';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { shopper } from './checkout.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';
import type { Shop } from './shop.ts';

/** A tea of which the store has plenty. */
const tea = 'MC-GT-01-250';
const localStoreName = 'toronto-queen-west';

/** Orders to a table or for pickup, to be paid there. Returns the order's id and its number. */
async function place(
  shop: Shop,
  query: Record<string, string>,
): Promise<{ id: string; number: string; short: string }> {
  const contact = {
    firstName: shopper.firstName,
    lastName: shopper.lastName,
    email: shopper.email,
    phoneNumber: shopper.phone,
  };
  await shop.call('addToCart', { params: { itemName: tea }, body: { quantity: 1 } });
  await shop.call('orderContactInfo', { query: { localStoreName, ...query }, body: { contact } });
  const { orderID: id } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  const { orderNumber: number } = (await shop.call('order', { params: { id } })) as { orderNumber: string };
  return { id, number, short: number.split('-').at(-1) ?? '' };
}

const stateOf = async (shop: Shop, id: string) =>
  ((await shop.call('order', { params: { id } })) as { state: string }).state;

test('a new order reaches the desk by itself, and a step is undone at once or taken back later', async ({
  shop,
  page,
  lang,
  watch,
}) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Noah Okafor', 'desk');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('office.desk'));
  const { id, number, short } = await place(shop, { methodName: 'pickup' });
  const region = (section: 'new' | 'ready') =>
    page.getByRole('region', { name: t(`desk.${section}`), exact: true });
  const card = (section: 'new' | 'ready') =>
    region(section)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: number }) });
  await expect(card('new')).toBeVisible();
  await expectNoSeriousAxe(page);

  await card('new')
    .getByRole('button', { name: new RegExp(`^${t('desk.to.ready')}`) })
    .click();
  await expect(card('ready')).toBeVisible();
  await expect(page.getByText(t('desk.moved', { number: short.replace(/^0+/, '') }))).toBeVisible();
  await page.getByRole('button', { name: t('desk.undo'), exact: true }).click();
  await expect(card('new')).toBeVisible();
  await expect.poll(() => stateOf(shop, id)).toBe('reserved');

  await card('new')
    .getByRole('button', { name: new RegExp(`^${t('desk.to.ready')}`) })
    .click();
  await expect.poll(() => stateOf(shop, id)).toBe('ready');
  await card('ready')
    .getByRole('button', { name: t('desk.takeBack'), exact: true })
    .click();
  await page.getByLabel(t('desk.reason')).fill('wrong tea');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('desk.takeBack'), exact: true })
    .click();
  await expect(card('new')).toBeVisible();
  await expect.poll(() => stateOf(shop, id)).toBe('reserved');

  // The page of the order has the same steps.
  await card('new').getByRole('link', { name: number }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(number);
  await page.getByRole('button', { name: new RegExp(`^${t('desk.to.ready')}`) }).click();
  await expect.poll(() => stateOf(shop, id)).toBe('ready');
  await expect(page.getByText(t('orders.state.ready'), { exact: true }).first()).toBeVisible();
});

/** The ticket or the card of an order. */
const itemOf = (page: Page, number: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: number }) });

test('a tick of the kitchen stands beside the quantity, and the desk of all stores says what is made, and where', {
  tag: once,
}, async ({ shop, page, lang, watch }) => {
  const t = staffTranslate(lang);
  await shop.call('addToCart', { params: { itemName: tea }, body: { quantity: 1 } });
  const { number } = await place(shop, { methodName: 'pickup' });
  await enterAs({ page, watch }, 'Mei Chen', 'kitchen');
  const line = itemOf(page, number).locator('button[aria-pressed]');
  await line.click();
  await expect(line).toHaveAttribute('aria-pressed', 'true');
  await expect(line).toContainText('✓');
  await expect(line).toContainText('2 ×');
  await page.goto('/office/desk');
  const card = itemOf(page, number);
  await expect(card.locator('p').filter({ hasText: t('desk.made') })).toBeVisible();
  const store = page.getByLabel(t('office.orders.store')).locator(`option[value="${localStoreName}"]`);
  await expect(card).toContainText(await store.innerText());
});

test('a table is served and then paid, and the last tick of its ticket can be undone', { tag: once }, async ({
  shop,
  page,
  lang,
  watch,
}) => {
  const t = staffTranslate(lang);
  const { id, number } = await place(shop, { methodName: 'instore', tableNumber: '9', partySize: '2' });
  await enterAs({ page, watch }, 'Mei Chen', 'kitchen');
  const ticket = itemOf(page, number);
  await ticket.locator('button[aria-pressed]').click();
  await ticket.getByRole('button', { name: t('desk.undo'), exact: true }).click();
  await expect(ticket.locator('button[aria-pressed="false"]')).toHaveCount(1);

  await page.goto('/office/desk');
  const toBePaid = page.getByRole('region', { name: t('desk.toBePaid'), exact: true });
  const card = itemOf(page, number);
  const step = (name: string) => card.getByRole('button', { name: new RegExp(`^${name}`) });
  await step(t('desk.to.completed.instore')).click();
  await expect(toBePaid.getByRole('link', { name: number })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await stateOf(shop, id)).toBe('reserved');
  await step(t('desk.callBack')).click();
  await expect(toBePaid.getByRole('link', { name: number })).toHaveCount(0);
  await step(t('desk.to.completed.instore')).click();
  await step(t('desk.take', { amount: '' }).trim()).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('office.order.by.terminal'), exact: true })
    .click();
  await expect.poll(() => stateOf(shop, id)).toBe('completed');
});

test('a step is said to be done once the shop has answered, and one that it did not get is sent from another room', {
  tag: once,
}, async ({ shop, page, lang, watch }) => {
  const t = staffTranslate(lang);
  watch.allow(/ERR_FAILED|requestfailed|failed/i);
  const { id, number, short } = await place(shop, { methodName: 'pickup' });
  await enterAs({ page, watch }, 'Noah Okafor', 'desk');
  const moves = `**/orders/${number}/move?*`;
  await page.route(moves, (route) => route.abort());
  const ready = itemOf(page, number).getByRole('button', { name: new RegExp(`^${t('desk.to.ready')}`) });
  const refused = page.waitForEvent('requestfailed', (request) => request.url().includes(number));
  await ready.click();
  await refused;
  await expect(ready).toHaveCount(0);
  // At once: it would go by itself.
  expect(await page.getByText(t('desk.moved', { number: short.replace(/^0+/, '') })).count()).toBe(0);
  await page.goto('/office/orders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('office.orders'));
  expect(await stateOf(shop, id)).toBe('reserved');
  await page.unroute(moves);
  await expect.poll(() => stateOf(shop, id)).toBe('ready');
});

/** Of an iPad of 10.9 inches: 2360 × 1640 points at 264 an inch, two to a CSS pixel each way. */
const tablet = { width: 1180, height: 820, pixelsAnInch: 132 };
const distanceMm = 2000;

test('capitals of lines, modifiers and notes in the kitchen are 8 arc minutes high from two metres', {
  tag: once,
}, async ({ shop, page, lang, watch }) => {
  const t = staffTranslate(lang);
  await page.setViewportSize(tablet);
  await shop.call('addToCart', {
    params: { itemName: 'MC-DR-01' },
    body: { quantity: 2, note: 'Peanut ALLERGY' },
  });
  const { number } = await place(shop, { methodName: 'instore', tableNumber: '7', partySize: '2' });
  await enterAs({ page, watch }, 'Noah Okafor', 'kitchen');
  const ticket = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: number }) });
  await expect(ticket).toBeVisible();
  await page.getByRole('button', { name: t('desk.fullScreen') }).click();
  await expect(page.getByRole('button', { name: t('desk.leaveFull') })).toBeVisible();
  // The height of an H, as the browser draws the font of each text.
  const capitals = await ticket.locator('button[aria-pressed]').evaluateAll((lines) => {
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen) throw new Error('There is no canvas');
    return lines.flatMap((line) =>
      [...line.querySelectorAll('span')].flatMap((element) => {
        const text = [...element.childNodes].find(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        );
        if (!text || element.getClientRects().length === 0) return [];
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
        pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        return { text: text.textContent ?? '', px: pen.measureText('H').actualBoundingBoxAscent };
      }),
    );
  });
  const minutes = (px: number) =>
    (Math.atan((px * 25.4) / tablet.pixelsAnInch / distanceMm) * 180 * 60) / Math.PI;
  const seen = capitals.map(({ text, px }) => ({
    text: text.trim(),
    minutes: Number(minutes(px).toFixed(2)),
  }));
  await test.info().attach('arc minutes', { body: JSON.stringify(seen, null, 2) });
  expect(seen.map(({ text }) => text)).toContain('Peanut ALLERGY');
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(seen.filter((each) => each.minutes < 8)).toEqual([]);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the kitchen opens, says since when it is not live, and sends its ticks and steps once when it is back', {
    tag: once,
  }, async ({ shop, page, context, lang, watch }) => {
    const t = staffTranslate(lang);
    watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|requestfailed|failed/i);
    const { id, number } = await place(shop, { methodName: 'pickup' });
    await enterAs({ page, watch }, 'Noah Okafor', 'kitchen');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    const ticket = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: number }) });
    await expect(ticket).toBeVisible();

    await context.setOffline(true);
    await page.reload();
    await expect(ticket).toBeVisible();
    const silence = page.getByRole('alert').filter({ hasText: t('desk.notLive', { time: '' }).slice(-12) });
    await expect(silence).toBeVisible();
    await ticket.getByRole('button', { pressed: false }).first().click();
    await expect(ticket.getByRole('button', { pressed: true })).toHaveCount(1);
    await ticket.getByRole('button', { name: new RegExp(`^${t('kitchen.done')}`) }).click();
    // It stays for as long as it can be undone.
    await expect(ticket.getByRole('button', { name: t('desk.undo'), exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('office.kitchen'));
    await expect(ticket).toHaveCount(0);

    await context.setOffline(false);
    await expect.poll(() => stateOf(shop, id)).toBe('ready');
    await expect(silence).toHaveCount(0);
  });

  test('two tabs of one device send all that they did without a network when it is back', {
    tag: once,
  }, async ({ shop, page, context, lang, watch }) => {
    const t = staffTranslate(lang);
    // The service worker is fetched two seconds after the first view, when there may be no network.
    watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|requestfailed|failed|fetching the script/i);
    const orders = [await place(shop, { methodName: 'pickup' }), await place(shop, { methodName: 'pickup' })];
    await enterAs({ page, watch }, 'Noah Okafor', 'desk');
    const other = await context.newPage();
    await other.goto('/office/desk');
    const tabs = [page, other].map((tab, index) =>
      tab
        .getByRole('listitem')
        .filter({ has: tab.getByRole('link', { name: orders[index]?.number ?? '' }) })
        .getByRole('button', { name: new RegExp(`^${t('desk.to.ready')}`) }),
    );
    for (const ready of tabs) await expect(ready).toBeVisible();
    await context.setOffline(true);
    for (const ready of tabs) await ready.click();
    for (const ready of tabs) await expect(ready).toHaveCount(0);
    await context.setOffline(false);
    for (const { id } of orders) await expect.poll(() => stateOf(shop, id)).toBe('ready');
  });
});
