/** What a merchant brings along and writes: formatted descriptions, many pictures, customers and orders of another shop. */
import { randomUUID } from 'node:crypto';
import type { Request } from '@playwright/test';
import sharp from 'sharp';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { wxr } from '#tests/wxr.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, type Page, quick } from './fixtures.ts';
import { enterAs } from './office.ts';
import { test } from './own-shop.ts';

const t = staffTranslate('en');

test.use({ locale: 'en-CA' });
// One shop is enough for all of them.
test.describe.configure({ mode: 'default' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a formatted description is written without markup, kept as a draft, saved, and shown in the shop', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'goods');
  const headers = { [clientTokenHeader]: staffToken, [requestKeyHeader]: randomUUID() };
  const data = { id: 'written-bowl', name: { en: 'Written Bowl' }, like: 'rice-bowl' };
  expect((await page.request.post(`${staffBase}products?lang=en`, { headers, data })).ok()).toBe(true);
  await page.goto('/office/goods/written-bowl');
  await button(page, t('office.goods.format')).click();
  const label = `${t('office.goods.formatted')} (English)`;
  const text = page.getByRole('textbox', { name: label });
  const tools = page.getByRole('toolbar', { name: t('office.text.tools', { field: label }) });
  const { keyboard } = page;
  await expect(text).toBeFocused();
  await keyboard.press('Control+a');
  await keyboard.type('Thrown by ');
  await keyboard.press('Control+b');
  await keyboard.type('hand');
  await expect(tools.getByRole('button', { name: t('office.text.strong') })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await keyboard.press('Control+b');
  await keyboard.press('Enter');
  await tools.getByRole('button', { name: t('office.text.ul') }).click();
  await keyboard.type('Rice');
  await keyboard.press('Enter');
  await keyboard.type('Soup');
  await keyboard.press('Control+Shift+ArrowLeft');
  await keyboard.press('Control+k');
  await page.getByLabel(t('office.text.address')).fill('example.com/soup');
  await keyboard.press('Enter');
  await expect(text.getByRole('link', { name: 'Soup' })).toHaveAttribute('href', 'https://example.com/soup');

  await page.reload();
  await expect(text.locator('p strong')).toHaveText('hand');
  await expect(text.getByRole('listitem')).toHaveText(['Rice', 'Soup']);
  await text.getByText('Rice').click();
  await keyboard.press('End');
  await keyboard.type('!');
  await expect(text).toContainText('Rice!');
  await keyboard.press('Control+z');
  await expect(text).not.toContainText('Rice!');
  await expect(text).toContainText('Soup');
  await keyboard.press('Shift+Tab');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  const heading = tools.getByRole('button', { name: t('office.text.h3'), exact: true });
  await expect(heading).toBeFocused();
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  await expect(tools.getByRole('button', { name: t('office.text.strong') })).toBeFocused();
  await expectNoSeriousAxe(page);

  await page.locator('[name="status"]').selectOption('active');
  await button(page, t('office.save')).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await page.goto('/product/written-bowl');
  await page.mouse.wheel(0, 800);
  const shown = page.locator('.rich');
  await expect(shown.locator('p strong')).toHaveText('hand');
  await expect(shown.getByRole('link', { name: 'Soup' })).toHaveAttribute('href', 'https://example.com/soup');
});

test('fifty pictures at once each show how far they are, and one that fails is sent again alone', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'media');
  watch.allow(/ERR_FAILED/);
  const files = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => ({
      name: `photo-${index}.png`,
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 40 + index, height: 40, channels: 3, background: '#7a8f6a' } })
        .png()
        .toBuffer(),
    })),
  );
  let [sent, beside, most] = [0, 0, 0];
  const count = (step: 1 | -1) => (request: Request) => {
    if (!/[?&]name=photo-/.test(request.url())) return;
    if (step > 0) sent += 1;
    beside += step;
    most = Math.max(most, beside);
  };
  page.on('request', count(1));
  page.on('requestfinished', count(-1));
  page.on('requestfailed', count(-1));
  await page.route(/[?&]name=photo-7\.png/, (route) => route.abort('failed'), { times: 1 });
  const shares = await page.evaluateHandle(() => {
    const values = new Set<number>();
    const note = () => document.querySelectorAll('progress').forEach((bar) => void values.add(bar.value));
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
    return values;
  });
  await page.locator('input[type="file"]').first().setInputFiles(files);
  await expect(page.getByText(t('office.media.waiting')).first()).toBeVisible();
  const progress = (done: number) => page.getByText(t('office.media.progress', { done, total: 50 }));
  await expect(progress(49)).toContainText(t('office.media.failedCount', { count: 1 }), { timeout: 60_000 });
  await expect(page.getByRole('listitem').filter({ hasText: 'photo-7.png:' })).toBeVisible();
  await expectNoSeriousAxe(page);
  await button(page, `${t('office.media.retry')}: photo-7.png`).click();
  await expect(progress(50)).toBeVisible();
  expect(sent).toBe(51);
  expect(await shares.evaluate((values) => [...values])).toContain(1);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});

const people = [
  'First Name,Last Name,Email,Accepts Email Marketing,Address1,City,Province,Province Code,Country,Country Code,Zip,Phone,Tags,Note',
  'Ada,Byron,ada@byron.example,yes,12 Harbour Rd,Toronto,Ontario,ON,Canada,CA,M5V 2T6,+1 416 555 0142,vip,Likes oolong',
  'Bo,Liu,not an email,no,1 Queen St,Toronto,Ontario,ON,Canada,CA,M5V 2T6,,,',
];
const orders = [
  'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Name,Payment Method',
  '#1001,ada@byron.example,paid,2025-05-16 09:30:00 -0400,fulfilled,2025-05-16 09:45:00 -0400,CAD,40.00,6.00,0.00,46.00,2025-05-16 09:30:00 -0400,2,Harbour teapot,20.00,HT-FOG,Ada Byron,Shopify Payments',
];

test('a file of customers and one of past orders are checked first, imported, and found', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'imports');
  const bring = async (name: string, lines: readonly string[], kind: Parameters<typeof t>[0]) => {
    await page.goto('/office/imports');
    const buffer = Buffer.from(`${lines.join('\n')}\n`);
    await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByText(t('office.imports.state.judged'), { exact: true })).toBeVisible();
    await expect(page.getByText(t(kind)).first()).toBeVisible();
  };
  const take = async () => {
    await button(page, t('office.imports.apply', { count: 1 })).click();
    await expect(page.getByText(t('office.imports.state.done'), { exact: true })).toBeVisible();
  };
  await bring('Customers 2025.csv', people, 'office.imports.kind.customers');
  await expect(page.getByText('not an email').first()).toBeVisible();
  await take();
  await bring('Orders 2025.csv', orders, 'office.imports.kind.orders');
  await take();
  await page.goto('/office/customers?text=byron');
  await expect(page.getByRole('main').getByText('ada@byron.example').first()).toBeVisible();
  await page.goto('/office/orders?text=1001');
  await page.getByRole('link', { name: /#1001/ }).first().click();
  await expect(page.getByRole('main')).toContainText('Harbour teapot');
  await expect(page.getByRole('main')).toContainText('$46.00');
});

test('an owner brings a blog from WordPress, reads it in the shop, and takes it back', { tag: once }, async ({
  page,
  watch,
}) => {
  const name = 'kettle.WordPress.2026-11-30.xml';
  const words = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;
  const file = wxr(
    [
      {
        id: 1,
        title: 'Water for green tea',
        slug: 'water-for-green-tea',
        at: '2024-03-01 10:00:00',
        comments: 3,
        categories: [['water', 'Water']] as const,
        tags: [['green', 'Green']] as const,
        excerpt: 'Not boiling.',
        link: 'http://kettle.invalid/2024/03/water-for-green-tea/',
        content: `${words('Let it <strong>cool</strong> to 80 °C. Then read <a href="http://kettle.invalid/?p=2">the next</a>.')}\n[contact-form-7 id="2" title="Ask"]`,
      },
      {
        id: 2,
        title: '茶道',
        slug: '%e8%8c%b6%e9%81%93',
        at: '2024-04-01 10:00:00',
        content: words('和敬清寂。'),
      },
      { id: 3, title: 'Unfinished', status: 'draft', content: words('Half') },
      { id: 4, title: 'Our shed', type: 'page', slug: 'our-shed', content: words('We began in a shed.') },
    ],
    { address: 'http://kettle.invalid', authors: { mei: 'Mei Lin' } },
  );
  await enterAs({ page, watch }, 'Mei Chen', 'imports');
  const main = page.getByRole('main');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(file) });
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(t('office.imports.state.judged'), { exact: true })).toBeVisible();
  await expect(main).toContainText(t('office.imports.kind.wordpress'));
  await expect(main).toContainText('/blog/post/water-for-green-tea');
  await expect(main).toContainText('contact-form-7');
  await expectNoSeriousAxe(page);
  await button(page, t('office.imports.apply', { count: 4 })).click();
  await expect(page.getByText(t('office.imports.state.done'), { exact: true })).toBeVisible();
  const address = page.url();

  await page.goto('/2024/03/water-for-green-tea/');
  await expect(page).toHaveURL(/\/blog\/post\/water-for-green-tea$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Water for green tea' })).toBeVisible();
  await expect(main).toContainText('Mei Lin');
  await main.getByRole('link', { name: 'the next' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '茶道' })).toBeVisible();
  await page.goto('/office/pages');
  await expect(main).toContainText('Our shed');

  await page.goto(address);
  await button(page, t('office.imports.takeBack')).click();
  await expect(page.getByText(t('office.imports.state.takenBack'), { exact: true })).toBeVisible();
  watch.allowStatus(404);
  await page.goto('/blog/post/water-for-green-tea');
  await expect(page.getByRole('heading', { level: 1, name: 'Water for green tea' })).toBeHidden();
});
